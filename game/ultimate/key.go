// SPDX-License-Identifier: Apache-2.0

package ultimate

// The key of a position is the exclusive or of a random number for each stone, each won small board and the
// forced board, and of keySecond when Second is to move. CITE: Zobrist, A New Hashing Method with
// Application for Game Playing, 1970.
var (
	stoneKeys  [2][cells]uint64
	wonKeys    [2][boards]uint64
	forcedKeys [free + 1]uint64 // 0 for free, as at the start
)

const keySecond = 0x9e3779b97f4a7c15

func init() {
	n := uint64(0)
	next := func() uint64 {
		n++
		return hash(n)
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

// hash spreads x over 64 bits. CITE: Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014.
func hash(x uint64) uint64 {
	x = (x + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
