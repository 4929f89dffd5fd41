// SPDX-License-Identifier: Apache-2.0

package renju_test

import (
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/renju"
)

// A drawn position and what Black makes on one of its points. Column a is the leftmost, row 1 the lowest.
type position struct {
	name  string
	board string
	point string
	want  renju.Shape
}

// check asks the package and the reference.
func (p position) check(t *testing.T) {
	r := parse(t, p.board)
	cell, err := game.ParseCell(p.point, r.columns, r.rows)
	if err != nil || r.cells[cell] != game.Empty {
		t.Fatalf("%s is not an empty cell of%s", p.point, p.board)
	}
	if got := renju.Forbidden(r.cells, r.columns, r.rows, cell); got != p.want {
		t.Errorf("Forbidden(%s) = %q, want %q on%s", p.point, got, p.want, p.board)
	}
	if got := r.forbidden(cell, forever); got != p.want {
		t.Errorf("reference says %q of %s, want %q on%s", got, p.point, p.want, p.board)
	}
}

func TestOverlineAndDoubleFour(t *testing.T) {
	tests := []position{
		{"overline of six", `
			. . . . . . . .
			. X X X . X X .
			. . . . . . . .`, "e2", renju.Overline},
		{"overline of nine", `
			. X X X X . X X X X .`, "f1", renju.Overline},
		{"overline from edge to edge", `
			X X X . X X`, "d1", renju.Overline},
		{"overline made longer", `
			. X X X X X X . .`, "h1", renju.Overline},
		{"overline before double four", `
			. . . . . . . .
			. . . . X . . .
			. . . . X . . .
			. . . X X . . .
			. X X X . X X .
			. . . . . X . .
			. . . . . . X .`, "e3", renju.Overline},
		{"exactly five", `
			. X X . X X . X .`, "d1", renju.None},

		{"double four in two lines", `
			. . . . . . .
			. . . . X . .
			. . . . X . .
			. . . . X . .
			. X X X . . .
			. . . . . . .`, "e2", renju.DoubleFour},
		{"double four of a closed four and one with a gap", `
			X . . . . .
			. X . . . .
			. . . . . .
			O X X . X .
			. . . . X .`, "d2", renju.DoubleFour},
		{"four in a row between a white stone and the edge", `
			X . . . .
			. X . . .
			. . . . .
			O X X . X
			. . . . X`, "d2", renju.None},
		{"three fours", `
			. . . . X . . X
			. . . . X . X .
			. . . . X X . .
			. X X X . . . .
			. . . . . . . .`, "e2", renju.DoubleFour},
		{"double four and three", `
			. . . . . . . . .
			. . . . X . . . .
			. . . . X . X . .
			. . . . X X . . .
			. X X X . . . . .
			. . . . . . . . .`, "e2", renju.DoubleFour},

		{"double four in one line, round three", `
			. X . X . X . X .`, "e1", renju.DoubleFour},
		{"double four in one line, round two", `
			. X X . X . . X X .`, "f1", renju.DoubleFour},
		{"double four in one line, round one", `
			. X X X . . . X X X .`, "f1", renju.DoubleFour},
		{"double four in one line, from edge to edge", `
			X . X . X . X`, "d1", renju.DoubleFour},
		{"one of the two fours was there before", `
			. . . X X X . X .`, "b1", renju.None},
		{"one of the two fours is stopped", `
			O X . X . X . O .`, "e1", renju.None},
		{"both fours would become six", `
			. X X X . . X . X X X .`, "f1", renju.None},
		{"one four would become six", `
			. X X . X . . X X X .`, "f1", renju.None},

		{"straight four", `
			. . X X X . . .`, "f1", renju.None},
		{"two fours that do not meet", `
			. X X X . . . .
			. . . . . . . .
			. . . . . . . .
			. X X X X . . .`, "e4", renju.None},
		{"two fours, one of which would become six", `
			. . . . . . .
			. . . . . X .
			. . . . . X .
			. . . . . X .
			X X . X X . .
			. . . . . . .`, "f2", renju.None},
		{"a four without room", `
			. . . . O .
			. . . . X .
			. . . . X .
			. . . . X .
			. X X X . .
			. . . . O .`, "e2", renju.None},
	}
	for _, tc := range tests {
		t.Run(tc.name, tc.check)
	}
}

func TestFiveTakesPrecedence(t *testing.T) {
	tests := []position{
		{"over an overline", `
			. . . . . X . .
			. . . . . X . .
			. X X X X . . .
			. . . . . X . .
			. . . . . X . .
			. . . . . X . .`, "f4", renju.None},
		{"over a double four", `
			. . . . . . . X .
			. . . . . X . X .
			. . . . . X X . .
			. . . . . X . . .
			. X X X X . . . .
			. . . . . . . . .`, "f2", renju.None},
		{"over a double four in one line", `
			. . . X . . .
			. . . . . . .
			. . . X . . .
			X X X . X . .
			. . . X . . .
			. . . . . . .
			. . . X . . .`, "d4", renju.None},
		{"over a double three", `
			. . . . . . . . .
			. . . . . X . X .
			. . . . . X X . .
			. X X X X . . . .
			. . . . . . . . .
			. . . . . . . . .`, "f3", renju.None},
		{"but six does not", `
			. . . . . . . . .
			. . . . . X . . .
			. . . . . X . . .
			X X X X X . . . .
			. . . . . . . . .`, "f2", renju.Overline},
	}
	for _, tc := range tests {
		t.Run(tc.name, tc.check)
	}
}
