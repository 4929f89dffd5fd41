// SPDX-License-Identifier: Apache-2.0

package proof

import "math/bits"

// set is a set of cells, column + row*columns, row 0 at the bottom.
type set struct{ lo, hi uint64 }

// one holds a cell; a shift by 64 or more leaves nothing.
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

// board is stones on a rectangle, and the lines of k cells.
type board struct {
	columns, rows, k int
	all              set
	lines            []set // those of a row, column or diagonal one after the other
	stones           [2]set
}

func newBoard(columns, rows, k int) *board {
	b := &board{columns: columns, rows: rows, k: k}
	for c := range columns * rows {
		b.all = b.all.or(one(c))
	}
	for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		for c := range columns * rows {
			x, y := c%columns, c/columns
			for first := !b.on(x-d[0], y-d[1]); first && b.on(x+d[0]*(k-1), y+d[1]*(k-1)); x, y = x+d[0], y+d[1] {
				var line set
				for i := range k {
					line = line.or(one(x + d[0]*i + (y+d[1]*i)*columns))
				}
				b.lines = append(b.lines, line)
			}
		}
	}
	return b
}

func (b *board) on(x, y int) bool { return x >= 0 && x < b.columns && y >= 0 && y < b.rows }

// image returns where symmetry s takes cell c: bit 0 mirrors the columns, bit 1 the rows, bit 2 swaps them, on square
// boards only.
func (b *board) image(c, s int) int {
	x, y := c%b.columns, c/b.columns
	if s&1 != 0 {
		x = b.columns - 1 - x
	}
	if s&2 != 0 {
		y = b.rows - 1 - y
	}
	if s&4 != 0 && b.columns == b.rows {
		x, y = y, x
	}
	return x + y*b.columns
}
