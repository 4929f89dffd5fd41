// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/krow-lab/krow/game"

// makeFork applies rule 3. The move of a fork lies on at least two lines that lack two stones each. If stones fall, every
// move is tried, since a stone may also make another cell playable.
func (w *worker) makeFork() (game.Move, bool) {
	best, found := game.NoMove, false
	for _, m := range w.moves {
		if w.stop {
			break
		}
		if w.direct && w.chart.two[w.me][m] < 2 || found && w.compare(best, m) < 0 {
			continue
		}
		if w.fork(m) {
			best, found = m, true
		}
	}
	return best, found
}

// fork reports whether m makes a fork for the side to move.
func (w *worker) fork(m game.Move) bool {
	if w.stop {
		return false
	}
	s, cell := w.p.Turn(), w.board.Cell(m)
	w.playMove(m)
	ok := w.p.Outcome() == game.Ongoing && w.forked(cell, s)
	w.p.Undo()
	return ok
}

// forked reports whether the stone that s has just placed on cell makes a fork.
func (w *worker) forked(cell int, s game.Side) bool {
	gaps := w.gaps(cell, s)
	for i, a := range gaps {
		for _, b := range gaps[:i] {
			if w.answered(a, b, s) && w.answered(b, a, s) {
				return true
			}
		}
	}
	return false
}

// answered reports whether s still wins after the opponent plays block, either at once or with the move win.
func (w *worker) answered(block, win game.Move, s game.Side) bool {
	if w.stop {
		return false
	}
	w.playMove(block)
	o := w.p.Outcome()
	ok := o == game.WinFor(s) || o == game.Ongoing && w.wins(win)
	w.p.Undo()
	return ok
}

// maxPoints is the maximum number of forks of the opponent that are counted.
const maxPoints = 32

// denyForks applies rules 4 and 5. For rule 4 it tries only moves on lines that are nearly full, or at their ends: other moves
// can change the number of forks only by captures or by the forbidden points of Renju.
func (w *worker) denyForks() game.Move {
	best := w.best()
	w.findPoints()
	if w.stop || w.direct && len(w.points) == 0 {
		return best
	}
	start := w.budget.Nodes
	least := w.danger(best)
	try := func(m game.Move) {
		if least == 0 && w.compare(best, m) < 0 || w.stop || w.budget.Nodes > start+maxTrials {
			return
		}
		if d := w.danger(m); !w.stop && (d < least || d == least && w.compare(m, best) < 0) {
			best, least = m, d
		}
	}
	if least == 0 {
		return best
	}
	for _, m := range w.moves {
		if w.chart.two[w.me.Other()][w.board.Cell(m)] > 1 {
			try(m) // these moves are tried first, because the number of trials is limited
		}
	}
	for _, m := range w.moves {
		if !w.direct || w.chart.near[m] > 0 {
			try(m)
		}
	}
	return best
}

// findPoints lists the cells on which the opponent may make a fork.
func (w *worker) findPoints() {
	w.points = w.points[:0]
	if !w.direct {
		return
	}
	for m, n := range w.chart.two[w.me.Other()] {
		if n > 1 && len(w.points) < maxPoints {
			w.points = append(w.points, game.Move(m))
		}
	}
}

// danger returns the number of the opponent's forks after m.
func (w *worker) danger(m game.Move) int {
	cell, n := w.board.Cell(m), 0
	w.playMove(m)
	if w.p.Outcome() == game.Ongoing {
		n = w.forksNow(cell)
	}
	w.p.Undo()
	return n
}

// forksNow returns the number of forks that the opponent, who is to move, can make after our stone on cell. If this stone
// threatens to win, forksNow examines only the opponent's forced answer.
func (w *worker) forksNow(cell int) int {
	if reply, ok := w.forced(cell); ok {
		them, at := w.me.Other(), w.board.Cell(reply)
		if w.stop {
			return 0
		}
		w.playMove(reply)
		o := w.p.Outcome()
		forked := o == game.WinFor(them) || o == game.Ongoing && w.forked(at, them)
		w.p.Undo()
		if forked {
			return 1
		}
		return 0
	}
	n := 0
	if !w.direct {
		var replies [game.MaxSide]game.Move
		for _, m := range w.p.AppendMoves(replies[:0]) {
			if w.fork(m) {
				n++
			}
		}
		return n
	}
	for _, m := range w.points {
		if w.board.Cells()[m] == game.Empty && w.fork(m) {
			n++
		}
	}
	return n
}

// forced returns the only move with which the opponent, who is to move, can prevent us from completing a row through cell.
func (w *worker) forced(cell int) (game.Move, bool) {
	gaps := w.gaps(cell, w.me)
	if len(gaps) != 1 {
		return game.NoMove, false
	}
	for _, elsewhere := range w.moves {
		if w.direct && elsewhere != gaps[0] && w.board.Cells()[elsewhere] == game.Empty {
			return gaps[0], w.answered(elsewhere, gaps[0], w.me)
		}
	}
	return gaps[0], true
}
