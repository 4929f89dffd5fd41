// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"context"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Searcher plays by the solver, and by another search where a position cannot be solved in time or is lost, since the
// solver knows nothing of putting up a fight. It proves values and no distances: a win or loss is told to come with
// the last stone that there is room for, which is never too early.
type Searcher struct {
	s      *Solver
	unsure search.Searcher
}

// NewSearcher returns a Searcher of g, or the error of New. What cannot be solved in two thirds of the time or nodes
// is left to unsure, or to the solver's guess where that is nil.
func NewSearcher(g game.Game, o Options, unsure search.Searcher) (*Searcher, error) {
	s, err := New(g, o)
	if err != nil {
		return nil, err
	}
	return &Searcher{s, unsure}, nil
}

// Search implements search.Searcher. It knows no depth and one line.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	mine := lim
	if s.unsure != nil {
		mine.Time, mine.Nodes = lim.Time*2/3, (lim.Nodes*2+2)/3
	}
	a, err := s.s.Solve(ctx, p, mine)
	if err != nil {
		return search.Info{}, err
	}
	info := a.info(p)
	if s.unsure != nil && (a.High < 0 || !a.Solved()) {
		rest, err := s.unsure.Search(ctx, p, left(lim, a), nil)
		if err != nil {
			return rest, err
		}
		info = a.merge(info, rest)
	}
	if report != nil {
		report(info)
	}
	return info, nil
}

// left returns what the other search may still take, a quarter of the time at least.
func left(lim search.Limits, a Answer) search.Limits {
	if lim.Time > 0 {
		lim.Time = max(lim.Time-a.Time, lim.Time/4)
	}
	if lim.Nodes > 0 {
		lim.Nodes -= min(a.Nodes, lim.Nodes-1)
	}
	return lim
}

// info returns the answer as that of a search.
func (a Answer) info(p game.Position) search.Info {
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
	return info
}

// merge takes the moves of another search, and its score where the answer is not known.
func (a Answer) merge(info, rest search.Info) search.Info {
	rest.Nodes, rest.Time = rest.Nodes+info.Nodes, rest.Time+info.Time
	if a.Solved() {
		rest.Score, rest.Bound, rest.Solved, rest.PV = info.Score, info.Bound, true, rest.PV[:1]
	}
	return rest
}
