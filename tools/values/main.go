// SPDX-License-Identifier: Apache-2.0

// Values solves games, adds their results to docs/measurements/values.jsonl, and generates docs/measurements/values.md from that
// file:
//
//	go run ./tools/values connect4:5x4 mnk:4,3,3
//
// For each game without a result, it solves the empty board, writes the certificate and checks it. An interrupted run can be
// continued.
package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/docs/measurements"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/proof"
)

type row = measurements.Value

func main() {
	hash := flag.String("hash", "64M", "size of the table")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := addValues(ctx, filepath.Join("docs", "measurements"), flag.Args(), *hash); err != nil {
		fmt.Fprintln(os.Stderr, "values:", err)
		os.Exit(1)
	}
}

// addValues adds the results of games to values.jsonl in dir, and writes values.md.
func addValues(ctx context.Context, dir string, games []string, hash string) error {
	file := filepath.Join(dir, "values.jsonl")
	rows, err := read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, text := range games {
		if slices.ContainsFunc(rows, func(r row) bool { return r.Game == text }) {
			continue
		}
		r, err := prove(ctx, text, hash)
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		rows = append(rows, r)
		slices.SortFunc(rows, func(a, b row) int {
			return cmp.Or(cmp.Compare(family(a), family(b)), cmp.Compare(cells(a), cells(b)), cmp.Compare(a.Game, b.Game))
		})
		var lines bytes.Buffer
		e := json.NewEncoder(&lines)
		for _, r := range rows {
			_ = e.Encode(r) // no error is possible: numbers and texts can always be encoded, and e writes to a buffer
		}
		if err := atomicfile.Write(file, lines.Bytes()); err != nil {
			return err
		}
	}
	return atomicfile.Write(filepath.Join(dir, "values.md"), page(rows))
}

// read reads results. If the file does not exist, it returns none.
func read(name string) (rows []row, err error) {
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	rows, err = measurements.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("result %d: %w", len(rows)+1, err)
	}
	return rows, nil
}

// prove solves a game, writes its certificate and checks it.
func prove(ctx context.Context, text, hash string) (r row, err error) {
	g, err := krow.Game(text)
	if err != nil {
		return r, err
	}
	size, _ := spec.Bytes(hash, 1)
	s, err := solve.New(g, solve.Options{Hash: size})
	if err != nil {
		return r, err
	}
	p, began := g.Start(), cpu.Time()
	v, err := s.Solve(ctx, p, nil)
	if err != nil {
		return r, err
	}
	r = row{Game: g.String(), Value: v.Value, Plies: v.Plies, Score: v.Score, Nodes: v.Nodes, Hash: hash, Threads: 1}
	solved := cpu.Time()
	var certificate bytes.Buffer
	if err := s.Certify(ctx, p, &certificate); err != nil {
		return r, err
	}
	written := cpu.Time()
	checked, err := proof.Verify(ctx, bytes.NewReader(certificate.Bytes()), proof.Limits{})
	if err == nil && checked.Claim.Value != v.Value {
		err = fmt.Errorf("the certificate proves a %s, not a %s", checked.Claim.Value, v.Value)
	}
	milli := func(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }
	r.SolveS, r.WriteS, r.CheckS = milli(solved-began), milli(written-solved), milli(cpu.Time()-written)
	r.Bytes, r.Steps = checked.Bytes, checked.Positions
	r.SHA256 = fmt.Sprintf("%x", sha256.Sum256(certificate.Bytes()))
	return r, err
}

// family returns the heading of the table that lists the game of r.
func family(r row) string {
	switch {
	case strings.HasPrefix(r.Game, "connect4"):
		return "Connect Four"
	case strings.HasPrefix(r.Game, "ultimate"):
		return "ultimate tic-tac-toe"
	case strings.HasPrefix(r.Game, "atarigo"):
		return "Atari-Go"
	}
	return "m,n,k games"
}

func cells(r row) int {
	g, err := krow.Game(r.Game)
	if err != nil {
		return 0
	}
	return len(g.Start().(game.Board).Cells())
}

const about = `# Values proved by krow

<!-- Made by go run ./tools/values (make values): do not edit. -->

This table has the value of each empty board for the side that moves first. The checker has accepted a certificate for each row. Nearly all
rows were made by ` + "`go run ./tools/values GAME`" + `; ` + "`krow solve GAME --hash SIZE --certificate FILE`" + ` and ` + "`krow verify FILE`" + ` do
the same work in two steps.

- *Plies* is the length of the game with best play, which the solver found. The certificate proves only the value.
- *Nodes* is the number of positions that the solver entered. A repetition with one thread and the row's size of table gives the same number. The rows
  of ` + "`gomoku`" + `, ` + "`standard`" + `, ` + "`gomoku:14`" + ` and ` + "`gomoku:13`" + ` were made by ` + "`krow solve`" + ` with two threads, so their nodes and times are rounded. The rows of ` + "`mnk:9,7,5`" + ` and ` + "`mnk:12,5,5`" + ` were also made by ` + "`krow solve`" + `, so their nodes are rounded.
- Times are seconds of the processor. The machine, with two cores, was busy, so the times are upper bounds.
- *Steps* is the number of positions for which the certificate contains a move or, in draws with [zones](../engines/solvers.md#mnk-games), an answer of the attacker.
- *SHA-256* has the first digits of the hash of the file, [deflated by Go 1.26](../reference/formats/certificate.md#the-file).
- *Published* names the first publication of the value, as far as we know. [Solving](solve.md#what-others-published) lists published proofs and trees.

The page of ` + "`krow serve`" + ` shows the same values under *Analyse*, *Proved values*, with boards to play on.
`

// page returns the page of results.
func page(rows []row) []byte {
	var b bytes.Buffer
	b.WriteString(about)
	heading := ""
	for _, r := range rows {
		if family(r) != heading {
			heading = family(r)
			fmt.Fprintf(&b, "\n## %s\n\n", heading)
			b.WriteString("| game | value | plies | nodes | table, threads | solving, s | writing, s | checking, s | steps | certificate, bytes | SHA-256 | published |\n")
			b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|\n")
		}
		plies := "" // a solved m,n,k game has no number of plies
		if r.Plies != nil {
			plies = strconv.Itoa(*r.Plies)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s, %d | %.2f | %.2f | %.2f | %s | %s | %s | %s |\n", r.Game, r.Value, plies, thousands(r.Nodes),
			r.Hash, r.Threads, r.SolveS, r.WriteS, r.CheckS, thousands(r.Steps), thousands(uint64(r.Bytes)), r.SHA256[:12], r.Published())
	}
	fmt.Fprintf(&b, "\n## Boards up to %dx%d\n\nTurning a board does not change its value. A - marks a board on which no row fits, and a ? a board whose value is unknown.\n", most, most)
	for _, k := range []int{4, 5} {
		grid(&b, rows, k)
	}
	return b.Bytes()
}

// most is the maximum side length of the boards in a grid.
const most = 8

// grid writes a table of the values of all boards up to 8x8 with k in a row. A board and the board turned by 90 degrees have the
// same value.
func grid(b *bytes.Buffer, rows []row, k int) {
	values := map[string]string{}
	for _, r := range rows {
		values[r.Game] = r.Value
	}
	fmt.Fprintf(b, "\n| %d in a row |", k)
	for x := range most {
		fmt.Fprintf(b, " %d |", x+1)
	}
	b.WriteString("\n|---" + strings.Repeat("|---", most) + "|\n")
	for y := 1; y <= most; y++ {
		fmt.Fprintf(b, "| %d", y)
		for x := 1; x <= most; x++ {
			value := cmp.Or(values[fmt.Sprintf("mnk:%d,%d,%d", max(x, y), min(x, y), k)], "?")
			if max(x, y) < k {
				value = "-"
			}
			fmt.Fprintf(b, " | %s", value)
		}
		b.WriteString(" |\n")
	}
}

// thousands writes n with a space before every three digits.
func thousands(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
