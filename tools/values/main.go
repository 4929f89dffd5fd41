// SPDX-License-Identifier: Apache-2.0

//go:build unix

// Values proves what empty boards are worth and keeps the results, from which docs/values.md is made:
//
//	go run ./tools/values connect4:5x4 mnk:4,3,3   # adds to docs/values.jsonl
//	go run ./tools/values > docs/values.md         # make values
//
// For each game it solves the empty board, writes the certificate and checks it. Games that have a result already are
// left out, so a run that was ended goes on.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/proof"
)

// row is a line of the file of results: what the empty board of a game is worth to whoever moves first, and what it
// took to prove it. Times are seconds of the processor, of all threads.
type row struct {
	Game    string  `json:"game"`
	Value   string  `json:"value"`
	Plies   *int    `json:"plies,omitempty"`
	Score   *int    `json:"score,omitempty"`
	Nodes   uint64  `json:"nodes"`
	Hash    string  `json:"hash"`
	Threads int     `json:"threads"`
	SolveS  float64 `json:"solve_s"`
	WriteS  float64 `json:"write_s"`
	CheckS  float64 `json:"check_s"`
	Steps   uint64  `json:"steps"` // positions of the certificate that need a move
	Bytes   int64   `json:"bytes"` // of the certificate
}

type options struct {
	results, certificates, hash string
	threads, sizes              int
	time                        time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.results, "results", "docs/values.jsonl", "file of results")
	flag.StringVar(&o.certificates, "certificates", "", "directory to keep the certificates in")
	flag.StringVar(&o.hash, "hash", "64M", "size of the table")
	flag.IntVar(&o.threads, "threads", 1, "threads that share the table")
	flag.IntVar(&o.sizes, "sizes", 0, "also every Connect Four from 4x4 whose columns and rows are so many in all at most")
	flag.DurationVar(&o.time, "time", 0, "time for each game")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "values:", err)
		os.Exit(1)
	}
}

// run proves games that have no result yet, or writes the page where none are given.
func (o *options) run(ctx context.Context, games []string, w io.Writer) error {
	for sum := 8; sum <= o.sizes; sum++ {
		for columns := 4; columns <= sum-4; columns++ {
			games = append(games, fmt.Sprintf("connect4:%dx%d", columns, sum-columns))
		}
	}
	rows, err := read(o.results)
	if err != nil {
		return fmt.Errorf("%s: %w", o.results, err)
	}
	if len(games) == 0 {
		return write(w, rows)
	}
	out, err := wholefile.Open(o.results)
	if err != nil {
		return err
	}
	defer out.Close()
	var failed []error
	for _, text := range games {
		g, err := catalog.Game(text)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(rows, func(r row) bool { return r.Game == g.String() }) {
			continue
		}
		r, err := o.prove(ctx, g)
		if err == nil {
			rows = append(rows, r)
			fmt.Fprintf(w, "%s: %s   %d nodes   %.1f s   certificate of %d bytes, checked in %.1f s\n", r.Game, r.Value, r.Nodes, r.SolveS, r.Bytes, r.CheckS)
			err = save(out, rows)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", g, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(failed...)
}

// prove solves a game, writes its certificate and checks it.
func (o *options) prove(ctx context.Context, g game.Game) (r row, err error) {
	if o.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.time)
		defer cancel()
	}
	bytesOf, ok := spec.Bytes(o.hash, 1)
	if !ok {
		return r, fmt.Errorf("%q is no size of a table", o.hash)
	}
	s, err := solve.New(g, solve.Options{Threads: o.threads, Hash: bytesOf})
	if err != nil {
		return r, err
	}
	if !s.Certifies() {
		return r, errors.New("there are no certificates yet")
	}
	p, began := g.Start(), cpuSeconds()
	v, err := s.Solve(ctx, p, func(solve.Solution) {})
	if err != nil {
		return r, err
	}
	r = row{Game: g.String(), Value: v.Value, Plies: v.Plies, Score: v.Score, Nodes: v.Nodes, SolveS: since(began), Hash: o.hash, Threads: o.threads}
	var certificate bytes.Buffer
	began = cpuSeconds()
	if err := s.Certify(ctx, p, &certificate); err != nil {
		return r, err
	}
	r.WriteS = since(began)
	began = cpuSeconds()
	checked, err := proof.Verify(ctx, bytes.NewReader(certificate.Bytes()))
	if err != nil {
		return r, fmt.Errorf("the certificate: %w", err)
	}
	if checked.Claim.Value != r.Value {
		return r, fmt.Errorf("the certificate proves a %s, not a %s", checked.Claim.Value, r.Value)
	}
	r.CheckS, r.Bytes, r.Steps = since(began), checked.Bytes, checked.Positions
	if o.certificates == "" {
		return r, nil
	}
	name := strings.NewReplacer(":", "-", ",", "-", "=", "").Replace(r.Game) + ".proof"
	return r, cmp.Or(os.MkdirAll(o.certificates, 0o777), wholefile.Write(filepath.Join(o.certificates, name), certificate.Bytes()))
}

// cpuSeconds returns what this program has used of the processors.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()) / 1e9
}

// since returns the seconds of the processor since then, to the millisecond.
func since(began float64) float64 { return math.Round(1e3*(cpuSeconds()-began)) / 1e3 }

// read reads results, one JSON object a line. A file that does not exist holds none.
func read(name string) (rows []row, err error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := json.NewDecoder(f)
	in.DisallowUnknownFields()
	for {
		var r row
		switch err := in.Decode(&r); {
		case err == io.EOF:
			return rows, nil
		case err != nil:
			return nil, fmt.Errorf("result %d: %w", len(rows)+1, err)
		}
		if _, err := catalog.Game(r.Game); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
}

// save writes the file of results.
func save(out *wholefile.File, rows []row) error {
	sortRows(rows)
	return out.Write(func(w io.Writer) error {
		e := json.NewEncoder(w)
		for _, r := range rows {
			if err := e.Encode(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// sortRows puts Connect Four first, then other games by name, and small boards before large ones.
func sortRows(rows []row) {
	cells := func(r row) int {
		g, err := catalog.Game(r.Game)
		if err != nil {
			return 0
		}
		return len(g.Start().(game.Board).Cells())
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.kind(), b.kind()), cmp.Compare(cells(a), cells(b)), cmp.Compare(a.Game, b.Game))
	})
}

// kind returns the family of a game.
func (r row) kind() string {
	name, _, _ := strings.Cut(r.Game, ":")
	if name == "tictactoe" {
		return "mnk"
	}
	return name
}

const about = `# Values proved by krow

<!-- Made by go run ./tools/values (make values): do not edit. -->

What the empty board is worth to whoever moves first. Each row was proved, its certificate written, and that accepted by the
checker, all by ` + "`go run ./tools/values GAME`" + `; ` + "`krow solve GAME --hash SIZE --certificate FILE`" + ` and ` + "`krow verify FILE`" + ` do the same in two steps. A
certificate proves the value; *plies*, the length of the game with best play, is what the solver found.
*Nodes* are positions entered, a number that one thread repeats exactly with the same table. Times are seconds of the
processor, on a machine of two cores with much other work: upper bounds. *Steps* are the positions of the certificate that
need a move.
`

// write writes the page of results.
func write(w io.Writer, rows []row) error {
	sortRows(rows)
	out := bufio.NewWriter(w)
	fmt.Fprint(out, about)
	kind := ""
	for _, r := range rows {
		if r.kind() != kind {
			kind = r.kind()
			fmt.Fprintf(out, "\n## %s\n\n", map[string]string{"connect4": "Connect Four", "mnk": "m,n,k games"}[kind])
			fmt.Fprintln(out, "| game | value | plies | nodes | table, threads | solving, s | writing, s | checking, s | steps | certificate, bytes |")
			fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|---|")
		}
		plies := "" // m,n,k games are solved without
		if r.Plies != nil {
			plies = strconv.Itoa(*r.Plies)
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s, %d | %.2f | %.2f | %.2f | %s | %s |\n", r.Game, r.Value, plies, thousands(r.Nodes),
			r.Hash, r.Threads, r.SolveS, r.WriteS, r.CheckS, thousands(r.Steps), thousands(uint64(r.Bytes)))
	}
	return out.Flush()
}

// thousands writes n with a space before every three digits.
func thousands(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
