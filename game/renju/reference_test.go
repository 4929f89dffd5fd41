// SPDX-License-Identifier: Apache-2.0

package renju_test

import (
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/renju"
)

// reference judges points straight from the definitions, by putting stones on a board of its own and looking
// along whole lines. It shares nothing with the package and is slow.
type reference struct {
	cells         []game.Stone
	columns, rows int
}

// forever is the lookahead of the rules: as deep as it goes.
const forever = -1

// forbidden returns what a black stone on an empty cell makes. After lookahead steps the stones that turn
// threes into straight fours are no longer asked about double threes of their own.
func (r reference) forbidden(cell, lookahead int) renju.Shape {
	r.cells = slices.Clone(r.cells)
	r.cells[cell] = game.FirstStone
	if r.hasRow(cell, func(n int) bool { return n == 5 }) {
		return renju.None
	}
	if r.hasRow(cell, func(n int) bool { return n > 5 }) {
		return renju.Overline
	}
	if r.fours(cell) > 1 {
		return renju.DoubleFour
	}
	if r.threes(cell, lookahead) > 1 {
		return renju.DoubleThree
	}
	return renju.None
}

// directions are those of the four lines through a cell.
var directions = [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// fours counts the different sets of four stones, with the one on cell, to which one more makes five.
func (r reference) fours(cell int) int {
	found := map[[4]int]bool{}
	for _, d := range directions {
		for _, e := range r.empties(cell, d) {
			r.cells[e] = game.FirstStone
			if row := r.row(e, d); len(row) == 5 && slices.Contains(row, cell) {
				found[[4]int(without(row, e))] = true
			}
			r.cells[e] = game.Empty
		}
	}
	return len(found)
}

// threes counts the different sets of three stones, with the one on cell, to which one more stone, which is
// not forbidden and makes no five, makes a straight four.
func (r reference) threes(cell, lookahead int) int {
	found := map[[3]int]bool{}
	for _, d := range directions {
		for _, e := range r.empties(cell, d) {
			r.cells[e] = game.FirstStone
			row := r.row(e, d)
			straight := len(row) == 4 && slices.Contains(row, cell) && r.waysToFive(row, d) == 2
			five := straight && r.hasRow(e, func(n int) bool { return n == 5 })
			r.cells[e] = game.Empty
			if straight && !five && r.allowed(e, lookahead) {
				found[[3]int(without(row, e))] = true
			}
		}
	}
	return len(found)
}

// allowed says whether Black may make a three's straight four on cell.
func (r reference) allowed(cell, lookahead int) bool {
	shape := r.forbidden(cell, max(lookahead-1, forever))
	return shape == renju.None || lookahead == 0 && shape == renju.DoubleThree
}

// waysToFive counts the cells on which one more stone makes exactly five of all of row.
func (r reference) waysToFive(row []int, d [2]int) int {
	n := 0
	for _, e := range r.empties(row[0], d) {
		r.cells[e] = game.FirstStone
		five := r.row(e, d)
		if len(five) == 5 && slices.Equal(without(five, e), row) {
			n++
		}
		r.cells[e] = game.Empty
	}
	return n
}

// hasRow says whether the unbroken row through cell has a length that ok accepts, in some direction.
func (r reference) hasRow(cell int, ok func(int) bool) bool {
	return slices.ContainsFunc(directions[:], func(d [2]int) bool { return ok(len(r.row(cell, d))) })
}

// row returns the unbroken row of black stones through the one on cell, in the order of the line.
func (r reference) row(cell int, d [2]int) []int {
	return r.walk(cell, d, func(c int) bool { return r.cells[c] == game.FirstStone })
}

// empties returns the empty cells of the line through cell, from edge to edge.
func (r reference) empties(cell int, d [2]int) []int {
	line := r.walk(cell, d, func(int) bool { return true })
	return slices.DeleteFunc(line, func(c int) bool { return r.cells[c] != game.Empty })
}

// walk returns the cells of the line through cell, as far as ok accepts them to either side of it.
func (r reference) walk(cell int, d [2]int, ok func(int) bool) []int {
	x, y := cell%r.columns, cell/r.columns
	for r.inside(x-d[0], y-d[1]) && ok(x-d[0]+(y-d[1])*r.columns) {
		x, y = x-d[0], y-d[1]
	}
	cells := make([]int, 0, 16)
	for ; r.inside(x, y) && ok(x+y*r.columns); x, y = x+d[0], y+d[1] {
		cells = append(cells, x+y*r.columns)
	}
	return cells
}

func (r reference) inside(x, y int) bool { return 0 <= x && x < r.columns && 0 <= y && y < r.rows }

// without returns the cells of row but one.
func without(row []int, cell int) []int {
	return slices.DeleteFunc(slices.Clone(row), func(c int) bool { return c == cell })
}
