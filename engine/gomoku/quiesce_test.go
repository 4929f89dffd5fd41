// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/game"
)

// TestFoursSeenAreProved: if the search sees a win by fours, the prover proves one; and the test meets some such wins.
func TestFoursSeenAreProved(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, g := range testGames(t)[:4] {
		t.Run(g.String(), func(t *testing.T) {
			w, seen, longest := ready(t, g, ""), 0, 0
			cells := make([]game.Stone, w.rule.columns*w.rule.rows)
			for seed := range uint64(2000) {
				rng := rand.New(rand.NewPCG(seed, 15))
				scatter(&w.board, cells, rng)
				w.turn = game.Side(rng.IntN(2))
				if _, ok := w.settled(0); ok || won(&w.board) || w.counts[w.turn.Other()][makesFive] > 0 {
					continue
				}
				plies := w.fourByFour(0, 0)
				if plies == 0 {
					continue
				}
				seen++
				longest = max(longest, plies)
				w.proof.budget = w.visited + 200_000
				if proof := w.byFours(0); plies%2 == 0 || plies > 100 || proof == 0 {
					t.Fatalf("seed %d: a win in %d plies, in %d by the prover", seed, plies, proof)
				}
			}
			t.Log(seen, longest)
			if seen < 5 || longest < 11 {
				t.Errorf("%d wins seen, the longest of %d plies", seen, longest)
			}
		})
	}
}

// TestFoursThatCannotWin plays games in which each side plays the best-looking of a few random moves, and searches the fours
// that cannotWin leaves out.
func TestFoursThatCannotWin(t *testing.T) {
	for _, g := range testGames(t) {
		t.Run(g.String(), func(t *testing.T) {
			w, left, searched := ready(t, g, ""), 0, 0
			for seed := range uint64(400) {
				rng := rand.New(rand.NewPCG(seed, 17))
				for w.clear(); w.empty > 0 && w.plies < 120; {
					if !w.decided() {
						n, m := searchFours(t, w, seed)
						left, searched = left+n, searched+m
					}
					var list moveList
					n := w.generate(&list)
					if w.counts[w.turn.Other()][makesFive] > 0 {
						n = w.blocks(&list)
					}
					best := scored{score: -infinity}
					for range 4 {
						if m := list[rng.IntN(max(n, 1))]; n > 0 && m.score > best.score && w.mayPlay(int(m.cell)) {
							best = m
						}
					}
					if best.cell == 0 || w.cells[best.cell].class[w.turn] == makesFive {
						break
					}
					w.playStone(int(best.cell))
				}
			}
			t.Log(left, searched)
			if left == 0 || left == searched {
				t.Errorf("%d of %d fours are left out", left, searched)
			}
		})
	}
}

// searchFours searches all fours of the side to move, and returns the number of those that cannotWin leaves out, and of all. It
// tests the search for fours and the prover.
func searchFours(t *testing.T, w *worker, seed uint64) (left, searched int) {
	t.Helper()
	var fours moveList
	n := w.fours(&fours)
	for _, m := range fours[:n] {
		c := int(m.cell)
		if !w.mayPlay(c) {
			continue
		}
		w.proof.budget = w.visited + 200_000
		if w.cannotWin(c, fours[:n], w.proof.fours[:], 0, false) {
			if plies := w.fourAt(c, 0); plies > 0 {
				t.Fatalf("seed %d: the prover proves that the four on %d wins in %d plies", seed, c, plies)
			}
		}
		out := w.cannotWin(c, fours[:n], w.noVCF[:], laterFours, true)
		w.playStone(c)
		plies := w.afterFour(1, 1)
		w.undo()
		if searched++; out {
			left++
			if plies > 0 {
				t.Fatalf("seed %d: the four on %d wins in %d plies", seed, c, plies+1)
			}
		}
	}
	return left, searched
}

// won reports whether the board holds a winning row.
func won(b *board) (won bool) {
	b.each(func(c int) {
		s := b.stones[c]
		for _, step := range steps {
			n := 0
			for b.stones[c+n*step] == s && s != codeEmpty {
				n++
			}
			won = won || n >= b.rule.side[0].k
		}
	})
	return won
}
