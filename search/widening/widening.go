// SPDX-License-Identifier: Apache-2.0

// Package widening implements generalized threats search with iterative widening, for m,n,k games: a proof search in which every
// move of the attacker must threaten something.
//
// # Basics
//
//	s, err := widening.New(g, 4)
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # How it works
//
// A side has a win of order n if it wins within n of its own moves. A move is a threat of order n-1 if, after an opponent's
// pass, the side would have a win of order n-1:
//
//	order 1   . X X X X .   a row can be completed
//	order 2   . . X X X .   if the opponent passes, there are two ways to complete a row
//
// The search tries the orders 1, 2, 3, ... At each order it examines only moves that are threats of the order below. A win after
// a pass has a trace: the cells on which the two sides place stones. Only two kinds of answers can prevent such a win: an answer
// in the trace, and an answer on a line that the opponent can complete before the win. No other answer is examined. In plain
// m,n,k games an additional stone never harms its owner, so nothing is lost by examining only threats and only these
// answers: the search finds a win in the fewest moves, and every win that it reports is real. If there is no win, the same
// search looks for a win of the opponent after a pass of the side to move, and keeps the moves that prevent this win. The
// lines heuristic (package eval/lines) chooses the best of these moves.
//
// CITE: Cazenave, Iterative Widening, 2001, and A Generalized Threats Search Algorithm, 2002 (threats as trees in which the other
// side may pass, and traces). Counting moves, in place of the vector of orders in Cazenave's search, is our change.
package widening

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/lines"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
)

// Searcher searches for wins by threats. Only one goroutine may use it. It keeps no results between searches.
type Searcher struct {
	order int
	lines *lines.Evaluator
}

// New returns a Searcher for g, which tries orders up to the given one. It returns an error if g is not a plain m,n,k game.
func New(g game.Game, order int) (*Searcher, error) {
	var r mnk.Rules
	if m, ok := g.(*mnk.Game); ok {
		r = m.Rules()
	}
	if r.K == 0 || r.Exact[0] || r.Exact[1] || r.Blocked || r.Gravity || r.Opening > 1 || r.Turn > 1 || r.Captures > 0 || r.Distance > 0 || r.Foul != nil {
		return nil, fmt.Errorf("%s: generalized threats search needs a game in which k or more in a row win and stones do not fall", g)
	}
	e, err := lines.New(g, lines.Options{})
	return &Searcher{order, e}, err
}

// Search looks for a win of order 1, then for a win of order 2, and so on; the package comment defines the orders. It stops when p
// is solved, when a limit is reached, or after the greatest order, which is the argument of New. Order n has the depth 2n-1.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	w := newWorker(p.(game.Lined), search.NewBudget(ctx, lim))
	moves := p.AppendMoves(nil)
	empty := len(moves)
	slices.SortStableFunc(moves, func(a, b game.Move) int { return cmp.Compare(s.lines.ScoreMove(p, b), s.lines.ScoreMove(p, a)) })
	info := search.Info{Line: 1, Depth: 1, PV: moves[:1]}
	for n := 1; n <= s.order && !info.Solved && (lim.Depth == 0 || 2*n-1 <= lim.Depth); n++ {
		won := w.win(p.Turn(), n)
		left := moves
		if won.trace == nil {
			left = w.defend(p.Turn(), n, moves)
		}
		if w.stop {
			break
		}
		info.Depth = 2*n - 1
		switch {
		case won.trace != nil:
			info.PV, info.Score, info.Solved = []game.Move{game.Move(won.move)}, eval.Win(info.Depth), true
		case len(left) == 0:
			info.Score, info.Solved = eval.Loss(info.Depth+1), true
		default:
			moves, info.PV = left, left[:1]
			info.Solved = info.Depth >= empty // the board is full before a side can win, so the game is drawn
		}
	}
	info.Nodes, info.Time = w.budget.Nodes, w.budget.Elapsed()
	if report != nil {
		report(info)
	}
	return info, nil
}
