// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
)

// TestForbiddenPointsMatchTheRules compares the forbidden points with package renju on random positions: with scattered stones and
// with crossing threes, on the usual board and on others.
func TestForbiddenPointsMatchTheRules(t *testing.T) {
	positions := 1_500
	if os.Getenv("KROW_LONG") == "1" {
		positions = 1_000_000
	}
	seen := tally{shapes: map[renju.Shape]int{}}
	for _, board := range []struct{ size, part int }{{15, 5}, {6, 1}, {9, 2}, {19, 1}, {22, 1}} {
		r := ruleOf(t, gametest.Must[*mnk.Game](t)(renju.New(board.size)))
		b, cells := newBoard(r, nil), make([]game.Stone, r.columns*r.rows)
		for seed := range positions * board.part / 10 {
			rng := rand.New(rand.NewPCG(uint64(seed), uint64(board.size)))
			if seed%2 == 0 {
				scatter(b, cells, rng)
			} else {
				cross(b, cells, rng)
			}
			seen.compare(t, b, cells, seed)
		}
	}
	t.Logf("%+v", seen)
	if min(seen.shapes[renju.Overline], seen.shapes[renju.DoubleFour], seen.shapes[renju.DoubleThree]) < 500 ||
		seen.unreal < 20 || seen.nested < 20 {
		t.Errorf("too few points of some kind: %+v", seen)
	}
}

// tally counts the points that were compared.
type tally struct {
	points int
	shapes map[renju.Shape]int
	unreal int // where threes cross and are not real
	nested int // where a stone to make one of them four is in doubt itself
}

// compare compares every empty cell.
func (s *tally) compare(t *testing.T, b *board, cells []game.Stone, seed int) {
	t.Helper()
	columns, rows := b.rule.columns, b.rule.rows
	value, counts, turn, states := b.value, b.counts, b.turn, b.cells
	for cell, stone := range cells {
		if stone != game.Empty {
			continue
		}
		c := b.cellAt(cell%columns, cell/columns)
		want := renju.Forbidden(cells, columns, rows, cell)
		if got := b.isForbidden(c); got != (want != renju.None) {
			t.Fatalf("%d x %d, seed %d: isForbidden(%s) = %v, want %q", columns, rows, seed, game.FormatCell(cell, columns), got, want)
		}
		s.points++
		s.shapes[want]++
		if b.kinds[0][b.cells[c].patterns.First].maybeForbidden {
			if want == renju.None {
				s.unreal++
			}
			if b.nests(c) {
				s.nested++
			}
		}
	}
	if b.value != value || b.counts != counts || b.turn != turn || b.cells != states {
		t.Fatalf("%d x %d, seed %d: isForbidden changed the board", columns, rows, seed)
	}
}

// nests reports whether further threes cross on a cell next to the rows of a black stone on c.
func (b *board) nests(c int) (nests bool) {
	turn := b.turn
	b.turn = game.First
	b.playStone(c)
	for _, step := range steps {
		for _, s := range [2]int{step, -step} {
			e := c + s
			for b.stones[e] == codeOwn {
				e += s
			}
			nests = nests || b.stones[e] == codeEmpty && b.kinds[0][b.cells[e].patterns.First].maybeForbidden
		}
	}
	b.undo()
	b.turn = turn
	return nests
}

// cross puts black pairs on lines through a few points, which lie near each other, and white stones here and there.
func cross(b *board, cells []game.Stone, rng *rand.Rand) {
	b.clear()
	clear(cells)
	columns, rows := b.rule.columns, b.rule.rows
	put := func(x, y int, side game.Side) {
		if x < 0 || y < 0 || x >= columns || y >= rows || cells[x+columns*y] != game.Empty {
			return
		}
		cells[x+columns*y] = side.Stone()
		b.turn = side
		b.playStone(b.cellAt(x, y))
	}
	x, y := rng.IntN(columns), rng.IntN(rows)
	for range 2 + rng.IntN(4) {
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			if rng.IntN(3) == 0 {
				continue
			}
			near, gap := 1+rng.IntN(2), 1+rng.IntN(2)
			if rng.IntN(2) == 0 {
				d[0], d[1] = -d[0], -d[1]
			}
			if rng.IntN(3) == 0 {
				gap = -2 * near
			}
			put(x+near*d[0], y+near*d[1], game.First)
			put(x+(near+gap)*d[0], y+(near+gap)*d[1], game.First)
		}
		x, y = max(0, min(x+rng.IntN(7)-3, columns-1)), max(0, min(y+rng.IntN(7)-3, rows-1))
	}
	for range rng.IntN(8) {
		put(rng.IntN(columns), rng.IntN(rows), game.Second)
	}
}

// scatter puts stones on the board with random density, each black stone near another black stone.
func scatter(b *board, cells []game.Stone, rng *rand.Rand) {
	b.clear()
	clear(cells)
	columns, rows := b.rule.columns, b.rule.rows
	black, white := 10+rng.IntN(50), rng.IntN(40)
	x, y := columns/2, rows/2
	for n := range black + white {
		side := game.First
		if n >= black {
			side = game.Second
			x, y = rng.IntN(columns), rng.IntN(rows)
		}
		x, y = max(0, min(x+rng.IntN(5)-2, columns-1)), max(0, min(y+rng.IntN(5)-2, rows-1))
		if cells[x+columns*y] != game.Empty {
			continue
		}
		cells[x+columns*y] = side.Stone()
		b.turn = side
		b.playStone(b.cellAt(x, y))
	}
}
