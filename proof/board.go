// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/krow-lab/krow/game"
)

// set is a set of cells, column + row*columns, row 0 at the bottom.
type set struct{ lo, hi uint64 }

// one holds a cell; a shift by 64 or more leaves nothing.
func one(c int) set { return set{1 << uint(c), 1 << (uint(c) - 64)} }

func (s set) or(t set) set    { return set{s.lo | t.lo, s.hi | t.hi} }
func (s set) and(t set) set   { return set{s.lo & t.lo, s.hi & t.hi} }
func (s set) minus(t set) set { return set{s.lo &^ t.lo, s.hi &^ t.hi} }
func (s set) up(n uint) set   { return set{s.lo << n, s.hi<<n | s.lo>>(64-n) | s.lo<<(n-64)} }
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
	falls            bool // a stone comes to rest on another one, or on the ground
	all              set
	upright          []set // the columns, the center first
	lines            []set // those of a row, column or diagonal one after the other
	stones           [2]set
}

func newBoard(columns, rows, k int, falls bool) *board {
	b := &board{columns: columns, rows: rows, k: k, falls: falls, upright: make([]set, columns)}
	for c := range columns * rows {
		b.all = b.all.or(one(c))
		b.upright[c%columns] = b.upright[c%columns].or(one(c))
	}
	slices.SortStableFunc(b.upright, func(s, t set) int {
		off := func(s set) int { x := 2*s.pop() + 1 - columns; return max(x, -x) }
		return cmp.Compare(off(s), off(t))
	})
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

// free returns the cells that can be played.
func (b *board) free() set {
	empty := b.all.minus(b.stones[0]).minus(b.stones[1])
	if b.falls {
		return empty.minus(empty.up(uint(b.columns)))
	}
	return empty
}

// won says whether a side has completed a line.
func (b *board) won() bool {
	return slices.ContainsFunc(b.lines, func(l set) bool {
		return l.minus(b.stones[game.First]).empty() || l.minus(b.stones[game.Second]).empty()
	})
}

// moved returns the image of cells: bit 0 of symmetry mirrors the columns, bit 1 the rows, bit 2 swaps them, on
// square boards only.
func (b *board) moved(cells set, symmetry int) (image set) {
	for !cells.empty() {
		c := cells.pop()
		x, y := c%b.columns, c/b.columns
		if symmetry&1 != 0 {
			x = b.columns - 1 - x
		}
		if symmetry&2 != 0 {
			y = b.rows - 1 - y
		}
		if symmetry&4 != 0 && b.columns == b.rows {
			x, y = y, x
		}
		image = image.or(one(x + y*b.columns))
	}
	return image
}
