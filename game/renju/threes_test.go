// SPDX-License-Identifier: Apache-2.0

package renju_test

import (
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/renju"
)

func TestDoubleThree(t *testing.T) {
	tests := []position{
		{"two solid threes", `
			. . . . . . .
			. . . . . . .
			. . . X . . .
			. . . X . . .
			. X X . . . .
			. . . . . . .
			. . . . . . .`, "d3", renju.DoubleThree},
		{"two threes with gaps", `
			. . . . . . .
			. . . . X . .
			. . . . . . .
			. . . . X . .
			. X . X . . .
			. . . . . . .`, "e2", renju.DoubleThree},
		{"two diagonal threes", `
			. . . . . . .
			. X . . . X .
			. . X . X . .
			. . . . . . .
			. . . . . . .
			. . . . . . .`, "d3", renju.DoubleThree},
		{"three threes", `
			. . . . . . . .
			. . . . . . . .
			. X . . . X . .
			. . X . X . . .
			. X X . . . . .
			. . . . . . . .
			. . . . . . . .
			. . . . . . . .`, "d4", renju.DoubleThree},
		{"with a four besides", `
			. . . . . . . .
			. . . . X . X .
			. . . . X X . .
			. X X X . . . .
			. . . . . . . .
			. . . . . . . .`, "e3", renju.DoubleThree},
		{"a four and one three", `
			. . . . . . .
			. . . . X . .
			. . . . X . .
			. X X X . . .
			. . . . . . .
			. . . . . . .`, "e3", renju.None},
		{"a three and a two", `
			. . . . . . .
			. . . . . . .
			. . . X . . .
			. X X . . . .
			. . . . . . .
			. . . . . . .`, "d3", renju.None},
		{"two threes that do not meet", `
			. . . . . . .
			. . . . . . .
			. X X X . . .
			. . . . . . .
			. X . X . . .
			. . . . . . .`, "c2", renju.None},
	}
	for _, tc := range tests {
		t.Run(tc.name, tc.check)
	}
}

// TestFalseThree has a real three in column f of each drawing, and asks whether the row makes a second one.
func TestFalseThree(t *testing.T) {
	tests := []position{
		{"closed by a white stone", `
			. . . . . . . . . .
			. . . . . X . . . .
			. . . . . X . . . .
			. . O X X . . . . .
			. . . . . . . . . .
			. . . . . . . . . .`, "f3", renju.None},
		{"room for five cells only", `
			. . . . . . . . . .
			. . . . . X . . . .
			. . . . . X . . . .
			. O . X X . . O . .
			. . . . . . . . . .
			. . . . . . . . . .`, "f3", renju.None},
		{"room for six", `
			. . . . . . . . . .
			. . . . . X . . . .
			. . . . . X . . . .
			. O . X X . . . O .
			. . . . . . . . . .
			. . . . . . . . . .`, "f3", renju.DoubleThree},
		{"against the edge", `
			. . . . . . . .
			. . . . . X . .
			. . . . . X . .
			. . . . . . X X
			. . . . . . . .
			. . . . . . . .`, "f3", renju.None},
		{"one cell from the edge", `
			. . . . . . . .
			. . . . . X . .
			. . . . . X . .
			. . . . X . X .
			. . . . . . . .
			. . . . . . . .`, "f3", renju.DoubleThree},
		{"five at one end, six at the other", `
			. . . . . . . . . .
			. . . . . X . . . .
			. . . . . X . . . .
			. O . X X . . . X .
			. . . . . . . . . .
			. . . . . . . . . .`, "f3", renju.None},
		{"six at both ends", `
			. . . . . . . . . .
			. . . . . X . . . .
			. . . . . X . . . .
			X . . X X . . . X .
			. . . . . . . . . .
			. . . . . . . . . .`, "f3", renju.None},
		{"six at one end, but the straight four can grow to the other", `
			. . . . . . . . . .
			. . . . . X . . . .
			. . . . . X . . . .
			. . . X X . . . X .
			. . . . . . . . . .
			. . . . . . . . . .`, "f3", renju.DoubleThree},
		{"e3 would be an overline", `
			. . . . X . . . .
			. . . . X X . . .
			. . . . X X . . .
			. . X X . . . . .
			. . . . X . . . .
			. . . . X . . . .`, "f3", renju.None},
		{"e3 would be a double four", `
			. . . . . . . . .
			. . . . X . . . .
			. . . . X X . . .
			. . . . X X . . .
			. . X X . . . . .
			. . . . . . . . .
			. . . . . . . . .`, "f3", renju.None},
		{"e3 would make five, and so no three", `
			. . . . . . . . .
			. . . . X X . . .
			. . . . X X . . .
			. . X X . . . . .
			. . . . X . . . .
			. . . . X . . . .`, "f3", renju.None},
		{"g3 would be an overline, but c3 does", `
			. . . . . . X . .
			. . . . . X X . .
			. . . . . X X . .
			. . . X X . . . .
			. . . . . . X . .
			. . . . . . X . .`, "f3", renju.DoubleThree},
	}
	for _, tc := range tests {
		t.Run(tc.name, tc.check)
	}
}

// TestNestedDoubleThrees draws double threes that hang on others. The answers of a judge who looks fewer levels ahead, and
// takes the threes at the last one for real, must alternate, or the level would prove nothing.
func TestNestedDoubleThrees(t *testing.T) {
	const yes, no = renju.DoubleThree, renju.None
	tests := []struct {
		position
		ahead []renju.Shape // by levels looked ahead
	}{
		// The column wants e4, a double three itself: b4 c4 e4 by d4, and c2 d3 e4 by f5.
		{position{"one level", `
			. . . . . . .
			. . . . X . .
			. X X . . . .
			. . . X X . .
			. . X . . . .
			. . . . . . .`, "e2", no}, []renju.Shape{yes, no}},
		// The row wants h2. That makes a column by h3, and f4 g3 h2 by e5: but e5 is a double three, and so
		// h2 is none.
		{position{"two levels", `
			. . . . . . . . . . .
			. . . . . . X X . . .
			. . . X . X . X . . .
			. . X . . . X . . . .
			. . . . . . X . X . .
			. . . . . . . . . . .`, "j2", yes}, []renju.Shape{yes, no, yes}},
		// The row wants f4, and f4 the points e5 and h6: e5 is free; h6 would make the column by h7, but h7
		// is a double three, and so h6 is none, and so f4 is one.
		{position{"three levels", `
			. . . . . . . . . . . .
			. . . . . . . . . . X .
			. . . . . . . . . X . .
			. . . . . . . X . . . .
			. X . . . . . . X . . .
			. . X . . . . . X X . .
			. . . . . . X X . X . .
			. . . X . . X . . . . .
			. . . . . . X . . . . .
			. . . . . . . X . . . .
			. . . . . . . . . . . .`, "e4", no}, []renju.Shape{yes, no, yes, no}},
		{position{"three levels, eight stones", `
			. . . . . . .
			. . . . . . .
			. . X . X . .
			. . X X . . .
			. . . X . X .
			. . . X X . .
			. . . . . . .`, "c2", no}, []renju.Shape{yes, no, yes, no}},
		// Of three threes, the column wants c5, a double three, and b3 c4 d5 wants e6, a double four. One is
		// left.
		{position{"three threes and two reasons", `
			. . . . . .
			. . . . . .
			. X X X . .
			. X . X . .
			. X . . . .
			. X X X . .
			. . . . . .
			. . . . . .`, "c4", no}, []renju.Shape{yes, no}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			tc.check(t)
			r := parse(t, tc.board)
			cell, _ := game.ParseCell(tc.point, r.columns, r.rows)
			for n, want := range tc.ahead {
				if got := r.forbidden(cell, n); got != want {
					t.Errorf("%d levels ahead: %q, want %q on%s", n, got, want, tc.board)
				}
			}
		})
	}
}
