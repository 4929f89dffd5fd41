// SPDX-License-Identifier: Apache-2.0

package board

import (
	"math/bits"

	"github.com/krow-lab/krow/game/ultimate"
)

// Perft returns the number of sequences of depth moves; games that end sooner count for none. The last two
// plies are counted, not played.
func (b *Board) Perft(depth int) uint64 {
	switch depth {
	case 0:
		return 1
	case 1:
		return uint64(b.Count())
	case 2:
		return uint64(b.countTwo())
	}
	n := uint64(0)
	for open := b.Open(); open != 0; open &= open - 1 {
		small := uint8(bits.TrailingZeros16(open))
		for free := b.Free(int(small)); free != 0; free &= free - 1 {
			next := *b
			next.place(small, uint8(bits.TrailingZeros16(free)))
			n += next.Perft(depth - 1)
		}
	}
	return n
}

// countTwo returns the number of sequences of two moves. A move that closes no small board leaves the choices
// of the others as they are, so there is nothing to play.
func (b *Board) countTwo() int {
	n := 0
	all := -1 // cells free in open boards, once it is known
	for open := b.Open(); open != 0; open &= open - 1 {
		small := bits.TrailingZeros16(open)
		own, mine := b.Stones[b.Turn&1][small], b.Free(small)
		for free := mine; free != 0; free &= free - 1 {
			cell := bits.TrailingZeros16(free)
			switch {
			case ultimate.HasLine(own|free&-free) || mine&(mine-1) == 0:
				next := *b
				next.place(uint8(small), uint8(cell))
				n += next.Count()
			case cell == small:
				n += bits.OnesCount16(mine) - 1
			case b.Closed>>cell&1 == 0:
				n += bits.OnesCount16(b.Free(cell))
			default:
				if all < 0 {
					all = b.countOpen()
				}
				n += all - 1
			}
		}
	}
	return n
}
