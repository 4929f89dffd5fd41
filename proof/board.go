// SPDX-License-Identifier: Apache-2.0

package proof

import "math/bits"

// set is a set of cells. A cell has the number column + row*columns, where row 0 is at the bottom. Cells below 64 are bits of lo,
// and cell n from 64 on is bit n-64 of hi.
type set struct{ lo, hi uint64 }

// one returns the set that contains only cell c. In Go a shift by 64 or more gives 0, so only one of the two fields is not 0.
func one(c int) set { return set{1 << uint(c), 1 << (uint(c) - 64)} }

func (s set) or(t set) set    { return set{s.lo | t.lo, s.hi | t.hi} }
func (s set) and(t set) set   { return set{s.lo & t.lo, s.hi & t.hi} }
func (s set) minus(t set) set { return set{s.lo &^ t.lo, s.hi &^ t.hi} }
func (s set) empty() bool     { return s == set{} }
func (s set) has(c int) bool  { return !s.and(one(c)).empty() }
func (s set) count() int      { return bits.OnesCount64(s.lo) + bits.OnesCount64(s.hi) }

// pop removes the lowest cell and returns it; the set must not be empty.
func (s *set) pop() int {
	c := bits.TrailingZeros64(s.lo)
	if c == 64 {
		c += bits.TrailingZeros64(s.hi)
	}
	*s = s.minus(one(c))
	return c
}

// state is the part of a board that changes with each move.
type state struct {
	stones [2]set
	free   set    // the cells on which a stone can be placed now
	gaps   [2]set // by side: the empty cells on which a stone completes a line
	// sum is, by side, the total weight of the lines that the side can still complete, because they contain no stone of the other
	// side.
	sum [2]uint64
}

// part describes one part of a proof. The part shows that one of the sides, the prover, reaches a goal against every play of
// the other side, the opponent.
type part struct {
	prover int
	wins   bool // the prover's goal is to win; false means not to lose
	weak   bool // the prover only breaks the opponent's lines, and his own lines do not count
}

// board contains stones on a rectangular board. Side 0 is the side to move in the position of the certificate.
type board struct {
	state
	part
	columns, rows, k int
	falls            bool            // whether a stone falls onto another stone or onto the ground
	all              set             // all cells of the board
	upright          []set           // the columns, the center first
	lines            []set           // all lines of k cells; lines of the same row, column or diagonal follow one another
	through          [maxCells][]set // by cell: the lines through it
	images           [][]int         // by symmetry of the board and by cell: the cell to which the symmetry maps it
	// If rate is 1, the weight of a line is halved for each stone that the line lacks. If stones fall, rate is 0, and all lines
	// have the same weight.
	rate int
}

func newBoard(columns, rows, k int, falls bool) *board {
	b := &board{columns: columns, rows: rows, k: k, falls: falls}
	for i := range columns {
		x, column := (columns-1)/2+(i+1)/2*(2*((i+columns)%2)-1), set{}
		for y := range rows {
			column = column.or(one(x + y*columns))
		}
		b.upright, b.all, b.free = append(b.upright, column), b.all.or(column), b.free.or(one(x))
	}
	if !falls {
		b.free, b.rate = b.all, 1
	}
	if k == 1 {
		b.gaps = [2]set{b.all, b.all}
	}
	for _, d := range directions {
		for c := range columns * rows {
			b.addLines(c%columns, c/columns, d[0], d[1])
		}
	}
	for s := 0; s < 2 || !falls && (s < 4 || s < 8 && columns == rows); s++ {
		b.images = append(b.images, b.image(s))
	}
	return b
}

func (b *board) on(x, y int) bool { return x >= 0 && x < b.columns && y >= 0 && y < b.rows }

// addLines adds all lines of k cells on the straight row of cells that begins at the cell x, y and continues in steps of dx,
// dy. If the cell before x, y is on the board, it adds nothing, because the call for the first cell of the row adds these
// lines.
func (b *board) addLines(x, y, dx, dy int) {
	first := !b.on(x-dx, y-dy)
	for ; first && b.on(x+dx*(b.k-1), y+dy*(b.k-1)); x, y = x+dx, y+dy {
		var line set
		for i := range b.k {
			line = line.or(one(x + dx*i + (y+dy*i)*b.columns))
		}
		b.lines = append(b.lines, line)
		for cells := line; !cells.empty(); {
			c := cells.pop()
			b.through[c] = append(b.through[c], line)
		}
		b.sum[0], b.sum[1] = b.sum[0]+b.weight(b.k), b.sum[1]+b.weight(b.k)
	}
}

// image returns, by cell, the cell to which a symmetry of the board maps it.
func (b *board) image(symmetry int) (to []int) {
	for c, n := 0, b.columns; c < n*b.rows; c++ {
		x, y := c%n, c/n
		left, up := n-1-x, b.rows-1-y // distances of the cell from the right edge and from the upper edge
		to = append(to, [8]int{x + y*n, left + y*n, x + up*n, left + up*n, y + x*n, y + left*n, up + x*n, up + left*n}[symmetry])
	}
	return to
}

// whole is the weight of a complete line, and weight returns the weight of a line that lacks n cells.
const whole = 1 << 50

func (b *board) weight(n int) uint64 { return whole >> (min(n, 40) * b.rate) }

// open reports whether side s can still complete line l. If weak is true, the lines of the prover do not count, and open
// returns false for them.
func (b *board) open(l set, s int) bool {
	return l.and(b.stones[1-s]).empty() && !(b.weak && s == b.prover)
}

func (b *board) put(s, c int) {
	o, stone := 1-s, one(c)
	b.stones[s] = b.stones[s].or(stone)
	b.gaps[0], b.gaps[1], b.free = b.gaps[0].minus(stone), b.gaps[1].minus(stone), b.free.minus(stone)
	if b.falls && b.on(0, c/b.columns+1) {
		b.free = b.free.or(one(c + b.columns))
	}
	for _, l := range b.through[c] {
		lacks := l.minus(b.stones[s])
		n := lacks.count()
		if n == b.k-1 { // side s now has one stone on the line, so side o can no longer complete it
			b.sum[o] -= b.weight(l.minus(b.stones[o]).count())
		}
		if b.open(l, s) {
			b.sum[s] += b.weight(n) - b.weight(n+1)
			if n == 1 {
				b.gaps[s] = b.gaps[s].or(lacks)
			}
		}
	}
}
