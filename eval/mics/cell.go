// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

// Summary is what the windows through a free cell in one direction offer a side. Where none is live, all is zero.
type Summary struct {
	Reach    int  // own stones in the live windows
	Live     int  // windows without an enemy stone
	Best     int  // stones in the fullest live window; k - Best are missing, the fewest
	Many     int  // live windows with Best stones
	Adjacent bool // an own stone stands next to the cell, and k > 1
}

// summary is a Summary packed: no line is longer than game.MaxSide.
type summary struct {
	reach, live, best, many uint8
	adjacent                bool
}

// cell is what the four directions make of a cell. While a stone stands there it is left as it was, and is stale.
//
//	bits  3    2    1    0
//	      fork fork win  win
//	      2nd  1st  2nd  1st    side for which the cell wins at once or forks
type cell struct {
	sum        eval.Score // worth to both sides
	worth      [2]eval.Score
	ones, twos [2]uint16 // live windows that miss one, two, where that is the direction's fewest
	bits       uint8
}

// Class is what a free cell is to the side that may play there, in the order of worth.
type Class uint8

// The classes.
const (
	Quiet Class = iota
	EnemyFork
	OwnFork
	EnemyWin
	OwnWin
)

// String returns the name of the class.
func (c Class) String() string {
	return [...]string{"quiet", "enemy fork", "own fork", "enemy win", "own win"}[c]
}

// class reads the bits of a cell for s.
func class(bits uint8, s game.Side) Class {
	own, enemy := s, s.Other()
	switch {
	case bits>>own&1 != 0:
		return OwnWin
	case bits>>enemy&1 != 0:
		return EnemyWin
	case bits>>(2+own)&1 != 0:
		return OwnFork
	case bits>>(2+enemy)&1 != 0:
		return EnemyFork
	}
	return Quiet
}

// Class returns what the free cell is to s.
func (e *Evaluator) Class(cell int, s game.Side) Class {
	e.sync()
	return class(e.cells[cell].bits, s)
}

// Rank returns the worth of the free cell to s: its class in steps, and its MICS value. O(1).
func (e *Evaluator) Rank(cell int, s game.Side) eval.Score {
	c := &e.cells[cell]
	return e.rank[s][c.bits] + c.sum
}

// AppendRanks appends the Rank of every cell of the board for s, and 0 for those that are taken.
func (e *Evaluator) AppendRanks(dst []eval.Score, s game.Side) []eval.Score {
	e.sync()
	for c, stone := range e.stones {
		v := eval.Score(0)
		if stone == game.Empty {
			v = e.Rank(c, s)
		}
		dst = append(dst, v)
	}
	return dst
}

// Worth returns the worth of the free cell to s alone, without steps.
func (e *Evaluator) Worth(cell int, s game.Side) eval.Score {
	e.sync()
	return e.cells[cell].worth[s]
}

// Summary returns the numbers of the free cell for s in direction d: 0 along the row, 1 along the column, 2 up
// and right, 3 up and left.
func (e *Evaluator) Summary(cell, d int, s game.Side) Summary {
	e.sync()
	v := e.dirs[cell][d][s]
	return Summary{int(v.reach), int(v.live), int(v.best), int(v.many), v.adjacent}
}

// value returns what a direction is worth.
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

// set makes v the summary of a cell in direction d for s, and whatever follows from it. O(1).
func (e *Evaluator) set(at, d int, s game.Side, v summary) {
	old := &e.dirs[at][d][s]
	if *old == v {
		return
	}
	c := &e.cells[at]
	delta := e.value(v) - e.value(*old)
	c.worth[s] += delta
	c.sum += delta
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
	if e.stones[at] == game.Empty {
		e.total[s] += delta
		e.tally(c.bits, -1)
		e.tally(bits, 1)
	}
	c.bits = bits
}

// count adds the windows of v that miss one or two stones, sign times.
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

// tally counts a free cell, n times.
func (e *Evaluator) tally(bits uint8, n int) {
	if bits == 0 {
		return
	}
	for s := range e.wins {
		e.wins[s] += n * int(bits>>s&1)
		e.forks[s] += n * int(bits>>(2+s)&1)
	}
}

// include counts a cell among the free ones, n times: 1 or -1.
func (e *Evaluator) include(at, n int) {
	c := &e.cells[at]
	for s := range e.total {
		e.total[s] += eval.Score(n) * c.worth[s]
	}
	e.tally(c.bits, n)
}
