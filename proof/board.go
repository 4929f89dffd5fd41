// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// set is a set of cells, column + row*columns, row 0 at the bottom.
type set [2]uint64

func (s *set) add(c int)     { s[c>>6] |= 1 << (c & 63) }
func (s *set) remove(c int)  { s[c>>6] &^= 1 << (c & 63) }
func (s set) has(c int) bool { return s[c>>6]>>(c&63)&1 != 0 }
func (s set) or(t set) set   { return set{s[0] | t[0], s[1] | t[1]} }
func (s set) and(t set) set  { return set{s[0] & t[0], s[1] & t[1]} }
func (s set) meets(t set) bool {
	return s[0]&t[0]|s[1]&t[1] != 0
}

// left returns how many cells of s are not in t.
func (s set) left(t set) int { return bits.OnesCount64(s[0]&^t[0]) + bits.OnesCount64(s[1]&^t[1]) }

func (s set) count() int { return s.left(set{}) }

// pop removes the lowest cell and returns it; the set must not be empty.
func (s *set) pop() int {
	i := 0
	if s[0] == 0 {
		i = 1
	}
	c := bits.TrailingZeros64(s[i])
	s[i] &= s[i] - 1
	return i<<6 + c
}

// board is the rules: stones on a rectangle, the lines of k cells, and which cells may be played.
type board struct {
	columns, rows, k int
	gravity          bool
	lines            []set
	through          [][]set // the lines through each cell
	images           [][]int // where each symmetry takes each cell
	stones           [2]set
}

func newBoard(columns, rows, k int, gravity bool) *board {
	b := &board{columns: columns, rows: rows, k: k, gravity: gravity, through: make([][]set, columns*rows)}
	for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		for c := range columns * rows {
			x, y := c%columns, c/columns
			// From the first cell of each row that way, so that neighbouring lines follow each other.
			for first := !b.on(x-d[0], y-d[1]); first && b.on(x+d[0]*(k-1), y+d[1]*(k-1)); x, y = x+d[0], y+d[1] {
				b.addLine(x, y, d[0], d[1])
			}
		}
	}
	for s := range 8 {
		if s&4 != 0 && (gravity || columns != rows) || s&2 != 0 && gravity {
			continue
		}
		b.images = append(b.images, b.image(s))
	}
	return b
}

func (b *board) on(x, y int) bool { return x >= 0 && x < b.columns && y >= 0 && y < b.rows }

func (b *board) addLine(x, y, dx, dy int) {
	var l set
	for i := range b.k {
		l.add(x + dx*i + (y+dy*i)*b.columns)
	}
	b.lines = append(b.lines, l)
	for rest := l; rest != (set{}); {
		c := rest.pop()
		b.through[c] = append(b.through[c], l)
	}
}

// image returns where symmetry s takes the cells: bit 0 mirrors the columns, bit 1 the rows, bit 2 swaps them.
func (b *board) image(s int) []int {
	to := make([]int, b.columns*b.rows)
	for c := range to {
		x, y := c%b.columns, c/b.columns
		if s&1 != 0 {
			x = b.columns - 1 - x
		}
		if s&2 != 0 {
			y = b.rows - 1 - y
		}
		if s&4 != 0 {
			x, y = y, x
		}
		to[c] = x + y*b.columns
	}
	return to
}

// free returns the cells that may be played.
func (b *board) free() set {
	var free set
	taken := b.stones[0].or(b.stones[1])
	for c := range b.through {
		if !taken.has(c) && (!b.gravity || c < b.columns || taken.has(c-b.columns)) {
			free.add(c)
		}
	}
	return free
}

// winning returns the free cells that complete a line of s.
func (b *board) winning(s game.Side, free set) set {
	var w set
	for rest := free; rest != (set{}); {
		c := rest.pop()
		for _, l := range b.through[c] {
			if l.left(b.stones[s]) == 1 {
				w.add(c)
				break
			}
		}
	}
	return w
}

// won says whether s has a line.
func (b *board) won(s game.Side) bool {
	for _, l := range b.lines {
		if l.left(b.stones[s]) == 0 {
			return true
		}
	}
	return false
}
