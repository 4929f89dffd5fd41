// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"context"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Searcher is the solver as a search. It proves values and no distances: a win or loss is told to come with the
// last stone that there is room for, which is never too early.
type Searcher struct{ s *Solver }

// NewSearcher returns the solver of g as a search, or the error of New.
func NewSearcher(g game.Game, o Options) (*Searcher, error) {
	s, err := New(g, o)
	if err != nil {
		return nil, err
	}
	return &Searcher{s}, nil
}

// Search implements search.Searcher. It knows no depth and one line.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	a, err := s.s.Solve(ctx, p, lim)
	if err != nil {
		return search.Info{}, err
	}
	info := search.Info{
		Line: 1, Depth: 1, PV: []game.Move{a.Best}, Nodes: a.Nodes, Time: a.Time, Solved: a.Solved(),
	}
	left := len(p.AppendMoves(nil))
	switch {
	case a.Low > 0:
		info.Score = eval.Win(left - (left+1)%2)
	case a.High < 0:
		info.Score = eval.Loss(left - left%2)
	case a.Low < 0 && a.High == 0:
		info.Bound = search.Upper
	case !a.Solved():
		info.Bound = search.Lower
	}
	if report != nil {
		report(info)
	}
	return info, nil
}
