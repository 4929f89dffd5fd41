// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"math"
	"slices"

	"github.com/krow-lab/krow/game"
)

// win is rule 1: the one move that wins, the two of a turn, or nil.
func (w *worker) win() []game.Move {
	for _, m := range w.moves {
		if w.stop {
			return nil
		}
		if w.wins(m) {
			return []game.Move{m}
		}
	}
	if w.lined == nil || w.ours < 2 {
		return nil
	}
	for _, m := range w.moves {
		cell := w.board.Cell(m)
		if w.stop || w.chart.two[w.me][cell] == 0 {
			continue
		}
		if second, ok := w.second(m, cell); ok {
			return []game.Move{m, second}
		}
	}
	return nil
}

// second returns a move that wins after m in the same turn.
func (w *worker) second(m game.Move, cell int) (second game.Move, ok bool) {
	w.play(m)
	if w.p.Outcome() == game.Ongoing && w.p.Turn() == w.me {
		for _, s := range w.gaps(cell, w.me) {
			if w.wins(s) {
				second, ok = s, true
				break
			}
		}
	}
	w.p.Undo()
	return second, ok
}

// gaps returns the moves that may win for s, now that s has put a stone on cell. Play tells whether they do: the lines
// do not know every rule. Where stones fall, any stone may have made a cell playable.
func (w *worker) gaps(cell int, s game.Side) []game.Move {
	var moves []game.Move
	if !w.direct {
		w.buf = w.p.AppendMoves(w.buf[:0])
		for _, m := range w.buf {
			if w.chart.completes(w.board.Cell(m), s) {
				moves = append(moves, m)
			}
		}
		return moves
	}
	var cells [8]int
	for _, gap := range w.chart.appendGaps(cells[:0], cell, s) {
		moves = append(moves, game.Move(gap))
	}
	return moves
}

// maxThreats bounds the winning moves of the opponent that are looked at: more than one are rarely stopped.
const maxThreats = 16

// parry is rule 2. It returns how many ways to win the opponent keeps.
func (w *worker) parry() int {
	if w.direct {
		w.findThreats()
		if len(w.threats) == 0 {
			return 0
		}
	}
	return w.keep(func(m game.Move) int {
		if w.stop {
			return math.MaxInt // not looked at
		}
		w.play(m)
		n := w.exposed()
		w.p.Undo()
		if w.stop {
			return math.MaxInt
		}
		return n
	})
}

// exposed counts the opponent's ways to win at once, now that he is to move.
func (w *worker) exposed() int {
	if w.p.Outcome() != game.Ongoing {
		return 0
	}
	if !w.direct {
		var replies [game.MaxSide]game.Move
		return w.count(w.p.AppendMoves(replies[:0]), -1)
	}
	n := 0
	for _, m := range w.threats {
		if w.board.Cells()[m] == game.Empty && w.wins(m) {
			n++
		}
	}
	return n
}

// findThreats lists the moves with which the opponent may win at once: those that the lines know, and those that win, as
// captures do, after either of two moves far apart, of which one might stop a threat.
func (w *worker) findThreats() {
	w.threats = w.threats[:0]
	for _, m := range w.moves {
		if w.chart.fillable[m] > 0 {
			w.addThreat(m)
		}
	}
	for _, m := range []game.Move{w.moves[0], w.moves[len(w.moves)-1]} {
		if w.stop {
			return
		}
		w.play(m)
		w.buf = w.p.AppendMoves(w.buf[:0])
		for _, r := range w.buf {
			if w.wins(r) {
				w.addThreat(r)
			}
		}
		w.p.Undo()
	}
}

func (w *worker) addThreat(m game.Move) {
	if len(w.threats) < maxThreats && !slices.Contains(w.threats, m) {
		w.threats = append(w.threats, m)
	}
}
