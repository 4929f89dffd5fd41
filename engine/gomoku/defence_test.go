// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/game"
)

// TestDefences tries every stone against an open four: the list holds those that stop it, and no other.
func TestDefences(t *testing.T) {
	for _, g := range testGames(t)[:3] {
		t.Run(g.String(), func(t *testing.T) {
			w := ready(t, g, "")
			cells := make([]game.Stone, w.rule.columns*w.rule.rows)
			tried, listed, loose := 0, 0, 0
			for seed := range uint64(1000) {
				rng := rand.New(rand.NewPCG(seed, 16))
				if seed%4 == 0 {
					scatter(&w.board, cells, rng)
				} else {
					cross(&w.board, cells, rng)
				}
				w.turn = game.Side(rng.IntN(2))
				foe := w.turn.Other()
				if _, ok := w.settled(0); ok || won(&w.board) || w.counts[foe][makesFive] > 0 || w.counts[foe][openFours] == 0 {
					continue
				}
				tried++
				list := &w.lists[0]
				loose += w.lineDefences(list, openFours)
				n := w.exactDefences(list)
				listed += n
				everyStone(t, w, list[:n], seed)
			}
			t.Log(tried, listed, loose)
			if tried < 50 || listed*2 >= loose {
				t.Errorf("%d positions, %d stones, %d in their lines", tried, listed, loose)
			}
		})
	}
}

// everyStone compares the list with what each stone leaves the enemy. Of renju's black it may list more: a stone may make
// a cell allowed that was not.
func everyStone(t *testing.T, w *worker, list []scored, seed uint64) {
	t.Helper()
	me, foe := w.turn, w.turn.Other()
	var in zone
	for _, m := range list {
		in.add(int(m.cell))
	}
	nothing := true
	w.each(func(c int) {
		if w.stones[c] != codeEmpty {
			return
		}
		four := w.cells[c].class[me] >= makesFour
		w.play(c)
		stops := four || w.counts[foe][makesFive]+w.counts[foe][openFours] == 0
		w.undo()
		nothing = nothing && !stops
		if stops != in.has(c) && (stops || len(list) > 1 && !w.rule.side[foe].renju) {
			t.Fatalf("seed %d: the stone on %d stops an open four: %v, listed: %v", seed, c, stops, in.has(c))
		}
	})
	if nothing && len(list) != 1 && !w.rule.side[foe].renju {
		t.Fatalf("seed %d: nothing stops an open four, but %d stones are listed", seed, len(list))
	}
}
