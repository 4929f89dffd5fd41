// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"math/bits"
	"math/rand/v2"
)

// set is a set of cells: cell column + row*columns is bit 0 to 63 of the first word, or of the second.
type set [2]uint64

func (s *set) add(c int)      { s[c>>6] |= 1 << (c & 63) }
func (s *set) remove(c int)   { s[c>>6] &^= 1 << (c & 63) }
func (s set) has(c int) bool  { return s[c>>6]>>(c&63)&1 != 0 }
func (s set) empty() bool     { return s[0]|s[1] == 0 }
func (s set) count() int      { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }
func (s set) and(t set) set   { return set{s[0] & t[0], s[1] & t[1]} }
func (s set) or(t set) set    { return set{s[0] | t[0], s[1] | t[1]} }
func (s set) minus(t set) set { return set{s[0] &^ t[0], s[1] &^ t[1]} }

// first returns the lowest cell; the set must not be empty.
func (s set) first() int {
	if s[0] != 0 {
		return bits.TrailingZeros64(s[0])
	}
	return 64 + bits.TrailingZeros64(s[1])
}

// pop removes the lowest cell and returns it.
func (s *set) pop() int {
	c := s.first()
	s.remove(c)
	return c
}

// status is what a cell contributes to the key; an empty cell with a line still open contributes nothing.
type status int

const (
	ownedA status = iota // the attacker's stone, on a line still open to him
	ownedD               // the defender's
	dead                 // on no open line: whether a stone stands there, and whose, is all the same
)

// symmetries is how many keys a position has: one for each turn or mirror image of the board.
const symmetries = 8

// geometry is a board without stones. It is immutable.
type geometry struct {
	columns, rows, k int
	cells            int
	all              set
	lines            []set    // every k cells in a row, by number; those of a row, column or diagonal one after the other
	members          []uint8  // the cells of line l: members[l*k : l*k+k]
	through          [][]line // the lines through each cell
	keys             [][3][symmetries]uint64
}

// line is the number of a line.
type line uint16

func newGeometry(columns, rows, k int) *geometry {
	g := &geometry{columns: columns, rows: rows, k: k, cells: columns * rows}
	g.through = make([][]line, g.cells)
	for c := range g.cells {
		g.all.add(c)
	}
	for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		for c := range g.cells {
			g.addRun(c, d[0], d[1])
		}
	}
	g.hash()
	return g
}

// addRun adds the lines in steps of dx, dy that start from c on, if no cell comes before c that way.
func (g *geometry) addRun(c, dx, dy int) {
	x, y := c%g.columns, c/g.columns
	if g.on(x-dx, y-dy) || g.k == 1 && (dx != 1 || dy != 0) {
		return // one cell is the same line in every direction
	}
	for ; g.on(x+dx*(g.k-1), y+dy*(g.k-1)); x, y = x+dx, y+dy {
		g.addLine(x, y, dx, dy)
	}
}

func (g *geometry) on(x, y int) bool { return x >= 0 && x < g.columns && y >= 0 && y < g.rows }

func (g *geometry) addLine(x, y, dx, dy int) {
	l := line(len(g.lines))
	var cells set
	for i := range g.k {
		c := x + dx*i + (y+dy*i)*g.columns
		cells.add(c)
		g.members = append(g.members, uint8(c))
		g.through[c] = append(g.through[c], l)
	}
	g.lines = append(g.lines, cells)
}

func (g *geometry) line(l line) []uint8 { return g.members[int(l)*g.k : int(l)*g.k+g.k] }

// hash draws the keys: that of a cell under symmetry s is the key of where s takes it.
func (g *geometry) hash() {
	rng := rand.New(rand.NewPCG(uint64(g.columns)<<16|uint64(g.rows)<<8|uint64(g.k), 0x6b726f77))
	drawn := make([][3]uint64, g.cells)
	for c := range drawn {
		drawn[c] = [3]uint64{rng.Uint64(), rng.Uint64(), rng.Uint64()}
	}
	g.keys = make([][3][symmetries]uint64, g.cells)
	for c := range g.keys {
		for s := range symmetries {
			image := g.image(c, s)
			for st := range 3 {
				g.keys[c][st][s] = drawn[image][st]
			}
		}
	}
}

// image returns where symmetry s takes cell c: bit 0 mirrors the columns, bit 1 the rows, and bit 2 swaps them,
// on square boards only.
func (g *geometry) image(c, s int) int {
	x, y := c%g.columns, c/g.columns
	if s&1 != 0 {
		x = g.columns - 1 - x
	}
	if s&2 != 0 {
		y = g.rows - 1 - y
	}
	if s&4 != 0 && g.columns == g.rows {
		x, y = y, x
	}
	return x + y*g.columns
}
