// SPDX-License-Identifier: Apache-2.0

// Package rules plays by five rules. The first rule that applies chooses the move:
//
//  1. win;
//  2. stop the opponent from winning with the next move;
//  3. make a fork, two ways to win with the next move;
//  4. do not let the opponent make a fork;
//  5. play where one may still win in the most ways.
//
// The rules were written for tic-tac-toe. Here they play every game. The authors of a published player of m,n,k games measured it
// against them. In tic-tac-toe they never lose, as either side.
//
// # Basics
//
//	s := rules.New()
//	info, err := s.Search(ctx, p, search.Limits{}, nil)
//
// # Readings
//
// A way to win, in rule 5, is a line of k cells through the move without an enemy stone. If moves have equally many ways, the
// rule plays the one with more own stones in these lines, then the one nearer to the centre, then the first. This order also decides
// between the moves that an earlier rule leaves.
//
// Rule 2 keeps the moves that leave the opponent the fewest ways to win at once. If no move stops the opponent, rule 5
// decides. A fork is a move after which two moves win, such that whichever of them the opponent takes, the other one still wins.
// Rule 4 keeps the moves after which the opponent has the fewest forks; after a move that threatens to win only the
// forced answer counts.
//
// If a turn has several stones, rule 1 finds wins with one stone and with two, rule 2 takes the cell on the most lines that the
// opponent could fill in a turn, and rules 3 and 4 are left out. In a game in which rows do not win, rules 1 and 2 play out each
// move, rules 3 and 4 are left out, and rule 5 prefers the centre.
//
// # Caveats
//
// Only a win by rule 1 is Solved. The score of any other move is its number of ways to win. Search reports only one line, because
// the rules do not rank the other moves. A forbidden move (Renju) is played only when no other is left. Rule 4 overlooks the rare
// move that prevents a fork from afar, by a capture (Pente) or by a point that it makes forbidden or free (Renju).
//
// # Speed
//
// The lines are counted in O(cells k). Rules 1 and 2 play each move once or twice to see its result; rules 3 and 4 play only moves
// on lines that are nearly full. A move on 70 x 70 with k = 10 takes a few milliseconds.
//
// CITE: Zain, Chai, Goh, Lim, Low and Tan, Development of Tic-Tac-Toe Game Using Heuristic Search, 2020 (the
// rules, as quoted in the report on the MICS player).
package rules

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Searcher plays by the rules. It belongs to one goroutine. Between searches it keeps only allocated memory.
type Searcher struct{ w worker }

// New returns a Searcher.
func New() *Searcher { return &Searcher{} }

// Search applies the rules to p. It ignores lim.Depth. Once another limit is reached, it applies only rule 5.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	budget := search.NewBudget(ctx, lim)
	s.w.reset(p, budget)
	info := s.w.decide()
	info.Line, info.Depth = 1, len(info.PV)
	if lim.Depth > 0 {
		info.Depth = min(info.Depth, lim.Depth)
	}
	info.Nodes, info.Time = budget.Nodes, budget.Elapsed()
	if report != nil {
		report(info)
	}
	return info, nil
}

// compare orders moves by rule 5, the better first.
func (w *worker) compare(a, b game.Move) int {
	if w.board == nil {
		return cmp.Compare(a, b)
	}
	x, y := w.board.Cell(a), w.board.Cell(b)
	if w.lined != nil {
		if c := cmp.Or(cmp.Compare(w.chart.ways[y], w.chart.ways[x]), cmp.Compare(w.chart.own[y], w.chart.own[x])); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(distance(w.board, x), distance(w.board, y)), cmp.Compare(a, b))
}

func (w *worker) best() game.Move { return slices.MinFunc(w.moves, w.compare) }

const maxTrials = 1 << 17

// safest is rule 2 for games in which rows do not win: it plays out all moves.
func (w *worker) safest() game.Move {
	slices.SortFunc(w.moves, w.compare)
	best, least, trials := w.moves[0], -1, 0
	for _, m := range w.moves {
		if w.stop || trials > maxTrials {
			break
		}
		w.playMove(m)
		w.buf = w.p.AppendMoves(w.buf[:0])
		n := w.count(w.buf, least)
		w.p.Undo()
		trials += len(w.buf) + 1
		if w.stop {
			break
		}
		if least < 0 || n < least {
			best, least = m, n
		}
		if n == 0 {
			break
		}
	}
	return best
}

// count returns how many of the moves win at once for the side to move, at most enough unless that is negative.
func (w *worker) count(moves []game.Move, enough int) int {
	n := 0
	for _, m := range moves {
		if n == enough {
			break
		}
		if w.wins(m) {
			n++
		}
	}
	return n
}

type worker struct {
	p      game.Position
	board  game.Board // p, or nil
	lined  game.Lined // p, or nil
	direct bool       // see game.CellMoves
	me     game.Side
	// ours is the number of stones left in this turn, theirs the number of stones of the next turn.
	ours, theirs int
	chart        chart
	moves        []game.Move // the moves that the rules applied so far leave
	threats      []game.Move // moves with which the opponent could win
	points       []game.Move // moves with which the opponent could make a fork
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

// turns finds how many stones a turn has by playing from the position, once with the first legal moves and once with the last: one
// of these games may end before the turn does.
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

// keep removes all moves except those of the least cost, and returns that cost.
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
		return w.infoOf(w.best())
	case w.lined == nil:
		return w.infoOf(w.safest())
	case w.ours > 1 || w.theirs > 1:
		w.keep(func(m game.Move) int { return -int(w.chart.fillable[w.board.Cell(m)]) })
		return w.infoOf(w.best())
	}
	if w.parry() > 0 {
		return w.infoOf(w.best())
	}
	if m, ok := w.makeFork(); ok {
		return w.infoOf(m)
	}
	return w.infoOf(w.denyForks())
}

func (w *worker) infoOf(m game.Move) search.Info {
	score := eval.Score(0)
	if w.lined != nil {
		score = eval.Unit * eval.Score(w.chart.ways[w.board.Cell(m)])
	}
	return search.Info{PV: []game.Move{m}, Score: score}
}

func (w *worker) playMove(m game.Move) {
	w.p.Play(m)
	w.stop = w.budget.Step() || w.stop
}

// wins reports whether m wins at once for the side to move. Once a limit has been reached it returns false.
func (w *worker) wins(m game.Move) bool {
	if w.stop {
		return false
	}
	s := w.p.Turn()
	w.playMove(m)
	o := w.p.Outcome()
	w.p.Undo()
	return o == game.WinFor(s)
}
