// SPDX-License-Identifier: Apache-2.0

package connect4

import "math/bits"

// board is a set of cells, column by column from the lowest bit, each column with a bit to spare on top that
// keeps lines from running over into the next. Columns are stride bits apart; where all fits into eight
// columns of eight bits the stride is 8, since then one instruction mirrors the board.
//
//	row 6    6 14 22 30 38 46 54    spare, always 0
//	row 5    5 13 21 29 37 45 53
//	 ...
//	row 0    0  8 16 24 32 40 48    stride 8, 7 x 6
//
// wideBoard is the same in two words, and whatever is written with board's methods alone is made for it too:
// see wide_test.go.
type board uint64

const boardBits = 64

// bit returns the set of one cell.
func bit(n int) board { return 1 << (n & 63) }

func (b board) and(c board) board    { return b & c }
func (b board) or(c board) board     { return b | c }
func (b board) not(c board) board    { return b &^ c }
func (b board) plus(c board) board   { return b + c }
func (b board) minus(c board) board  { return b - c }
func (b board) up(n uint) board      { return b << n }
func (b board) down(n uint) board    { return b >> n }
func (b board) empty() bool          { return b == 0 }
func (b board) many() bool           { return b&(b-1) != 0 }
func (b board) lowest() board        { return b & -b }
func (b board) rest() board          { return b & (b - 1) } // without the lowest
func (b board) below() board         { return b&-b - 1 }    // the bits below the lowest
func (b board) count() int           { return bits.OnesCount64(uint64(b)) }
func (b board) first() int           { return bits.TrailingZeros64(uint64(b)) & 63 }
func (b board) less(than board) bool { return b < than }

// narrow returns the lower word of a set; the other one is empty where board is all it takes.
func narrow(b wideBoard) board { return board(b.low) }

// wins returns the cells that complete k in a row of b, whether they are empty or not; some may be spare.
func (g *geometry) wins(b board) board {
	if !g.quick {
		return g.winsAny(b)
	}
	r := b << 1 & (b << 2) & (b << 3)
	r |= around7(b) | around8(b) | around9(b)
	return r
}

// around8 returns the cells that complete four in a line of cells 8 bits apart: three on one side, or two on
// one and one on the other.
func around8(b board) board {
	p := b << 8 & (b << 16)
	q := b >> 8 & (b >> 16)
	return p&(b<<24|b>>8) | q&(b>>24|b<<8)
}

func around7(b board) board {
	p := b << 7 & (b << 14)
	q := b >> 7 & (b >> 14)
	return p&(b<<21|b>>7) | q&(b>>21|b<<7)
}

func around9(b board) board {
	p := b << 9 & (b << 18)
	q := b >> 9 & (b >> 18)
	return p&(b<<27|b>>9) | q&(b>>27|b<<9)
}

// hasLine says whether b holds k in a row.
func (g *geometry) hasLine(b board) bool {
	if !g.quick {
		return g.hasLineAny(b)
	}
	return fours(b) != 0
}

// hasLines says whether b or c holds k in a row.
func (g *geometry) hasLines(b, c board) bool {
	if !g.quick {
		return g.hasLineAny(b) || g.hasLineAny(c)
	}
	return fours(b)|fours(c) != 0
}

// fours returns a cell of each four in a row.
func fours(b board) board {
	v := b & (b >> 1)
	x := b & (b >> 7)
	y := b & (b >> 8)
	z := b & (b >> 9)
	return v&(v>>2) | x&(x>>14) | y&(y>>16) | z&(z>>18)
}

// mirror returns b with the columns in reverse.
func (g *geometry) mirror(b board) board {
	if g.stride == 8 {
		return board(bits.ReverseBytes64(uint64(b)) >> (64 - 8*uint(g.columns)))
	}
	return g.mirrorAny(b)
}
