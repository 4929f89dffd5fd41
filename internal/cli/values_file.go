// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
)

// valueRow is a line of a file of results: what the empty board of a game is worth to whoever moves first, and
// what it took to prove it. Times are seconds of the processor, of all threads.
type valueRow struct {
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

// parseValues reads results, one JSON object a line.
func parseValues(r io.Reader) (rows []valueRow, err error) {
	err = eachLine(r, func(_ int, text string) error {
		var row valueRow
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&row); err != nil {
			return err
		}
		if _, err := d.Token(); err != io.EOF {
			return errors.New("there is something after the object")
		}
		g, err := catalog.Game(row.Game)
		if err != nil {
			return errors.New(err.Error()) // that of a file is no misuse
		}
		if g.String() != row.Game {
			return fmt.Errorf("%s is written %s", row.Game, g)
		}
		if !slices.Contains([]string{"win", "draw", "loss"}, row.Value) || row.Bytes < 0 {
			return fmt.Errorf("%s cannot be a %q with a certificate of %d bytes", g, row.Value, row.Bytes)
		}
		if _, err := parseSize(row.Hash); err != nil || row.Threads < 1 || min(row.SolveS, row.WriteS, row.CheckS) < 0 {
			return fmt.Errorf("%s cannot be solved with a table of %q by %d threads, in %g, %g and %g s",
				g, row.Hash, row.Threads, row.SolveS, row.WriteS, row.CheckS)
		}
		if known(rows, row.Game) {
			return fmt.Errorf("%s is there twice", row.Game)
		}
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

// save writes results, in the order of their table.
func (v *proving) save(rows []valueRow) error {
	sortValues(rows)
	return v.out.Write(func(w io.Writer) error {
		for _, r := range rows {
			if err := printJSON(w, r); err != nil {
				return err
			}
		}
		return nil
	})
}

// sortValues puts Connect Four first, then other games by name, and small boards before large ones.
func sortValues(rows []valueRow) {
	slices.SortFunc(rows, func(a, b valueRow) int {
		x, y := a.kind(), b.kind()
		cells := func(r valueRow) int {
			g, err := catalog.Game(r.Game)
			if err != nil {
				return 0
			}
			return len(g.Start().(game.Board).Cells())
		}
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(cells(a), cells(b)), cmp.Compare(a.Game, b.Game))
	})
}

// kind returns the heading of the table for a row.
func (r valueRow) kind() string {
	name, _, _ := strings.Cut(r.Game, ":")
	if name == "tictactoe" {
		return "mnk"
	}
	return name
}

// print shows a result.
func (r valueRow) print(cmd *cobra.Command) error {
	if asJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), r)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s   %s nodes   %.1f s   certificate of %d bytes, checked in %.1f s\n",
		r.Game, r.Value, count(r.Nodes), r.SolveS, r.Bytes, r.CheckS)
	return err
}

// aboutValues begins the page.
const aboutValues = `# Values proved by krow

<!-- Made by krow values --results docs/values.jsonl: do not edit. -->

What the empty board is worth to whoever moves first. Each row was proved, its certificate written, and that accepted by the
checker, all by ` + "`krow values GAME`" + `; ` + "`krow solve GAME --hash SIZE --certificate FILE`" + ` and ` + "`krow verify FILE`" + ` do the same in two steps. A
certificate proves the value; *plies*, the length of the game with best play, is what the solver found.
*Nodes* are positions entered, a number that one thread repeats exactly with the same table. Times are seconds of the
processor, on a machine of two cores with much other work: upper bounds. *Steps* are the positions of the certificate that
need a move.
`

// writeValues writes the page of results.
func writeValues(w io.Writer, rows []valueRow) error {
	sortValues(rows)
	out := bufio.NewWriter(w)
	fmt.Fprint(out, aboutValues)
	kind := ""
	for _, r := range rows {
		if r.kind() != kind {
			kind = r.kind()
			fmt.Fprintf(out, "\n## %s\n\n", map[string]string{"connect4": "Connect Four", "mnk": "m,n,k games"}[kind])
			fmt.Fprintln(out, "| game | value | plies | nodes | table, threads | solving, s | writing, s | checking, s | steps | certificate, bytes |")
			fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|---|")
		}
		plies := "" // of m,n,k games nobody asked
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
