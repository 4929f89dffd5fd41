// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
)

// TestKeyHoldsEveryNumber: every number of a small board fits into its bits of a key. A greater number would change the bits of
// its neighbour, and two positions might have the same key.
func TestKeyHoldsEveryNumber(t *testing.T) {
	for index, n := range numbers {
		if n >= 1<<boardBits {
			t.Fatalf("board %d has number %d", index, n)
		}
	}
	for i := range 9 {
		k := key{}
		k.change(i, 1<<boardBits-1)
		for j := range 9 {
			l := key{a: 1 << 63}
			if l.change(j, 1<<boardBits-1); i != j && (k.a&l.a != 0 || k.b&l.b != 0) {
				t.Errorf("boards %d and %d share bits", i, j)
			}
		}
	}
}

// TestIncrementalStateEqualsFresh compares the state and the key that are updated move by move with newly computed ones.
func TestIncrementalStateEqualsFresh(t *testing.T) {
	for variant := range 4 {
		r := ultimate.Rules{Draw: ultimate.DrawRule(variant & 1), Open: variant > 1}
		for seed := range 100 {
			dice := rng.Rand(seed)
			var moves [ultimate.Moves]uint8
			s := newState(ultimate.NewBoard(r))
			for k := s.key(1); s.Result == game.Ongoing; {
				m := moves[dice.Below(s.List(&moves))]
				next := s
				next.playMove(m)
				if fresh := newState(next.Board); fresh != next {
					t.Fatalf("%v, seed %d: %+v, want %+v", r, seed, next, fresh)
				}
				if k = k.child(&s, &next, m); k != next.key(1) {
					t.Fatalf("%v, seed %d: key %v, want %v: %+v", r, seed, k, next.key(1), next)
				}
				s = next
			}
		}
	}
}
