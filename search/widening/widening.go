// SPDX-License-Identifier: Apache-2.0

// Package widening implements generalized threats search with iterative widening, for m,n,k games: a proof search in which every
// move of the attacker must threaten something.
//
// # Basics
//
//	s, err := widening.New(g, widening.Options{})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # How it works
//
// A side has a win of order n if it wins within n of its own moves. A move is a threat of order n-1 if the side would have a win of
// that order after the opponent passed:
//
//	order 1   . X X X X .   a row can be completed
//	order 2   . . X X X .   if the opponent passes, there are two ways to complete a row
//
// The search tries the orders 1, 2, 3, ... At each order it examines only moves that are threats of the order below. A win after a
// pass has a trace: the cells on which the two sides place stones. Only an answer in the trace, or one that helps the opponent to
// complete a row in the time that is left, can prevent the win. No other answer is examined. In plain m,n,k games an additional
// stone never harms its owner, so both restrictions lose nothing: a win in fewest moves is found, and no other win is claimed.
//
// If there is no win, the same search asks what the opponent would win after a pass, and keeps the moves that prevent it.
//
// # Caveats
//
// The package plays only games in which k or more in a row win and a stone may be placed on any empty cell. At the default order it
// sees wins by double threats. Without a win, a move is chosen by the lines through its cell.
//
// CITE: Cazenave, Iterative Widening, 2001, and A Generalized Threats Search Algorithm, 2002 (threats as trees in which the other
// side may pass, and traces). The counting of moves in place of a vector of orders is ours.
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

// DefaultOrder is the greatest order that is tried by default.
const DefaultOrder = 4

// Options are the settings.
type Options struct {
	Order int // greatest order; 0 means DefaultOrder
}

// Searcher searches for wins by threats. Only one goroutine may use it. It keeps no results between searches.
type Searcher struct {
	order int
	lines *lines.Evaluator
}

// New returns a Searcher for g, or an error if g is not a plain m,n,k game.
func New(g game.Game, o Options) (*Searcher, error) {
	if m, ok := g.(*mnk.Game); !ok || !plain(m.Rules()) {
		return nil, fmt.Errorf("%s: generalized threats search needs a game in which k or more in a row win and stones do not fall", g)
	}
	e, err := lines.New(g, lines.Options{})
	return &Searcher{cmp.Or(o.Order, DefaultOrder), e}, err
}

func plain(r mnk.Rules) bool {
	return r.Exact == [2]bool{} && !r.Blocked && !r.Gravity && r.Opening == 1 && r.Turn == 1 && r.Captures == 0 && r.Distance == 0 && r.Foul == nil
}

// Search searches p. Its default effort is the greatest order of the options.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	w := newWorker(p.(game.Lined), search.NewBudget(ctx, lim))
	moves := p.AppendMoves(nil)
	empty := len(moves)
	slices.SortStableFunc(moves, func(a, b game.Move) int { return cmp.Compare(s.lines.ScoreMove(p, b), s.lines.ScoreMove(p, a)) })
	info := search.Info{Line: 1, PV: moves[:1]}
	for n := 1; n <= s.order; n++ {
		depth := 2*n - 1
		if lim.Depth > 0 && depth > lim.Depth {
			break
		}
		first, _, won := w.win(p.Turn(), n)
		left := moves
		if !won {
			left = w.defend(p.Turn(), n, moves)
		}
		if w.stop {
			break
		}
		info.Depth = depth
		switch {
		case won:
			info.PV, info.Score, info.Solved = []game.Move{game.Move(first)}, eval.Win(depth), true
		case len(left) == 0:
			info.Score, info.Solved = eval.Loss(depth+1), true
		default:
			moves, info.PV = left, left[:1]
			info.Solved = depth >= empty // a draw
		}
		info.Nodes, info.Time = w.budget.Nodes, w.budget.Elapsed()
		if info.Solved {
			break
		}
		if report != nil && n < s.order {
			report(info)
		}
	}
	info.Depth, info.Nodes, info.Time = max(info.Depth, 1), w.budget.Nodes, w.budget.Elapsed()
	if report != nil {
		report(info)
	}
	return info, nil
}

// defend returns the moves after which the opponent has no win of order n. It examines only moves that can prevent the win that the
// opponent has after a pass.
func (w *worker) defend(me game.Side, n int, moves []game.Move) (left []game.Move) {
	_, trace, lost := w.win(me.Other(), n)
	if !lost {
		return moves
	}
	answers := w.answers(me, n, trace)
	for _, m := range moves {
		if !answers[m] {
			continue
		}
		w.place(int(m), me)
		_, _, lost := w.win(me.Other(), n)
		w.take(int(m))
		if !lost {
			left = append(left, m)
		}
	}
	return left
}
