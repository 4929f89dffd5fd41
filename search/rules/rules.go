// SPDX-License-Identifier: Apache-2.0

// Package rules plays by five rules, the first that applies:
//
//  1. win;
//  2. stop the opponent from winning with the next move;
//  3. make a fork, two ways to win with the next move;
//  4. do not let the opponent make a fork;
//  5. play where one may still win in the most ways.
//
// They were written for tic-tac-toe. Here they play every game, as one of the methods that a player of m,n,k games was
// measured against. In tic-tac-toe they never lose, as either side.
//
// # Basics
//
//	s := rules.New()
//	info, err := s.Search(ctx, p, search.Limits{}, nil)
//
// # Readings
//
// A way to win, in rule 5, is a line of k cells through the move without an enemy stone. Among moves with as many ways
// the one with more own stones in them is played, then the one nearer to the centre, then the first. This order also
// decides between moves that an earlier rule leaves.
//
// Rule 2 keeps the moves that leave the opponent the fewest ways to win at once. If no move stops him, rule 5 decides. A
// fork is a move after which two moves win, such that whichever of them the opponent takes, the other one still wins.
// Rule 4 keeps the moves after which the opponent has the fewest forks; after a move that threatens to win only the
// forced answer counts.
//
// Where a turn has several stones, rule 1 knows wins with one stone and with two, rule 2 takes the cell on the most lines
// that the opponent could fill in a turn, and rules 3 and 4 are left out. Where no row wins, rules 1 and 2 try the moves
// out, rules 3 and 4 are left out, and rule 5 is the way to the centre.
//
// # Caveats
//
// Only a win by rule 1 is Solved. The score of any other move is its number of ways to win. There is only line 1: the
// rules rank no other moves. A forbidden move (Renju) is played only when no other is left. Rule 4 overlooks the rare
// move that prevents a fork from afar, by a capture (Pente) or by a point that it makes forbidden or free (Renju).
//
// # Speed
//
// The lines are counted in O(cells k). Rules 1 and 2 try each move out once or twice, rules 3 and 4 only moves on lines
// that are nearly full. A move on 70 x 70 with k = 10 takes a few milliseconds.
//
// CITE: Zain, Chai, Goh, Lim, Low and Tan, Development of Tic-Tac-Toe Game Using Heuristic Search, 2020 (the
// rules, as quoted in the report on the MICS player).
package rules

import (
	"cmp"
	"context"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Searcher plays by the rules. It belongs to one goroutine and keeps nothing but memory.
type Searcher struct{ w worker }

// New returns a Searcher.
func New() *Searcher { return &Searcher{} }

// Search applies the rules. Depth limits nothing. When a limit is reached, only rule 5 is still applied.
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

// safest is rule 2 where no lines tell which moves to look at.
func (w *worker) safest() game.Move {
	slices.SortFunc(w.moves, w.compare)
	best, least, trials := w.moves[0], -1, 0
	for _, m := range w.moves {
		if w.stop || trials > maxTrials {
			break
		}
		w.play(m)
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
