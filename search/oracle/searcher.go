// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"cmp"
	"context"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Searcher plays by the oracle.
type Searcher struct{ maxPositions int }

// New returns a Searcher that gives up after so many positions, and then plays the best of the moves that it has solved.
func New(maxPositions int) *Searcher { return &Searcher{maxPositions} }

// Search solves p. A limit in depth only cuts the line that it reports.
func (o *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if report == nil {
		report = func(search.Info) {}
	}
	b := search.NewBudget(ctx, lim)
	s := newSolver(p, o.maxPositions, b)
	moves := game.AppendSound(nil, p)
	// Until a move is solved, the first one is as good as any.
	answer := search.Info{Line: 1, PV: moves[:1], Bound: search.Lower}
	s.stopped = b.Stopped()
	values := s.solve(moves, func(values []Value) {
		if v := best(values); answer.Depth == 0 || v.Score > answer.Score {
			answer = s.info(v, lim.Depth)
			answer.Bound = search.Lower
			_, sign := v.Score.Distance()
			answer.Solved = sign > 0 // whatever the others are
			report(answer)
		}
	})
	if s.stopped {
		answer.Nodes, answer.Time = b.Nodes, b.Elapsed()
		report(answer)
		return answer, nil
	}
	slices.SortStableFunc(values, func(a, b Value) int { return cmp.Compare(b.Score, a.Score) })
	for i, v := range values[:min(max(lim.Lines, 1), len(values))] {
		info := s.info(v, lim.Depth)
		info.Line, info.Solved = i+1, true
		report(info)
		if i == 0 {
			answer = info
		}
	}
	return answer, nil
}

// info returns the answer that v is, with a line of best play no longer than depth unless that is 0.
func (s *solver) info(v Value, depth int) search.Info {
	pv := []game.Move{v.Move}
	s.p.Play(v.Move)
	for s.p.Outcome() == game.Ongoing && len(pv) != depth {
		m := s.follow()
		if m == game.NoMove {
			break
		}
		pv = append(pv, m)
		s.p.Play(m)
	}
	for range pv {
		s.p.Undo()
	}
	return search.Info{
		Line: 1, Depth: len(pv), Score: v.Score, PV: pv, Nodes: s.budget.Nodes, Time: s.budget.Elapsed(),
	}
}

// follow returns the first best move of a position that has been solved, from the memo alone.
func (s *solver) follow() game.Move {
	found := Value{game.NoMove, -eval.Infinity}
	mover := s.p.Turn()
	for _, m := range s.p.AppendMoves(nil) {
		s.p.Play(m)
		v, ok := s.memo[s.p.Key()]
		if o := s.p.Outcome(); o != game.Ongoing {
			v = eval.Outcome(o, mover, 0)
		} else if s.p.Turn() != mover {
			v = -v
		}
		s.p.Undo()
		if ok && farther(v) > found.Score {
			found = Value{m, farther(v)}
		}
	}
	return found.Move
}
