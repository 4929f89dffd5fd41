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

// TestForbidden holds the forbidden points to those of package renju on random positions.
func TestForbidden(t *testing.T) {
	positions := 1_200
	if os.Getenv("KROW_LONG") == "1" {
		positions = 1_000_000
	}
	r := ruleOf(t, gametest.Must[*mnk.Game](t)(renju.New(15)))
	b, cells := newBoard(r, nil), make([]game.Stone, r.columns*r.rows)
	seen, doubts := map[renju.Shape]int{}, 0
	for seed := range positions {
		scatter(b, cells, rand.New(rand.NewPCG(uint64(seed), 5)))
		before := *b
		for cell, stone := range cells {
			c := b.cellAt(cell%r.columns, cell/r.columns)
			if stone != game.Empty {
				continue
			}
			want := renju.Forbidden(cells, r.columns, r.rows, cell)
			if got := b.isForbidden(c); got != (want != renju.None) {
				t.Fatalf("seed %d: isForbidden(%s) = %v, want %q", seed, game.FormatCell(cell, r.columns), got, want)
			}
			if seen[want]++; b.kinds[0][b.cells[c].code&0xffff].doubt && want == renju.None {
				doubts++
			}
		}
		if b.value != before.value || b.counts != before.counts || b.cells != before.cells || b.turn != before.turn {
			t.Fatalf("seed %d: isForbidden changed the board", seed)
		}
	}
	t.Log(seen, doubts)
	if min(seen[renju.Overline], seen[renju.DoubleFour], seen[renju.DoubleThree]) < 500 || doubts < 20 {
		t.Errorf("too few points of some kind: %v, %d threes that are not real", seen, doubts)
	}
}

// scatter puts stones on the board, more or less densely, each black one near another.
func scatter(b *board, cells []game.Stone, rng *rand.Rand) {
	b.clear()
	clear(cells)
	black, white := 10+rng.IntN(50), rng.IntN(40)
	x, y := 7, 7
	for n := range black + white {
		side := game.First
		if n >= black {
			side = game.Second
			x, y = rng.IntN(15), rng.IntN(15)
		}
		x, y = max(0, min(x+rng.IntN(5)-2, 14)), max(0, min(y+rng.IntN(5)-2, 14))
		if cells[x+15*y] != game.Empty {
			continue
		}
		cells[x+15*y] = side.Stone()
		b.turn = side
		b.play(b.cellAt(x, y))
	}
}
