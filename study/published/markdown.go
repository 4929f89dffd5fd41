// SPDX-License-Identifier: Apache-2.0

package published

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteMarkdown writes the report of a variant: what agrees, table by table, what each cell came to, how many nodes
// a move took, and why games were lost. The rows of a table stand together, as Run returns them.
func WriteMarkdown(w io.Writer, v Variant, rows []Row) error {
	out := bufio.NewWriter(w)
	tables, all := Agree(rows)
	fmt.Fprintf(out, "# The published tables, played again: %s\n\n", v)
	fmt.Fprintf(out, "%d of %d cells agree.\n\n", all.Agree, all.Cells)
	writeAgreement(out, tables, all)
	writeCells(out, rows)
	writeEffort(out, rows)
	writeLosses(out, rows)
	writeNotes(out, rows)
	return out.Flush()
}

func writeAgreement(out io.Writer, tables []Agreement, all Agreement) {
	fmt.Fprintln(out, "| table | agree | cells | ours: won, drawn, lost | published: won, drawn, lost |\n|---|---|---|---|---|")
	for _, a := range append(tables, all) {
		name := a.Table
		if name == "" {
			name = "all"
		}
		fmt.Fprintf(out, "| %s | %d | %d | %s | %s |\n", name, a.Agree, a.Cells, a.Ours, a.Published)
	}
}

// String returns the three counts.
func (t Tally) String() string { return fmt.Sprintf("%d, %d, %d", t.Win, t.Draw, t.Loss) }

// writeCells writes a line for each table and a column for each size: our verdict, and the published one where
// it is another.
func writeCells(out io.Writer, rows []Row) {
	fmt.Fprint(out, "\n## Cells\n\nW, D and L are the player's wins, draws and losses: ours, and in brackets the published one where it differs.\n\n")
	low, high := sizes(rows)
	fmt.Fprint(out, "| table | game | k | opponent | first |")
	for n := low; n <= high; n++ {
		fmt.Fprintf(out, " %d |", n)
	}
	fmt.Fprintf(out, "\n|%s\n", strings.Repeat("---|", 5+high-low+1))
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r Row) bool { return r.Cell.Table != rows[0].Cell.Table })
		if n < 0 {
			n = len(rows)
		}
		writeTable(out, rows[:n], low, high)
		rows = rows[n:]
	}
}

// sizes returns the smallest and the largest board.
func sizes(rows []Row) (low, high int) {
	for i, r := range rows {
		if low = min(low, r.Cell.Size); i == 0 {
			low = r.Cell.Size
		}
		high = max(high, r.Cell.Size)
	}
	return low, high
}

// writeTable writes the line of a table.
func writeTable(out io.Writer, rows []Row, low, high int) {
	c := rows[0].Cell
	bySize := map[int]string{}
	for _, r := range rows {
		bySize[r.Cell.Size] = r.short()
	}
	fmt.Fprintf(out, "| %s | %s | %d | %s | %s |", c.Table, c.Family, c.K, c.Opponent, c.first())
	for n := low; n <= high; n++ {
		fmt.Fprintf(out, " %s |", bySize[n])
	}
	fmt.Fprintln(out)
}

// short returns "W", or "W (L)" where a loss was published.
func (r Row) short() string {
	letter := func(v Verdict) string { return strings.ToUpper(string(v[:1])) }
	if r.Agrees() {
		return letter(r.Result.Verdict)
	}
	return fmt.Sprintf("%s (%s)", letter(r.Result.Verdict), letter(r.Cell.Published))
}

// writeEffort compares what the two sides spend on a move, by opponent.
func writeEffort(out io.Writer, rows []Row) {
	fmt.Fprint(out, "\n## Effort for a move\n\n| opponent | player's nodes | opponent's nodes |\n|---|---|---|\n")
	for _, name := range []string{Brute, Shevchenko, Chua} {
		var player, opponent Effort
		for _, r := range rows {
			if r.Cell.Opponent == name {
				player, opponent = player.plus(r.Result.Player), opponent.plus(r.Result.Opponent)
			}
		}
		if player.Moves == 0 || opponent.Moves == 0 {
			continue
		}
		fmt.Fprintf(out, "| %s | %d | %d |\n", name, player.Nodes/uint64(player.Moves), opponent.Nodes/uint64(opponent.Moves))
	}
}

func (e Effort) plus(f Effort) Effort {
	return Effort{e.Moves + f.Moves, e.Nodes + f.Nodes}
}

const lossesHead = `
## Lost games

The player's first move that fixed parameters would not have made in the same position, and the parameter that
decided: alone set back to its fixed value, it restores their move. Enough alone is a parameter that, put into fixed
ones, makes them choose the player's move.

| table | game | published | our loss |
|---|---|---|---|
`

// writeLosses explains the lost games.
func writeLosses(out io.Writer, rows []Row) {
	fmt.Fprint(out, lossesHead)
	for _, r := range rows {
		if r.Explanation != nil {
			fmt.Fprintf(out, "| %s | %s | %s | %s |\n", r.Cell.Table, r.Cell.Game, r.Cell.Published, *r.Explanation)
		}
	}
}

// writeNotes says which tables the text itself leaves in doubt.
func writeNotes(out io.Writer, rows []Row) {
	last, head := "", "\n## What the text leaves in doubt\n\n"
	for _, r := range rows {
		if r.Cell.Note != "" && r.Cell.Table != last {
			fmt.Fprintf(out, "%s- %s: %s.\n", head, r.Cell.Table, r.Cell.Note)
			last, head = r.Cell.Table, ""
		}
	}
}
