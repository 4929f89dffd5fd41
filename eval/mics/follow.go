// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/boarddiff"
)

// Reset makes the evaluator follow p, a position of the game for which the evaluator was made.
func (e *Evaluator) Reset(p game.Position) {
	e.scan(p)
	e.tied = true
}

func (e *Evaluator) scan(p game.Position) {
	e.p = p.(game.Lined)
	e.tied, e.key = false, p.Key()
	e.mirror.Reset(e.p)
	copy(e.stones, e.p.Cells())
	clear(e.dirs)
	clear(e.cells)
	e.total, e.wins, e.forks = [2]eval.Score{}, [2]int{}, [2]int{}
	for d := range e.lines {
		for c, pl := range e.lines[d] {
			if pl.at == 0 && int(pl.length) >= e.k {
				e.rebuild(c, d)
			}
		}
	}
	for c, s := range e.stones {
		if e.mult.authors && s != game.Empty {
			e.near(c, 1)
		}
	}
}

func (e *Evaluator) follow(p game.Position) {
	if e.tied && e.p == p {
		e.sync()
		return
	}
	if e.tied || e.p != p || e.key != p.Key() {
		e.scan(p)
	}
}

// Play updates the evaluator for a move that is about to be made. It costs O(k).
func (e *Evaluator) Play(m game.Move) { e.apply(e.mirror.Play(m)) }

// Undo updates the evaluator after the last move has been taken back. It costs O(k).
func (e *Evaluator) Undo() {
	for _, c := range slices.Backward(e.mirror.Undo()) {
		e.change(int(c.Cell), c.Old)
	}
}

// Changes returns the changes of the board by the last move: the stone that it placed, and the stones that it captured. The
// next move overwrites the slice.
func (e *Evaluator) Changes() []boarddiff.Change {
	e.sync()
	return e.mirror.Last()
}

// sync updates the evaluator by the changes of the board since the last call.
func (e *Evaluator) sync() { e.apply(e.mirror.Sync()) }

func (e *Evaluator) apply(changes []boarddiff.Change) {
	for _, c := range changes {
		e.change(int(c.Cell), c.New)
	}
}

// change places the stone s on a cell, or removes the cell's stone if s is Empty. It may also replace a stone by a stone of
// the other side: since the last update, the old stone may have been captured and a new one placed on the same cell.
func (e *Evaluator) change(c int, s game.Stone) {
	if e.stones[c] != game.Empty && s != game.Empty {
		e.change(c, game.Empty)
	}
	n := -1
	if s == game.Empty {
		n = 1
	}
	e.include(c, n)
	e.stones[c] = s
	if e.mult.authors {
		e.near(c, -n)
	}
	for d := range e.lines {
		e.refresh(c, d)
	}
}
