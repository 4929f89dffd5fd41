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
