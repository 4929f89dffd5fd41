// SPDX-License-Identifier: Apache-2.0

package renju_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/renju"
)

// A generator puts stones on an empty board, and returns the empty cells that are worth a look.
type generator func(rng *rand.Rand, r reference) []int

// scatter fills the board, each cell on its own, as densely as it happens to.
func scatter(rng *rand.Rand, r reference) (points []int) {
	black, white := 0.05+0.45*rng.Float64(), 0.25*rng.Float64()
	for cell := range r.cells {
		switch x := rng.Float64(); {
		case x < black:
			r.cells[cell] = game.FirstStone
		case x < black+white:
			r.cells[cell] = game.SecondStone
		default:
			points = append(points, cell)
		}
	}
	return points
}

// weave makes double threes whose straight-four points are double threes again, some levels deep, and then
// spoils some of them with white stones.
func weave(rng *rand.Rand, r reference) (points []int) {
	w := weaver{reference: r, rng: rng, open: make([]bool, len(r.cells))}
	w.knot(rng.IntN(len(r.cells)), -1, 1+rng.IntN(4))
	for range rng.IntN(8) {
		if cell := rng.IntN(len(r.cells)); !w.open[cell] {
			r.cells[cell] = game.SecondStone
		}
	}
	for cell, open := range w.open {
		if open {
			points = append(points, cell)
		}
	}
	return points
}

type weaver struct {
	reference
	rng  *rand.Rand
	open []bool // must stay empty
}

// knot makes cell a double three: two stones in each of two lines, but not in the line from, and one open
// cell that completes their straight four, which may become a knot itself.
func (w *weaver) knot(cell, from, levels int) {
	w.open[cell], w.cells[cell] = true, game.Empty
	lines := 2
	for _, d := range w.rng.Perm(4) {
		if d == from || lines == 0 {
			continue
		}
		lines--
		first := -w.rng.IntN(4)
		skip := first + w.rng.IntN(3)
		if skip >= 0 {
			skip++ // not the cell itself
		}
		for i := first - 1; i <= first+4; i++ {
			w.place(cell, d, i, i < first || i == skip || i > first+3)
		}
		if c, ok := w.at(cell, d, skip); ok && w.rng.IntN(levels+1) > 0 {
			w.knot(c, d, levels-1)
		}
	}
}

// at returns the cell i steps from cell in direction d.
func (w *weaver) at(cell, d, i int) (int, bool) {
	x, y := cell%w.columns+i*directions[d][0], cell/w.columns+i*directions[d][1]
	return x + y*w.columns, w.inside(x, y)
}

// place makes the cell i steps from cell black or open, unless it must stay as it is.
func (w *weaver) place(cell, d, i int, open bool) {
	c, ok := w.at(cell, d, i)
	switch {
	case !ok || w.open[c] || w.cells[c] == game.FirstStone:
	case open:
		w.open[c] = true
	case i != 0:
		w.cells[c] = game.FirstStone
	}
}

// TestForbiddenAgrees holds Forbidden equal to the reference on random boards, and makes sure that these hold
// what is rare: every shape, and points that only a deeper look decides.
func TestForbiddenAgrees(t *testing.T) {
	times := 2
	switch {
	case os.Getenv("KROW_LONG") == "1":
		times = 80
	case testing.Short():
		times = 1
	}
	tests := []struct {
		name                  string
		columns, rows, points int
		generate              generator
		seed                  uint64
	}{
		{"scatter", 15, 15, 45_000, scatter, 1},
		{"scatter", 6, 11, 35_000, scatter, 2},
		{"weave", 15, 15, 12_000, weave, 3},
		{"weave", 11, 9, 13_000, weave, 4},
		{"weave", 128, 5, 1_000, weave, 5},
		{"scatter", 2, 9, 500, scatter, 6},
		{"scatter", 1, 9, 500, scatter, 7},
		{"scatter", 9, 1, 500, scatter, 8},
	}
	seen := map[string]int{}
	for _, tc := range tests {
		t.Run(fmt.Sprintf("%s/%dx%d/seed=%d", tc.name, tc.columns, tc.rows, tc.seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(tc.seed, 1))
			for n := 0; n < tc.points*times/4; {
				r := reference{make([]game.Stone, tc.columns*tc.rows), tc.columns, tc.rows}
				points := tc.generate(rng, r)
				r.compare(t, points, seen)
				n += len(points)
			}
		})
	}
	for what, least := range map[string]int{
		"overline": 500, "double four": 500, "double three": 500, "depth 1": 100, "depth 2": 10, "depth 3": 2,
	} {
		if seen[what] < least*min(times, 4)/4 {
			t.Errorf("%d cases of %s, want at least %d: %v", seen[what], what, least, seen)
		}
	}
	t.Log(seen)
}

// compare adds up in seen what the points were. Looking ahead only takes threes away, so that an answer without
// it stands unless it is a double three.
func (r reference) compare(t *testing.T, points []int, seen map[string]int) {
	for _, cell := range points {
		want := r.forbidden(cell, 0)
		deep := want == renju.DoubleThree
		if deep {
			want = r.forbidden(cell, forever)
		}
		if got := renju.Forbidden(r.cells, r.columns, r.rows, cell); got != want {
			t.Fatalf("Forbidden(%s) = %v, want %v on%s", game.FormatCell(cell, r.columns), got, want, draw(r))
		}
		seen[want.String()]++
		for depth := 0; deep && depth < 5; depth++ {
			if r.forbidden(cell, depth) != want {
				seen[fmt.Sprint("depth ", depth+1)]++
			}
		}
	}
}
