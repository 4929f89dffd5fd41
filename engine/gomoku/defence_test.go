// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
)

// TestDefencesListEveryStoneThatStops tries every stone against an open four: the list holds those that stop it, and no other.
func TestDefencesListEveryStoneThatStops(t *testing.T) {
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
				loose += w.lineDefences(list)
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

// everyStone compares the list with the enemy's threats after each stone. Against renju's black the list may hold more moves: a
// stone may make a forbidden cell an allowed one.
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
		w.playStone(c)
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

// TestMovesLeftOutLose checks with the prover, which leaves out no defence, every rule by which the engine leaves out moves as
// lost, and every position that it settles without a search: after each such move the enemy wins by fours.
func TestMovesLeftOutLose(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	positions := uint64(300)
	if os.Getenv("KROW_LONG") == "1" {
		positions = 60_000
	}
	for _, g := range testGames(t) {
		t.Run(g.String(), func(t *testing.T) {
			w := ready(t, g, "")
			cells := make([]game.Stone, w.rule.columns*w.rule.rows)
			tried := map[string]int{}
			for seed := range positions {
				rng := rand.New(rand.NewPCG(seed, 17))
				if seed%2 == 0 {
					scatter(&w.board, cells, rng)
				} else {
					cross(&w.board, cells, rng)
				}
				w.turn = game.Side(rng.IntN(2))
				if !won(&w.board) {
					tried[leftOutLose(t, w, seed)]++
				}
			}
			t.Log(tried)
			if tried["win"] < 20 || tried["five"] < 5 || tried["open four"] < 5 {
				t.Errorf("positions by what the engine says of them: %v", tried)
			}
		})
	}
}

// leftOutLose checks one position, and returns the name of the engine's rule for it.
func leftOutLose(t *testing.T, w *worker, seed uint64) string {
	t.Helper()
	foe, list := w.turn.Other(), &w.lists[0]
	n, what := 0, "nothing"
	switch v, settled := w.settled(0); {
	case settled && v > 0:
		if !w.rule.side[0].blocked && !w.winsByFours() { // in caro such a win is an opinion
			t.Fatalf("seed %d: %v is said to win, but not by fours, on%s", seed, w.turn, w.picture())
		}
		return "win"
	case settled:
		what = "fives"
	case w.counts[foe][makesFive] > 0:
		n, what = w.blocks(list), "five"
	case w.counts[foe][openFours] > 0:
		n, what = w.generate(list), "open four"
	default:
		near := w.near
		near.join(&w.hot[0])
		near.join(&w.hot[1])
		all := w.list(list, &near)
		if n = w.generate(list); n >= all {
			return what
		}
		what = "another threat"
	}
	var in zone
	for _, m := range list[:n] {
		in.add(int(m.cell))
	}
	w.each(func(c int) {
		if w.stones[c] != codeEmpty || in.has(c) || !w.mayPlay(c) {
			return
		}
		w.playStone(c)
		if !w.winsByFours() {
			t.Fatalf("seed %d: the last move of %v is left out because of %s, but does not lose to fours on%s", seed, foe.Other(), what, w.picture())
		}
		w.undo()
	})
	return what
}

func (w *worker) winsByFours() bool {
	w.proof.budget = w.visited + 20_000
	return w.byFours(0) > 0
}

// picture draws the board, the last row first.
func (b *board) picture() string {
	var s strings.Builder
	for y := b.rule.rows - 1; y >= 0; y-- {
		s.WriteString("\n")
		for x := range b.rule.columns {
			s.WriteString(" " + string(".XO"[b.stones[b.cellAt(x, y)]]))
		}
	}
	return s.String()
}
