// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

// summary describes the windows of k cells that pass through a free cell in one direction and are live for a side: they contain
// no enemy stone. If no window is live, all fields are zero values. A byte is enough for each number, because no line is longer
// than game.MaxSide.
type summary struct {
	reach    uint8 // sum of the numbers of own stones in all live windows
	live     uint8 // number of live windows, which have no enemy stone
	best     uint8 // number of own stones in the fullest live window, which lacks k - best stones
	many     uint8 // number of live windows whose number of own stones is the field best
	adjacent bool  // an own stone is next to the cell, and k > 1
}

// cell contains the worth of a free cell, summed over the four directions. While a stone is on the cell, the worth is not
// updated.
//
//	bits  3    2    1    0
//	      fork fork win  win
//	      2nd  1st  2nd  1st    side for which the cell wins at once or forks
type cell struct {
	sum   eval.Score    // sum of the cell's worths to both sides
	worth [2]eval.Score // by side: the cell's worth
	// By side, the numbers of windows through the cell that have no enemy stone and lack one own stone (ones) or two own stones
	// (twos) to be full. In each direction, only the fullest windows count.
	ones, twos [2]uint16
	bits       uint8
}

// class is the effect of a stone on a free cell for the side to move. Better classes are greater.
type class uint8

const (
	quiet class = iota
	enemyFork
	ownFork
	enemyWin
	ownWin
)

func classOf(bits uint8, s game.Side) class {
	own, enemy := s, s.Other()
	switch {
	case bits>>own&1 != 0:
		return ownWin
	case bits>>enemy&1 != 0:
		return enemyWin
	case bits>>(2+own)&1 != 0:
		return ownFork
	case bits>>(2+enemy)&1 != 0:
		return enemyFork
	}
	return quiet
}

// Rank returns the worth of the free cell to s: its MICS value plus the steps of its class. The package comment explains the
// MICS value and the classes. It costs O(1).
func (e *Evaluator) Rank(cell int, s game.Side) eval.Score {
	c := &e.cells[cell]
	return e.rank[s][c.bits] + c.sum
}

func (e *Evaluator) value(v summary) eval.Score {
	if v.live == 0 {
		return 0
	}
	w := &e.weights[0]
	if v.adjacent {
		w = &e.weights[1]
	}
	return w.myCell*eval.Score(v.reach) + w.live*eval.Score(v.live) + w.best[v.best]*eval.Score(v.many)
}

// set stores v as the summary of a cell in direction d for s, and updates all values that depend on it. It costs O(1).
func (e *Evaluator) set(at, d int, s game.Side, v summary) {
	old := &e.dirs[at][d][s]
	if *old == v {
		return
	}
	c := &e.cells[at]
	before := e.worthOf(c, s)
	c.worth[s] += e.value(v) - e.value(*old)
	e.count(c, s, *old, ^uint16(0))
	e.count(c, s, v, 1)
	*old = v
	bits := c.bits &^ (5 << s)
	if c.ones[s] > 0 {
		bits |= 1 << s
	}
	if c.twos[s] > 1 {
		bits |= 4 << s
	}
	was := c.bits
	c.bits = bits
	delta := e.worthOf(c, s) - before
	c.sum += delta
	if e.stones[at] == game.Empty {
		e.total[s] += delta
		e.tally(was, -1)
		e.tally(bits, 1)
	}
}

// worthOf returns the worth of a cell to s: the sum of its worths in the four directions. If the multipliers come from the
// function Authors, a cell that wins at once or makes a fork has a fixed score instead of this sum.
func (e *Evaluator) worthOf(c *cell, s game.Side) eval.Score {
	if e.mult.authors && c.bits>>s&5 != 0 {
		return fixedWorth(c.bits, s)
	}
	return c.worth[s]
}

// fixedWorth returns the authors' score of a cell that wins at once or makes a fork.
func fixedWorth(bits uint8, s game.Side) eval.Score {
	switch {
	case bits>>s&1 != 0:
		return 1_000_000 * eval.Unit
	case bits>>(2+s)&1 != 0:
		return 10_000 * eval.Unit
	}
	return 0
}

// near updates the eight cells around a stone that was placed (n = 1) or removed (n = -1): in the authors' move ordering,
// each stone next to a cell adds 5 to the value of the cell.
func (e *Evaluator) near(at, n int) {
	column, row := at%e.columns, at/e.columns
	for y := max(row-1, 0); y <= row+1 && y < len(e.stones)/e.columns; y++ {
		for x := max(column-1, 0); x <= column+1 && x < e.columns; x++ {
			e.cells[y*e.columns+x].sum += eval.Score(n) * 5 * eval.Unit
		}
	}
}

func (e *Evaluator) count(c *cell, s game.Side, v summary, sign uint16) {
	if v.live == 0 {
		return
	}
	switch e.k - int(v.best) {
	case 1:
		c.ones[s] += sign * uint16(v.many)
	case 2:
		c.twos[s] += sign * uint16(v.many)
	}
}

func (e *Evaluator) tally(bits uint8, n int) {
	if bits == 0 {
		return
	}
	for s := range e.wins {
		e.wins[s] += n * int(bits>>s&1)
		e.forks[s] += n * int(bits>>(2+s)&1)
	}
}

func (e *Evaluator) include(at, n int) {
	c := &e.cells[at]
	for s := range e.total {
		e.total[s] += eval.Score(n) * e.worthOf(c, game.Side(s))
	}
	e.tally(c.bits, n)
}
