// SPDX-License-Identifier: Apache-2.0

package mnk

import "math/bits"

// far is how many stones a line lacks at least to be told apart no more.
const far = 9

// block is what 64 lines hold, a bit for each:
//
//	live      . . 1 1 . 1     lines that a side can still complete
//	lack[1]   . . . . . 1     of them, those where it lacks one stone
//	lack[2]   . . 1 . . .     two
//	lack[far] . . . 1 . .     nine or more
//
// A line lives for a side while the other has no stone on it and nobody has closed it. lack goes on naming lines
// that have died.
type block struct {
	live [2]uint64
	lack [2][far + 1]uint64
}

// lacking returns the live lines on which s lacks n stones.
func (k *block) lacking(s side, n int) uint64 { return k.live[s] & k.lack[s][n] }

// kill takes lines out of those that live for s.
func (k *block) kill(s side, lines uint64) { k.live[s] &^= lines }

// add notes that s has put a stone on the lines x of block i.
func (b *board) add(i int, s side, x uint64) {
	lack := &b.now.blocks[i].lack[s]
	for n := 2; n < min(far, b.k+1); n++ {
		m := lack[n] & x
		lack[n] ^= m
		lack[n-1] |= m
	}
	for m := lack[far] & x; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros64(m); b.lines[i<<6+l].minus(b.now.stones[s]).count() < far {
			lack[far] ^= 1 << l
			lack[far-1] |= 1 << l
		}
	}
}

// A line to be completed counts half as much with each stone that it lacks; far is taken for nine, which is no
// less than it should be.
const (
	whole = 1 << far
	half  = whole / 2
)

// sum returns what all the live lines of s count.
func (b *board) sum(s side) uint32 {
	sum := 0
	for i := range b.now.blocks {
		k := &b.now.blocks[i]
		for n := 1; n <= min(far, b.k); n++ {
			sum += bits.OnesCount64(k.lacking(s, n)) << (far - n)
		}
	}
	return uint32(sum)
}

// worth returns what the live lines of s through c count.
func (b *board) worth(c int, s side) uint32 {
	sum := 0
	for i := range b.now.blocks {
		k := &b.now.blocks[i]
		if x := b.through[c*b.blocks+i] & k.live[s]; x != 0 {
			for n := 1; n <= min(far, b.k); n++ {
				sum += bits.OnesCount64(x&k.lack[s][n]) << (far - n)
			}
		}
	}
	return uint32(sum)
}

// cellsOf returns the cells of the lines m of block i.
func (b *board) cellsOf(i int, m uint64) (cells set) {
	for ; m != 0; m &= m - 1 {
		cells = cells.or(b.lines[i<<6+bits.TrailingZeros64(m)])
	}
	return cells
}
