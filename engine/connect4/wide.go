// SPDX-License-Identifier: Apache-2.0

package connect4

import "math/bits"

// wideBoard is board for up to 128 bits.
type wideBoard struct{ low, high uint64 }

const wideBoardBits = 128

func wideBit(n int) wideBoard {
	if n < 64 {
		return wideBoard{low: 1 << n}
	}
	return wideBoard{high: 1 << (n & 63)}
}

func (b wideBoard) and(c wideBoard) wideBoard { return wideBoard{b.low & c.low, b.high & c.high} }
func (b wideBoard) or(c wideBoard) wideBoard  { return wideBoard{b.low | c.low, b.high | c.high} }
func (b wideBoard) not(c wideBoard) wideBoard { return wideBoard{b.low &^ c.low, b.high &^ c.high} }

func (b wideBoard) plus(c wideBoard) wideBoard {
	low, carry := bits.Add64(b.low, c.low, 0)
	high, _ := bits.Add64(b.high, c.high, carry)
	return wideBoard{low, high}
}

func (b wideBoard) minus(c wideBoard) wideBoard {
	low, borrow := bits.Sub64(b.low, c.low, 0)
	high, _ := bits.Sub64(b.high, c.high, borrow)
	return wideBoard{low, high}
}

// up and down shift by any n: a shift by too much, or by less than nothing, which is a great deal, gives 0.
func (b wideBoard) up(n uint) wideBoard {
	return wideBoard{b.low << n, b.high<<n | b.low>>(64-n) | b.low<<(n-64)}
}

func (b wideBoard) down(n uint) wideBoard {
	return wideBoard{b.low>>n | b.high<<(64-n) | b.high>>(n-64), b.high >> n}
}

func (b wideBoard) empty() bool { return b.low|b.high == 0 }
func (b wideBoard) many() bool  { return !b.rest().empty() }

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

func wideNarrow(b wideBoard) wideBoard { return b }

// rise and sink are up and down by 1 to 63.
func (b wideBoard) rise(n uint) wideBoard {
	return wideBoard{b.low << (n & 63), b.high<<(n&63) | b.low>>(-n&63)}
}

func (b wideBoard) sink(n uint) wideBoard {
	return wideBoard{b.low>>(n&63) | b.high<<(-n&63), b.high >> (n & 63)}
}

// near says whether neighbours and their neighbours are less than 64 bits apart, and four in a row win.
func (g *wideGeometry) near() bool { return g.k == 4 && g.stride < 31 }

func (g *wideGeometry) wins(b wideBoard) wideBoard {
	if !g.near() {
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
	if !g.near() {
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
