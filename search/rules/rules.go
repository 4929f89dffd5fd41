// SPDX-License-Identifier: Apache-2.0

// Package rules implements a player that follows five rules. The first rule that applies chooses the move:
//
//  1. win;
//  2. prevent a win of the opponent's next move;
//  3. make a fork: two ways to win with the next move;
//  4. prevent a fork of the opponent;
//  5. play the move on the most lines that can still win.
//
// The rules were written for tic-tac-toe. Here they play every game of this project. The authors of a published player of m,n,k
// games used them as an opponent. In tic-tac-toe they never lose, with either side.
//
// # Basics
//
//	s := rules.New()
//	info, err := s.Search(ctx, p, search.Limits{}, nil)
//
// # Readings
//
// In rule 5, a way to win is a line of k cells that contains the move and no enemy stone. If several moves have the most ways,
// the rule plays the move with the most own stones in these lines, then the move nearest to the centre, then the first move.
// This order also decides between the moves that remain after an earlier rule.
//
// Rule 2 keeps the moves after which the opponent has the fewest ways to win at once. If no move stops the opponent, rule 5
// decides. A fork is a move after which the side has two winning moves; if the opponent takes the cell of one of them, the
// other winning move still wins. Rule 4 keeps the moves after which the opponent has the fewest forks; if a move threatens
// to win, only the forced answer is counted.
//
// If a turn has several stones, rule 1 finds wins with one and with two stones, rule 2 takes the cell on the most lines that
// the opponent could complete in a turn, and rules 3 and 4 are not used. In a game that is not won by a row on the board, rules
// 1 and 2 play each move to see its result, rules 3 and 4 are not used, and rule 5 prefers the centre.
//
// # Caveats
//
// Only a win by rule 1 is Solved. The score of any other move is its number of ways to win. Search reports only one line, because
// the rules do not rank the other moves. A forbidden move (Renju) is played only if there is no other move. Rule 4 does not see the
// rare moves that prevent a fork from a distance, by a capture (Pente) or because they make a point forbidden or allowed (Renju).
//
// # Speed
//
// Counting the lines costs O(cells k). Rules 1 and 2 play each move once or twice to see its result; rules 3 and 4 play only moves
// on lines that are nearly full. A move on a board of 70 x 70 with k = 10 takes a few milliseconds.
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

// Searcher plays by the five rules. Only one goroutine may use it. Between searches it keeps only allocated memory, and no results.
type Searcher struct{ w worker }

// New returns a Searcher.
func New() *Searcher { return &Searcher{} }

// Search applies the rules to p. It ignores lim.Depth. When the limit of nodes or time is reached, it applies only rule 5.
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

// compare compares two moves by rule 5; the better one comes first.
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

// safest applies rule 2 in games that are not won by a row on the board: it plays each move to see its result.
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

// count returns the number of the moves that win at once for the side to move. It stops counting at the number enough; if
// enough is negative, it counts all of these moves.
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
	board  game.Board // p, or nil if p is not a Board
	lined  game.Lined // p, or nil if p is not Lined
	direct bool       // whether a move is a cell, see game.CellMoves
	me     game.Side
	// ours is the number of stones left in the current turn, and theirs is the number of stones in the opponent's next turn.
	ours, theirs int
	chart        chart
	moves        []game.Move // the moves that remain after the rules applied so far
	threats      []game.Move // moves with which the opponent could win
	points       []game.Move // moves with which the opponent could make a fork
	buf          []game.Move
	budget       *search.Budget
	stop         bool // whether a limit has been reached
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

// turns finds the number of stones in a turn. It plays two lines of moves from the position: in one line it always plays the
// first legal move, and in the other line the last. Two lines are needed because the game may end in one of them before the
// turn ends.
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

// keep removes all moves except those with the least cost, and returns that cost.
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

// wins reports whether m wins at once for the side to move. After a limit has been reached, it returns false.
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
