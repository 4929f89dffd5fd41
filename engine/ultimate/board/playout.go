// SPDX-License-Identifier: Apache-2.0

package board

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

// pick[set][k] is the k-th member of a set of nine, counted from 0.
var pick = func() (t [Full + 1][16]uint8) {
	for set := range t {
		k := 0
		for c := range uint8(9) {
			if set>>c&1 != 0 {
				t[set][k] = c
				k++
			}
		}
	}
	return t
}()

// Random returns a random legal move of a game that is not over, each as likely as the others.
func (b *Board) Random(r *rng.Rand) uint8 {
	small, cell := b.random(r)
	return 9*small + cell
}

func (b *Board) random(r *rng.Rand) (small, cell uint8) {
	if i := b.Forced; i < Any {
		free := b.Free(int(i))
		return i, pick[free][r.Below(bits.OnesCount16(free))&15]
	}
	k := r.Below(b.Count())
	for open := Full &^ b.Closed; ; open &= open - 1 {
		i := bits.TrailingZeros16(open)
		free := b.Free(i)
		n := bits.OnesCount16(free)
		if k < n {
			return uint8(i), pick[free][k&15]
		}
		k -= n
	}
}

// Playout plays random moves to the end and returns how the game ended; b is a copy.
func (b Board) Playout(r *rng.Rand) game.Outcome {
	for b.Result == game.Ongoing {
		b.place(b.random(r))
	}
	return b.Result
}
