// SPDX-License-Identifier: Apache-2.0

package mcts

import (
	"math"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// report reports the best moves at the root and returns the answer for the first.
func (w *worker) report(budget *search.Budget, lines int, report func(search.Info)) search.Info {
	side := w.p.Turn()
	taken := []int32{w.best(root, side, nil)}
	first := w.info(taken[0], budget)
	first.Line, first.Solved = 1, first.Solved && w.nodes[root].outcome != game.Ongoing
	if m, ok := w.refuge(taken[0], side); ok {
		first.PV, first.Score = []game.Move{m}, 0
	}
	if report == nil {
		return first
	}
	first.Root = w.candidates(side)
	report(first)
	score := first.Score
	for line := 2; line <= min(lines, int(w.nodes[root].kids)); line++ {
		child := w.best(root, side, taken)
		taken = append(taken, child)
		info := w.info(child, budget)
		info.Line = line
		if info.Score > score {
			info.Score, info.Bound = score, search.Upper
		}
		score = info.Score
		report(info)
	}
	return first
}

func (w *worker) candidates(side game.Side) []search.Candidate {
	var all []search.Candidate
	n := &w.nodes[root]
	for _, k := range w.children(n) {
		score := eval.Score(math.Round(float64(2*k.mean-1) * float64(eval.Unit)))
		if w.Solver && k.outcome != game.Ongoing {
			score = eval.Outcome(k.outcome, side, int(k.dist)+1)
		}
		all = append(all, search.Candidate{Move: k.move, Effort: float64(k.visits) / float64(max(n.visits, 1)), Score: score, Scored: k.visits > 0})
	}
	return all
}

func (w *worker) info(child int32, budget *search.Budget) search.Info {
	k := &w.nodes[child]
	info := search.Info{
		Depth: max(w.deepest, 1), Nodes: budget.Nodes, Time: budget.Elapsed(),
		Score: eval.Score(math.Round(float64(2*k.mean-1) * float64(eval.Unit))),
		PV:    w.pv(child),
	}
	if w.Solver && k.outcome != game.Ongoing {
		info.Score, info.Solved = eval.Outcome(k.outcome, w.p.Turn(), int(k.dist)+1), true
	}
	return info
}

func (w *worker) pv(child int32) []game.Move {
	var pv []game.Move
	for {
		pv = append(pv, w.nodes[child].move)
		w.p.Play(w.nodes[child].move)
		if w.nodes[child].kids == 0 {
			break
		}
		child = w.best(child, w.p.Turn(), nil)
	}
	for range pv {
		w.p.Undo()
	}
	return pv
}

// best returns the best child, not taken, for side to move: the shortest proved win; else the most visited open child,
// unless a proved draw is worth more; else the longest loss.
func (w *worker) best(at int32, side game.Side, taken []int32) int32 {
	won, open, drawn, lost := int32(-1), int32(-1), int32(-1), int32(-1)
	n := &w.nodes[at]
	for c := n.first; c < n.first+int32(n.kids); c++ {
		if slices.Contains(taken, c) {
			continue
		}
		switch k := &w.nodes[c]; k.outcome {
		case game.WinFor(side):
			if won < 0 || k.dist < w.nodes[won].dist {
				won = c
			}
		case game.Ongoing:
			if open < 0 || k.busier(&w.nodes[open]) {
				open = c
			}
		case game.Draw:
			if drawn < 0 || k.busier(&w.nodes[drawn]) {
				drawn = c
			}
		default:
			if lost < 0 || k.dist > w.nodes[lost].dist {
				lost = c
			}
		}
	}
	switch {
	case won >= 0:
		return won
	case open >= 0 && (drawn < 0 || w.nodes[open].mean >= 0.5):
		return open
	case drawn >= 0:
		return drawn
	}
	return lost
}

func (k *node) busier(other *node) bool {
	return k.visits > other.visits || k.visits == other.visits && k.half > other.half
}

// refuge returns a move that was never tried and does not lose at once, when the best tried move is lost.
func (w *worker) refuge(best int32, side game.Side) (game.Move, bool) {
	lost := game.WinFor(side.Other())
	n := &w.nodes[root]
	if w.nodes[best].outcome != lost || n.kids == n.moves {
		return game.NoMove, false
	}
	for _, m := range w.p.AppendMoves(nil) {
		if slices.ContainsFunc(w.children(n), func(k node) bool { return k.move == m }) {
			continue
		}
		w.p.Play(m)
		o := w.p.Outcome()
		w.p.Undo()
		if o != lost {
			return m, true
		}
	}
	return game.NoMove, false
}
