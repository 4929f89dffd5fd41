// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

// capturer is a position whose Play may take enemy stones off the eight lines through the new stone, at most two cells
// away.
type capturer interface {
	// Captured returns how much s has captured; it grows whenever stones are taken.
	Captured(s game.Side) int
}

type played struct {
	cell  int32
	turn  game.Side
	freed int32 // how many of Evaluator.freed are its captures
	taken int32 // Captured(turn) before
}

// Reset ties the evaluator to p, which must be of the game that it was made for.
func (e *Evaluator) Reset(p game.Position) {
	e.scan(p)
	e.tied = true
}

func (e *Evaluator) scan(p game.Position) {
	e.p = p.(game.Lined)
	e.capture, _ = p.(capturer)
	e.tied, e.pending, e.key = false, false, p.Key()
	e.journal, e.freed = e.journal[:0], e.freed[:0]
	if e.capture != nil {
		e.taken = [2]int{e.capture.Captured(game.First), e.capture.Captured(game.Second)}
	}
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

// Play follows the move that is about to be made. O(k).
func (e *Evaluator) Play(m game.Move) {
	e.sync()
	t, c := e.p.Turn(), e.p.Cell(m)
	e.journal = append(e.journal, played{cell: int32(c), turn: t, taken: int32(e.taken[t])})
	e.put(c, t)
	e.pending = e.capture != nil
}

// Undo follows the move that was just taken back. O(k).
func (e *Evaluator) Undo() {
	u := e.journal[len(e.journal)-1]
	e.journal = e.journal[:len(e.journal)-1]
	for range u.freed {
		last := len(e.freed) - 1
		e.put(int(e.freed[last]), u.turn.Other())
		e.freed = e.freed[:last]
	}
	e.lift(int(u.cell))
	e.taken[u.turn] = int(u.taken)
	e.pending = false
}

// Freed returns the cells that the last move's captures emptied. The slice is the evaluator's own.
func (e *Evaluator) Freed() []int32 {
	e.sync()
	if len(e.journal) == 0 {
		return nil
	}
	return e.freed[len(e.freed)-int(e.journal[len(e.journal)-1].freed):]
}

// sync looks for the stones that the last move captured.
func (e *Evaluator) sync() {
	if !e.pending {
		return
	}
	e.pending = false
	u := &e.journal[len(e.journal)-1]
	n := e.capture.Captured(u.turn)
	if n == e.taken[u.turn] {
		return
	}
	e.taken[u.turn] = n
	cells := e.p.Cells()
	for d, step := range e.steps {
		pl := e.lines[d][u.cell]
		for _, i := range [4]int{-2, -1, 1, 2} {
			c := int(u.cell) + i*step
			if at := int(pl.at) + i; at < 0 || at >= int(pl.length) || e.stones[c] == cells[c] {
				continue
			}
			e.lift(c)
			e.freed = append(e.freed, int32(c))
			u.freed++
		}
	}
}

func (e *Evaluator) put(c int, s game.Side) {
	e.include(c, -1)
	e.stones[c] = s.Stone()
	for d := range e.lines {
		e.refresh(c, d)
	}
}

func (e *Evaluator) lift(c int) {
	e.include(c, 1)
	e.stones[c] = game.Empty
	for d := range e.lines {
		e.refresh(c, d)
	}
}
