// SPDX-License-Identifier: Apache-2.0

package connect4

import "math/bits"

// board is a set of cells, column by column from the lowest bit. Each column has a spare bit on top, so that no line continues
// from one column into the next. Columns are stride bits apart. On boards of at most eight columns and seven rows the stride is
// 8, because one instruction can then mirror the board.
//
//	row 6    6 14 22 30 38 46 54    spare, always 0
//	row 5    5 13 21 29 37 45 53
//	 ...
//	row 0    0  8 16 24 32 40 48    stride 8, 7 x 6
//
// wideBoard is the same set in two words, with the same methods. Code that uses only these methods is written once, for the
// type board; the program gen.go makes a copy of it for the type wideBoard.
type (
	board     uint64
	wideBoard struct{ low, high uint64 }
)

const boardBits, wideBoardBits = 64, 128

// bit returns the set of one cell.

func (b board) and(c board) board    { return b & c }
func (b board) or(c board) board     { return b | c }
func (b board) xor(c board) board    { return b ^ c }
func (b board) not(c board) board    { return b &^ c }
func (b board) plus(c board) board   { return b + c }
func (b board) minus(c board) board  { return b - c }
func (b board) up(n uint) board      { return b << n }
func (b board) down(n uint) board    { return b >> n }
func (b board) empty() bool          { return b == 0 }
func (b board) many() bool           { return b&(b-1) != 0 }
func (b board) lowest() board        { return b & -b }
func (b board) rest() board          { return b & (b - 1) } // b without its lowest cell
func (b board) below() board         { return b&-b - 1 }    // the bits below the lowest cell of b
func (b board) count() int           { return bits.OnesCount64(uint64(b)) }
func (b board) first() int           { return bits.TrailingZeros64(uint64(b)) & 63 }
func (b board) less(than board) bool { return b < than }

func wideBit(n int) wideBoard {
	if n < 64 {
		return wideBoard{low: 1 << n}
	}
	return wideBoard{high: 1 << (n & 63)}
}

func (b wideBoard) and(c wideBoard) wideBoard { return wideBoard{b.low & c.low, b.high & c.high} }
func (b wideBoard) or(c wideBoard) wideBoard  { return wideBoard{b.low | c.low, b.high | c.high} }
func (b wideBoard) xor(c wideBoard) wideBoard { return wideBoard{b.low ^ c.low, b.high ^ c.high} }
func (b wideBoard) not(c wideBoard) wideBoard { return wideBoard{b.low &^ c.low, b.high &^ c.high} }

func (b wideBoard) plus(c wideBoard) wideBoard {
	low, carry := bits.Add64(b.low, c.low, 0)
	return wideBoard{low, b.high + c.high + carry}
}

func (b wideBoard) minus(c wideBoard) wideBoard {
	low, borrow := bits.Sub64(b.low, c.low, 0)
	return wideBoard{low, b.high - c.high - borrow}
}

// up and down shift by any n without an if statement. In Go a shift by 64 or more gives 0. If n is less than 64, the
// unsigned number n-64 is very large, so that a shift by n-64 also gives 0.
func (b wideBoard) up(n uint) wideBoard {
	return wideBoard{b.low << n, b.high<<n | b.low>>(64-n) | b.low<<(n-64)}
}

func (b wideBoard) down(n uint) wideBoard {
	return wideBoard{b.low>>n | b.high<<(64-n) | b.high>>(n-64), b.high >> n}
}

// rise and sink do what up and down do, with fewer instructions. They are only for n from 1 to 63.
func (b wideBoard) rise(n uint) wideBoard {
	return wideBoard{b.low << (n & 63), b.high<<(n&63) | b.low>>(-n&63)}
}

func (b wideBoard) sink(n uint) wideBoard {
	return wideBoard{b.low>>(n&63) | b.high<<(-n&63), b.high >> (n & 63)}
}

func (b wideBoard) empty() bool       { return b.low|b.high == 0 }
func (b wideBoard) many() bool        { return !b.rest().empty() }
func (b wideBoard) lowest() wideBoard { return b.not(b.rest()) }
func (b wideBoard) rest() wideBoard   { return b.and(b.minus(wideBoard{low: 1})) }
func (b wideBoard) below() wideBoard  { return b.lowest().minus(wideBoard{low: 1}) }
func (b wideBoard) count() int        { return bits.OnesCount64(b.low) + bits.OnesCount64(b.high) }

func (b wideBoard) first() int {
	if b.low != 0 {
		return bits.TrailingZeros64(b.low)
	}
	return (64 + bits.TrailingZeros64(b.high)) & 127
}

func (b wideBoard) less(than wideBoard) bool {
	return b.high < than.high || b.high == than.high && b.low < than.low
}

// narrow returns the part of b that fits into a board. wideNarrow, its counterpart for wide boards, returns all of b.
func narrow(b wideBoard) board         { return board(b.low) }
func wideNarrow(b wideBoard) wideBoard { return b }

// wins returns the cells, empty or not, on which one more stone completes k in a row with the stones of b. Some of them may be
// spare bits.
func (g *geometry) wins(b board) board {
	switch {
	case g.k != 4:
		return g.winsAny(b)
	case !g.quick:
		return around(b, 1) | around(b, g.shifts[1]) | around(b, g.shifts[2]) | around(b, g.shifts[3])
	}
	return b<<1&(b<<2)&(b<<3) | around(b, 7) | around(b, 8) | around(b, 9)
}

// around returns the cells that complete four in a line with the stones of b. Cells next to each other on the line are s bits
// apart. The three stones are either all on one side of the returned cell, or two are on one side and one is on the other.
func around(b board, s uint) board {
	p := b << s & (b << (2 * s))
	q := b >> s & (b >> (2 * s))
	return p&(b<<(3*s)|b>>s) | q&(b>>(3*s)|b<<s)
}

func (g *geometry) hasLine(b board) bool {
	if !g.quick {
		return g.hasLineAny(b)
	}
	return fours(b) != 0
}

func (g *geometry) hasLines(b, c board) bool {
	if !g.quick {
		return g.hasLineAny(b) || g.hasLineAny(c)
	}
	return fours(b)|fours(c) != 0
}

// fours returns a set that contains one cell of each row of four stones in b.
func fours(b board) board {
	v := b & (b >> 1)
	x := b & (b >> 7)
	y := b & (b >> 8)
	z := b & (b >> 9)
	return v&(v>>2) | x&(x>>14) | y&(y>>16) | z&(z>>18)
}

func (g *geometry) mirror(b board) board {
	if g.stride == 8 {
		return board(bits.ReverseBytes64(uint64(b)) >> (64 - 8*uint(g.columns)))
	}
	return g.mirrorAny(b)
}

func (g *wideGeometry) wins(b wideBoard) wideBoard {
	if !g.quick {
		return g.winsAny(b)
	}
	var r wideBoard
	for _, s := range g.shifts {
		up, down := b.rise(s), b.sink(s)
		p := up.and(up.rise(s))
		q := down.and(down.sink(s))
		r = r.or(p.and(up.rise(2 * s).or(down))).or(q.and(down.sink(2 * s).or(up)))
	}
	return r
}

func (g *wideGeometry) hasLine(b wideBoard) bool {
	if !g.quick {
		return g.hasLineAny(b)
	}
	var r wideBoard
	for _, s := range g.shifts {
		two := b.and(b.sink(s))
		r = r.or(two.and(two.sink(2 * s)))
	}
	return !r.empty()
}

func (g *wideGeometry) hasLines(b, c wideBoard) bool { return g.hasLine(b) || g.hasLine(c) }

func (g *wideGeometry) mirror(b wideBoard) wideBoard {
	if g.stride > 63 {
		return g.mirrorAny(b)
	}
	var r wideBoard
	for range g.columns {
		r = r.rise(g.stride).or(b.and(g.column[0]))
		b = b.sink(g.stride)
	}
	return r
}
