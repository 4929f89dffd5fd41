// SPDX-License-Identifier: Apache-2.0

package renju_test

import (
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
)

// parse reads a drawn board, its top row first: X is black, O is white, a dot is empty.
func parse(t testing.TB, board string) reference {
	t.Helper()
	rows := strings.Split(strings.TrimSpace(board), "\n")
	columns := len(strings.Fields(rows[0]))
	r := reference{make([]game.Stone, columns*len(rows)), columns, len(rows)}
	for i, row := range rows {
		marks := strings.Fields(row)
		if len(marks) != columns {
			t.Fatalf("row %q has %d cells, want %d", row, len(marks), columns)
		}
		for x, mark := range marks {
			r.cells[x+(len(rows)-1-i)*columns] = game.Stone(strings.Index(".XO", mark))
		}
	}
	return r
}

// draw writes a board as parse reads it.
func draw(r reference) string {
	var b strings.Builder
	for y := r.rows - 1; y >= 0; y-- {
		b.WriteString("\n")
		for _, s := range r.cells[y*r.columns:][:r.columns] {
			b.WriteString(" " + string(".XO"[s]))
		}
	}
	return b.String()
}

// empty returns the empty cells.
func (r reference) empty() []int {
	cells := make([]int, 0, len(r.cells))
	for cell, s := range r.cells {
		if s == game.Empty {
			cells = append(cells, cell)
		}
	}
	return cells
}
