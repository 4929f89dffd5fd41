// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"math"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

type worker struct {
	p      game.Position
	board  game.Board // p, or nil
	lined  game.Lined // p, or nil
	direct bool       // see game.CellMoves
	me     game.Side
	// ours and theirs are how many stones are left in this turn, and how many the next one has.
	ours, theirs int
	chart        chart
	moves        []game.Move // that the rules applied so far leave
	threats      []game.Move // with which the opponent could win
	points       []game.Move // with which the opponent could make a fork
	buf          []game.Move
	budget       *search.Budget
	stop         bool // a limit has been reached
}

func (w *worker) reset(p game.Position, budget *search.Budget) {
	w.p = p.Clone()
	w.board, _ = w.p.(game.Board)
	w.lined, _ = w.p.(game.Lined)
	w.me, w.budget, w.stop = p.Turn(), budget, budget.Stopped()
	w.moves = game.AppendSound(w.moves[:0], w.p)
	w.direct = game.CellMoves(w.p)
	if w.lined != nil {
		w.turns()
		w.chart.draw(w.lined, w.me, w.theirs)
	}
}

// turns finds out how many stones a turn has by playing on, with the first legal moves and with the last: a game may end
// before the turn does.
func (w *worker) turns() {
	w.ours, w.theirs = 1, 1
	for _, last := range []bool{false, true} {
		var stones [2]int
		played := 0
		for w.p.Outcome() == game.Ongoing {
			s := w.p.Turn()
			if s == w.me && stones[s.Other()] > 0 {
				break
			}
			w.buf = w.p.AppendMoves(w.buf[:0])
			m := w.buf[0]
			if last {
				m = w.buf[len(w.buf)-1]
			}
			w.p.Play(m)
			stones[s]++
			played++
		}
		for range played {
			w.p.Undo()
		}
		w.ours, w.theirs = max(w.ours, stones[w.me]), max(w.theirs, stones[w.me.Other()])
	}
}

// keep leaves only the moves for which cost is least, and returns it.
func (w *worker) keep(cost func(game.Move) int) int {
	kept, least := w.moves[:0], math.MaxInt
	for _, m := range w.moves {
		c := cost(m)
		if c < least {
			kept, least = kept[:0], c
		}
		if c == least {
			kept = append(kept, m)
		}
	}
	w.moves = kept
	return least
}

// decide applies the rules in their order.
func (w *worker) decide() search.Info {
	if pv := w.win(); pv != nil {
		return search.Info{PV: pv, Score: eval.Win(len(pv)), Solved: true}
	}
	switch {
	case w.stop:
		return w.answer(w.best())
	case w.lined == nil:
		return w.answer(w.safest())
	case w.ours > 1 || w.theirs > 1:
		w.keep(func(m game.Move) int { return -int(w.chart.fillable[w.board.Cell(m)]) })
		return w.answer(w.best())
	}
	if w.parry() > 0 {
		return w.answer(w.best())
	}
	if m, ok := w.makeFork(); ok {
		return w.answer(m)
	}
	return w.answer(w.denyForks())
}

func (w *worker) answer(m game.Move) search.Info {
	score := eval.Score(0)
	if w.lined != nil {
		score = eval.Unit * eval.Score(w.chart.ways[w.board.Cell(m)])
	}
	return search.Info{PV: []game.Move{m}, Score: score}
}

func (w *worker) play(m game.Move) {
	w.p.Play(m)
	w.stop = w.budget.Step() || w.stop
}

// wins says whether m wins at once for the side to move. Once a limit has been reached it says no.
func (w *worker) wins(m game.Move) bool {
	if w.stop {
		return false
	}
	s := w.p.Turn()
	w.play(m)
	o := w.p.Outcome()
	w.p.Undo()
	return o == game.WinFor(s)
}
