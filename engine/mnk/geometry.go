// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
)

// set is a set of cells. A cell has the number column + row*columns; numbers below 64 are bits of lo, and number n from
// 64 on is bit n-64 of hi.
type set struct{ lo, hi uint64 }

// one returns the set that contains only cell c. A shift by 64 or more gives 0, so only one of the two fields is not 0.
func one(c int) set { return set{1 << uint(c), 1 << (uint(c) - 64)} }

func (s *set) add(c int)      { *s = s.or(one(c)) }
func (s *set) remove(c int)   { *s = s.minus(one(c)) }
func (s set) has(c int) bool  { return !s.and(one(c)).empty() }
func (s set) empty() bool     { return s.lo|s.hi == 0 }
func (s set) count() int      { return bits.OnesCount64(s.lo) + bits.OnesCount64(s.hi) }
func (s set) several() bool   { return s.lo&(s.lo-1)|s.hi&(s.hi-1) != 0 || s.lo != 0 && s.hi != 0 }
func (s set) and(t set) set   { return set{s.lo & t.lo, s.hi & t.hi} }
func (s set) or(t set) set    { return set{s.lo | t.lo, s.hi | t.hi} }
func (s set) minus(t set) set { return set{s.lo &^ t.lo, s.hi &^ t.hi} }

// first returns the lowest cell; the set must not be empty.
func (s set) first() int {
	if s.lo != 0 {
		return bits.TrailingZeros64(s.lo)
	}
	return 64 + bits.TrailingZeros64(s.hi)
}

// pop removes the lowest cell and returns it; the set must not be empty.
func (s *set) pop() int {
	c := s.first()
	if s.lo != 0 {
		s.lo &= s.lo - 1
	} else {
		s.hi &= s.hi - 1
	}
	return c
}

// status determines how a cell contributes to the key: it is the side whose stone is on the cell, or dead for a cell on
// no live line, with or without a stone. An empty cell on a live line contributes nothing.
type status int

const dead status = 2

// symmetries is the number of keys of a position: one for each rotation and mirror image of the board.
const symmetries = 8

type geometry struct {
	columns, rows, k int
	cells            int
	all              set
	lines            []set    // each line is k cells in a row; lines of the same row, column or diagonal have consecutive indices
	blocks           int      // number of blocks; a block contains 64 lines
	through          []uint64 // bit sets of the lines through cell c, a word for each block: through[c*blocks : c*blocks+blocks]
	beside           [][]overlap
	keys             [][3][symmetries]uint64
}

func newGeometry(columns, rows, k int) *geometry {
	g := &geometry{columns: columns, rows: rows, k: k, cells: columns * rows}
	for c := range g.cells {
		g.all.add(c)
	}
	for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		for c := range g.cells {
			g.addLines(c%columns, c/columns, d[0], d[1])
		}
	}
	g.index()
	g.hash()
	return g
}

func (g *geometry) on(x, y int) bool { return x >= 0 && x < g.columns && y >= 0 && y < g.rows }

func (g *geometry) addLines(x, y, dx, dy int) {
	if g.on(x-dx, y-dy) || g.k == 1 && (dx != 1 || dy != 0) {
		return // if k is 1, all directions give the same lines, so one direction is enough
	}
	for ; g.on(x+dx*(g.k-1), y+dy*(g.k-1)); x, y = x+dx, y+dy {
		var cells set
		for i := range g.k {
			cells.add(x + dx*i + (y+dy*i)*g.columns)
		}
		g.lines = append(g.lines, cells)
	}
}

// holdsLine reports whether all cells of some line have stones of one side.
func (g *geometry) holdsLine(cells []game.Stone) bool {
	var stones [2]set
	for c, st := range cells {
		if st != game.Empty {
			stones[st-1].add(c)
		}
	}
	return slices.ContainsFunc(g.lines, func(l set) bool { return l.minus(stones[0]).empty() || l.minus(stones[1]).empty() })
}

// overlap contains a line that begins or ends next to a cell, and the lines that overlap it and contain that cell.
//
//	. . c a a a a .      line
//	. . o o o o . .      over[0]: once c is taken, its empty cells are also empty cells of the line
//	. o o o o . . .      over[1]: the same once the cell before c is also taken
type overlap struct {
	line int
	over []int
}

func (g *geometry) index() {
	g.blocks = max(1, (len(g.lines)+63)/64)
	g.through = make([]uint64, g.cells*g.blocks)
	for l, cells := range g.lines {
		for !cells.empty() {
			g.through[cells.pop()*g.blocks+l>>6] |= 1 << (l & 63)
		}
	}
	g.beside = make([][]overlap, g.cells)
	for l, cells := range g.lines {
		for _, step := range [2]int{-1, 1} {
			g.overlaps(l, cells, step)
		}
	}
}

// overlaps adds an overlap for line l to g.beside, at the cell next to the end of the line in the direction of step.
func (g *geometry) overlaps(l int, cells set, step int) {
	o, beside := overlap{line: l}, -1
	for d := 1; d < g.k; d++ {
		m := l + d*step
		if m < 0 || m >= len(g.lines) || g.lines[m].and(cells).count() != g.k-d {
			break
		}
		if o.over = append(o.over, m); d == 1 {
			beside = g.lines[m].minus(cells).first()
		}
	}
	if beside >= 0 {
		g.beside[beside] = append(g.beside[beside], o)
	}
}

// hash computes the random numbers for the keys. The random number of a cell in the key for symmetry s is the random number of
// the cell to which s maps it.
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

// image returns the cell to which symmetry s maps cell c. A board that is not square has only four symmetries, so each of them
// occurs for two of the eight values of s.
func (g *geometry) image(c, s int) int {
	if g.columns != g.rows {
		s &= 3
	}
	return symmetry.Image(g.columns, g.rows, c, s)
}
