// SPDX-License-Identifier: Apache-2.0

package ultimate

import "github.com/krow-lab/krow/internal/rng"

// The key of a position is the exclusive or of a random number for each stone, each won small board and the
// forced board, and of keySecond when Second is to move. CITE: Zobrist, A New Hashing Method with
// Application for Game Playing, 1970.
var (
	stoneKeys  [2][cells]uint64
	wonKeys    [2][boards]uint64
	forcedKeys [free + 1]uint64 // 0 for free, as at the start
)

const keySecond = rng.Golden

func init() {
	n := uint64(0)
	next := func() uint64 {
		n++
		return rng.Nth(n)
	}
	for s := range stoneKeys {
		for m := range stoneKeys[s] {
			stoneKeys[s][m] = next()
		}
		for b := range wonKeys[s] {
			wonKeys[s][b] = next()
		}
	}
	for b := range free {
		forcedKeys[b] = next()
	}
}
