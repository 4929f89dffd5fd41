// SPDX-License-Identifier: Apache-2.0

package minimax

import (
	"cmp"
	"context"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Searcher is a search.Searcher. It remembers nothing.
type Searcher struct{ o Options }

// New returns a Searcher.
func New(o Options) *Searcher {
	if o.Depth <= 0 {
		o.Depth = DefaultDepth
	}
	if o.Eval == nil {
		o.Eval = eval.None{}
	}
	return &Searcher{o}
}

// Search searches p to the depth of the limits, or else of the options. When it is stopped it answers with
// the best of the root moves it has finished, whose score is then a lower bound; when it has finished
// none, with the first move and the heuristic's opinion of p, at depth 0.
//
// An answer is solved when finished games are valued as such and either all lines of the tree end in them,
// or the score is a forced win or loss.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if report == nil {
		report = func(search.Info) {}
	}
	depth := s.depth(lim)
	t := s.tree(ctx, p, lim, depth)
	moves := game.AppendSound(nil, p)
	answer := search.Info{Line: 1, PV: moves[:1], Score: t.leaf()}
	var lines []search.Info // of the root moves finished
	for _, m := range moves {
		info, ok := t.line(m, depth)
		if !ok {
			answer.Nodes, answer.Time = t.budget.Nodes, t.budget.Elapsed()
			report(answer)
			return answer, nil
		}
		if lines = append(lines, info); len(lines) == 1 || info.Score > answer.Score {
			answer = info
			t.keep(m)
			answer.Bound = search.Lower // for all that is known of the other moves
			answer.Solved = info.Score > eval.WinBound && s.o.Terminal == Exact
			report(answer)
		}
	}
	return t.best(lines, lim.Lines, report), nil
}

// depth returns how deep to search.
func (s *Searcher) depth(lim search.Limits) int {
	if lim.Depth > 0 {
		return min(lim.Depth, MaxDepth)
	}
	return min(s.o.Depth, MaxDepth)
}

// tree returns the search of p, about to begin.
func (s *Searcher) tree(ctx context.Context, p game.Position, lim search.Limits, depth int) *tree {
	t := &tree{Options: s.o, p: p, root: p.Turn(), budget: search.NewBudget(ctx, lim), pv: make([][]game.Move, depth+1)}
	t.stopped = t.budget.Stopped()
	if inc, ok := s.o.Eval.(eval.Incremental); ok {
		t.inc = inc
		inc.Reset(p)
	}
	return t
}

// line returns the line that begins with m, unless the search was stopped in it.
func (t *tree) line(m game.Move, depth int) (search.Info, bool) {
	if t.stopped {
		return search.Info{}, false
	}
	t.horizon = 0
	score := t.after(m, depth)
	if t.stopped {
		return search.Info{}, false
	}
	_, sign := score.Distance()
	return search.Info{
		Line: 1, Depth: depth, Score: score, PV: append([]game.Move{m}, t.pv[1]...),
		Nodes: t.budget.Nodes, Time: t.budget.Elapsed(),
		Solved: t.Terminal == Exact && (t.horizon == 0 || sign != 0),
	}, true
}

// best reports the n best lines of all, the first in move order first among equals, and returns the best.
func (t *tree) best(lines []search.Info, n int, report func(search.Info)) search.Info {
	unsolved := slices.ContainsFunc(lines, func(i search.Info) bool { return !i.Solved })
	slices.SortStableFunc(lines, func(a, b search.Info) int { return cmp.Compare(b.Score, a.Score) })
	// Short of a win, a solved move is the best only if no other can be worth more.
	if lines[0].Score <= eval.WinBound && unsolved {
		lines[0].Solved = false
	}
	for i := range lines[:min(max(n, 1), len(lines))] {
		lines[i].Line, lines[i].Nodes, lines[i].Time = i+1, t.budget.Nodes, t.budget.Elapsed()
		report(lines[i])
	}
	return lines[0]
}
