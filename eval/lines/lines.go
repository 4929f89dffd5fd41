// SPDX-License-Identifier: Apache-2.0

// Package lines implements a heuristic of generalized tic-tac-toe: each line of k cells that contains stones of only one side
// counts for that side.
//
// # Basics
//
//	e, err := lines.New(g, lines.Options{})
//	v := e.Evaluate(p, game.First)
//	o := e.ScoreMove(p, m) // for move ordering
//
// A line is k cells next to each other in one of the four directions. If one side has s stones on it and the other side none, its
// value for that side is
//
//	s = k     10000
//	s = k-1     500
//	s = k-2     200
//	else     5 s + (k - s)
//
// and its value for the other side is the same number with a minus sign. If several conditions hold, the first one counts.
//
// # Caveats
//
// By default an empty line has the value 0. The program listing in the report treats an empty line as if it belonged to the
// opponent: it subtracts k, the value of a line with s = 0. See [Options].Literal.
//
// The report orders moves by a "similar, but smaller" heuristic, which it does not define. Here [Evaluator.ScoreMove]
// returns the amount by which the move changes the values of the lines through its cell. In games without captures, this is
// the evaluation after the move minus the evaluation before it, for the side to move. ScoreMove ignores Options.Literal: it
// always gives an empty line the value 0.
//
// A row longer than k consists of several lines. ScoreMove does not test whether the move wins.
//
// # Speed
//
// Evaluate costs O(cells) for any position. If the evaluator follows the position, Evaluate costs O(1) and each move O(k).
// ScoreMove costs O(k).
//
// CITE: Li, Nguyen, Talasila and Zhang, Project 3 Report: Generalized Tic Tac Toe, sections 3 and 4.
package lines

import (
	"fmt"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/boarddiff"
)

// Options choose between two interpretations of the report.
type Options struct {
	Literal bool // Evaluate subtracts the value of each empty line, as if the line were the opponent's
}

// Evaluator implements eval.Incremental and eval.MoveScorer. It follows the moves of the position that was given to Reset. For
// any other position it scans the whole board.
type Evaluator struct {
	options Options
	value   []eval.Score // value of a line, by its number of stones
	tied    game.Position
	mirror  boarddiff.Mirror
	live    board // the board of the position that Play and Undo follow
	scan    board // the board of the last position that was scanned
}

// New returns the evaluator of a game. It returns an error if the game has no rows of k.
func New(g game.Game, o Options) (*Evaluator, error) {
	b, ok := g.Start().(game.Lined)
	if !ok {
		return nil, fmt.Errorf("%s is not a k-in-a-row game, so it has no lines", g)
	}
	k := b.K()
	e := &Evaluator{options: o, value: make([]eval.Score, k+1)}
	for s := range e.value {
		e.value[s] = value(s, k) * eval.Unit
	}
	columns, rows := b.Size()
	e.live = newBoard(columns, rows, e.value)
	e.scan = newBoard(columns, rows, e.value)
	return e, nil
}

// value returns the value of a line with s stones.
func value(s, k int) eval.Score {
	switch s {
	case k:
		return 10000
	case k - 1:
		return 500
	case k - 2:
		return 200
	}
	return eval.Score(5*s + (k - s))
}

// Reset makes the evaluator follow p.
func (e *Evaluator) Reset(p game.Position) {
	e.tied = p
	e.mirror.Reset(p.(game.Board))
	e.live.load(e.mirror.Cells())
}

// Play must be called just before the followed position plays m.
func (e *Evaluator) Play(m game.Move) { e.apply(e.mirror.Play(m)) }

// Undo must be called just after the followed position has taken a move back.
func (e *Evaluator) Undo() {
	undone := e.mirror.Undo()
	for i := len(undone) - 1; i >= 0; i-- {
		c := &undone[i]
		e.live.change(int(c.Cell), c.New, c.Old)
	}
}

func (e *Evaluator) apply(changes []boarddiff.Change) {
	for _, c := range changes {
		e.live.change(int(c.Cell), c.Old, c.New)
	}
}

// Evaluate returns the value for s of the lines in p.
func (e *Evaluator) Evaluate(p game.Position, s game.Side) eval.Score {
	b := &e.live
	if p == e.tied {
		e.apply(e.mirror.Sync())
	} else {
		b = &e.scan
		b.load(p.(game.Board).Cells())
	}
	v := b.worth[s] - b.worth[s.Other()]
	if e.options.Literal {
		v -= e.value[0] * b.empty
	}
	return v
}

// ScoreMove returns the amount by which m changes the values of the lines through its cell, for the side to move.
func (e *Evaluator) ScoreMove(p game.Position, m game.Move) eval.Score {
	b := p.(game.Board)
	own, cells, cell := p.Turn().Stone(), b.Cells(), b.Cell(m)
	k := len(e.value) - 1
	v := eval.Score(0)
	for dir, step := range &e.scan.steps {
		first, n := e.scan.through(cell, dir)
		if n == 0 {
			continue
		}
		var held [3]int // number of cells of the line, by game.Stone
		for i := range k + n - 1 {
			held[cells[first+i*step]]++
			if i < k-1 {
				continue
			}
			v += e.gain(held[own], held[3-own])
			held[cells[first+(i-k+1)*step]]--
		}
	}
	return v
}

// gain returns the change in the value of a line if a side adds a stone to it. The parameters describe the line before the
// stone is added: own is the number of stones of this side, and enemy is the number of stones of the other side.
func (e *Evaluator) gain(own, enemy int) eval.Score {
	switch {
	case enemy > 0 && own > 0:
		return 0
	case enemy > 0:
		return e.value[enemy]
	case own > 0:
		return e.value[own+1] - e.value[own]
	}
	return e.value[1]
}

// board contains the number of stones of each side on every line. A line is identified by its direction and first cell:
//
//	held   [ row lines, by first cell | column lines | rising | falling ]
//	         cell 0  1  2 ...
//
// The count of a cell at which no line can begin, because it is too near to the edge, stays zero.
type board struct {
	columns, rows int
	steps         [4]int       // difference between the indices of neighbouring cells: right, up, up and right, up and left
	value         []eval.Score // value of a line, by its number of stones
	held          [][2]uint8
	worth         [2]eval.Score // by side: sum of the values of the lines that contain stones of this side only
	empty         eval.Score    // number of lines without a stone
	all           eval.Score    // number of all lines
}

func newBoard(columns, rows int, value []eval.Score) board {
	k := len(value) - 1
	right, up := max(columns-k+1, 0), max(rows-k+1, 0)
	return board{
		columns: columns, rows: rows,
		steps: [4]int{1, columns, columns + 1, columns - 1},
		value: value,
		held:  make([][2]uint8, 4*columns*rows),
		all:   eval.Score(right*rows + columns*up + 2*right*up),
	}
}

func (b *board) load(cells []game.Stone) {
	clear(b.held)
	b.worth, b.empty = [2]eval.Score{}, b.all
	for cell, s := range cells {
		if s != game.Empty {
			b.change(cell, game.Empty, s)
		}
	}
}

func (b *board) change(cell int, old, s game.Stone) {
	size := b.columns * b.rows
	for dir, step := range &b.steps {
		first, n := b.through(cell, dir)
		for i := dir*size + first; n > 0; n-- {
			h := &b.held[i]
			b.count(h, -1)
			if old != game.Empty {
				h[old-1]--
			}
			if s != game.Empty {
				h[s-1]++
			}
			b.count(h, +1)
			i += step
		}
	}
}

// count adds a line with these numbers of stones to the sums (sign 1), or removes it from them (sign -1).
func (b *board) count(h *[2]uint8, sign eval.Score) {
	switch {
	case h[0] != 0 && h[1] != 0:
	case h[0] != 0:
		b.worth[0] += sign * b.value[h[0]]
	case h[1] != 0:
		b.worth[1] += sign * b.value[h[1]]
	default:
		b.empty += sign
	}
}

// through returns the number n of lines through a cell in a direction, and the first cell of the first such line. Each
// further line begins one step after the beginning of the previous line.
func (b *board) through(cell, dir int) (first, n int) {
	k := len(b.value) - 1
	y := int(uint32(cell) / uint32(b.columns))
	x := cell - y*b.columns
	right, up := b.columns-1-x, b.rows-1-y
	var behind, ahead int // number of cells from this cell to the edge, in both directions
	switch dir {
	case 0:
		behind, ahead = x, right
	case 1:
		behind, ahead = y, up
	case 2:
		behind, ahead = min(x, y), min(right, up)
	case 3:
		behind, ahead = min(right, y), min(x, up)
	}
	behind, ahead = min(behind, k-1), min(ahead, k-1)
	return cell - behind*b.steps[dir], max(behind+ahead+2-k, 0)
}
