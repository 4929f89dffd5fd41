// SPDX-License-Identifier: Apache-2.0

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"math"

	"go.starlark.net/starlark"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
	"github.com/krow-lab/krow/search/greedy"
	"github.com/krow-lab/krow/search/mcts"
)

// searchOptions are the settings of krow's search for a program that only evaluates positions.
type searchOptions struct {
	by    string // alphaBeta or treeSearch
	depth int
	nodes uint64
	near  int // maximum distance of the searched moves from a stone; 0 means no maximum
}

// The searches, by the names that programs use.
const alphaBeta, treeSearch = "alphabeta", "mcts"

// usualNear is the default of the option near. On boards of more than smallCells cells, the search considers only moves within
// this distance of a stone.
const (
	usualNear  = 2
	smallCells = 42
)

// setSearch implements the function search, with which a program sets the options of krow's search.
func (m *starMatch) setSearch(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	depth, nodes, near, by := 0, 0, usualNear, alphaBeta
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "depth?", &depth, "nodes?", &nodes, "near?", &near, "by?", &by); err != nil {
		return nil, err
	}
	switch {
	case m.function != nil:
		return nil, errors.New("search can be called only outside functions")
	case by != alphaBeta && by != treeSearch:
		return nil, fmt.Errorf("search: by must be %q or %q, not %q", alphaBeta, treeSearch, oneLine(by))
	case depth < 0 || depth > 64:
		return nil, fmt.Errorf("search: depth must be 1 to 64, not %d", depth)
	case nodes < 0:
		return nil, fmt.Errorf("search: nodes must be 1 or more, not %d", nodes)
	case near < 0 || near > game.MaxSide:
		return nil, fmt.Errorf("search: near must be 1 or more, or 0 for all moves, not %d", near)
	}
	m.search = searchOptions{by, depth, uint64(nodes), near}
	return starlark.None, nil
}

// stopped is a panic value. An evaluation panics with it to end the search if the program has failed or has used up its steps.
type stopped struct{ fault *Fault }

// searching is a search that calls a program's functions.
type searching struct {
	m      *starMatch
	search search.Searcher

	// For a tree search: the number of values that the program has returned in this move, and the sum of their absolute values.
	seen, size float64
}

func (m *starMatch) newSearching() (*searching, error) {
	s := &searching{m: m}
	if m.way == "score" {
		s.search = greedy.New(scorer{m, m.function})
		return s, nil
	}
	if m.search.by == treeSearch {
		o := mcts.Defaults()
		o.Seed, o.Value = m.seed, s.chance
		s.search = mcts.New(o)
		return s, nil
	}
	o := alphabeta.Options{
		Depth: 64, Deepening: true, Eval: s, TT: 1 << 20, Killer: true, Refutation: true, History: true, PVS: true,
	}
	if m.search.depth > 0 {
		o.Depth = m.search.depth
	}
	if m.scorer != nil {
		o.Order = scorer{m, m.scorer}
	} else if p := m.game.Start(); game.CellMoves(p) {
		o.Order = promising{newWindows(p.(game.Lined))}
	}
	ab, err := alphabeta.New(m.game, o)
	s.search = ab
	return s, err
}

// think chooses a move by krow's search, which evaluates positions with the program's function.
func (m *starMatch) think(ctx context.Context, p game.Position, req Request, r *Reply) (f *Fault) {
	if m.searcher == nil {
		s, err := m.newSearching()
		if err != nil {
			return &Fault{Text: err.Error(), Reason: Error}
		}
		m.searcher = s
	}
	lim := search.Limits{Depth: req.Depth, Nodes: req.Nodes, Time: req.Time}
	if m.search.nodes > 0 && (lim.Nodes == 0 || m.search.nodes < lim.Nodes) {
		lim.Nodes = m.search.nodes
	}
	q := p.Clone()
	all := m.search.near == 0 || m.position.size() <= smallCells || !game.CellMoves(q)
	if !all {
		q = &nearby{Lined: q.(game.Lined), distance: m.search.near}
	}
	best, f := m.searcher.searchMoves(ctx, q, lim)
	if f != nil {
		return f
	}
	r.Move = int(best.PV[0])
	for _, move := range best.PV {
		r.PV = append(r.PV, int(move))
	}
	r.Depth, r.Score, r.Scored, r.Solved, r.Nodes = best.Depth, int64(best.Score), true, best.Solved && all, best.Nodes
	return nil
}

// nearby is a position whose list of moves contains only the moves near a stone.
type nearby struct {
	game.Lined
	distance int
	marked   []bool // scratch
}

// AppendMoves appends the moves near a stone.
func (n *nearby) AppendMoves(dst []game.Move) []game.Move {
	start := len(dst)
	dst = n.Lined.AppendMoves(dst)
	if len(n.marked) == 0 {
		n.marked = make([]bool, len(n.Cells()))
	}
	clear(n.marked)
	return append(dst[:start], near(dst[start:], n.Lined, n.distance, n.marked)...)
}

// Forbids calls the Forbids of the embedded position, if it is a game.Forbidder.
func (n *nearby) Forbids() bool {
	f, ok := n.Lined.(game.Forbidder)
	return ok && f.Forbids()
}

// Forbidden calls the Forbidden of the embedded position, if it is a game.Forbidder.
func (n *nearby) Forbidden(m game.Move) string {
	if f, ok := n.Lined.(game.Forbidder); ok {
		return f.Forbidden(m)
	}
	return ""
}

// Clone returns an independent copy.
func (n *nearby) Clone() game.Position {
	return &nearby{Lined: n.Lined.Clone().(game.Lined), distance: n.distance}
}

// promising is a move ordering. Moves that add to more rows come first.
type promising struct{ w *windows }

// ScoreMove returns windows.promise for the cell of m.
func (o promising) ScoreMove(p game.Position, m game.Move) eval.Score {
	b := p.(game.Board)
	return eval.Score(o.w.promise(b.Cells(), b.Cell(m)))
}

// searchMoves searches p, and may leave p changed. When the steps are used up, it returns the best result that it has found.
func (s *searching) searchMoves(ctx context.Context, p game.Position, lim search.Limits) (best search.Info, f *Fault) {
	root := p
	if n, ok := p.(*nearby); ok {
		root = n.Lined
	}
	root = root.Clone()
	s.seen, s.size = 0, 0
	report := func(i search.Info) {
		if i.Line <= 1 {
			best = i
			best.PV = append([]game.Move{}, i.PV...)
		}
	}
	defer func() {
		// The search has changed the position that the program sees. In that position the program has made no moves that must be
		// taken back.
		s.m.position.plays = 0
		if e := recover(); e != nil {
			why, ok := e.(stopped)
			if !ok {
				panic(e)
			}
			if f = why.fault; f == nil && len(best.PV) == 0 {
				f = &Fault{Text: fmt.Sprintf("its %d steps are not enough to look one move ahead", s.m.limits.Steps), Reason: Steps}
			}
		}
		s.m.position.enter(root, root.Turn())
	}()
	best, err := s.search.Search(ctx, p, lim, report)
	if err != nil {
		return best, &Fault{Text: err.Error(), Reason: Error}
	}
	return best, nil
}

// callScore calls a function of the program that returns a score for p. It leaves p unchanged.
func (s *starMatch) callScore(f starlark.Callable, p game.Position, me game.Side, args ...starlark.Value) eval.Score {
	if s.steps() >= s.limits.Steps {
		panic(stopped{})
	}
	if n, ok := p.(*nearby); ok {
		p = n.Lined
	}
	s.position.enter(p, me)
	value, err := s.call(f, append([]starlark.Value{s.position}, args...)...)
	if s.fault != nil && s.fault.Reason == Steps {
		panic(stopped{})
	}
	if err != nil {
		panic(stopped{s.faultOf(err)})
	}
	s.position.leave()
	x, err := number(value)
	if err != nil {
		panic(stopped{&Fault{Text: f.Name() + ": " + err.Error(), Reason: Error}})
	}
	x = max(min(x*float64(eval.Unit), float64(eval.WinBound)), -float64(eval.WinBound))
	return eval.Score(x).Opinion()
}

// Evaluate calls the program's function evaluate.
func (s *searching) Evaluate(p game.Position, side game.Side) eval.Score {
	return s.m.callScore(s.m.function, p, side)
}

// chance converts the value that the program gives to p for a side into a winning probability, which the tree search needs. The
// value 0 becomes one half. chance divides the value by the average absolute value that the program has returned during this
// move, so that programs may use any scale.
func (s *searching) chance(p game.Position, side game.Side) float64 {
	v := float64(s.m.callScore(s.m.function, p, side))
	s.seen++
	s.size += math.Abs(v)
	if v == 0 {
		return 0.5
	}
	return 1 / (1 + math.Exp(-2*v*s.seen/s.size))
}

// scorer is the program's function score.
type scorer struct {
	m *starMatch
	f starlark.Callable
}

// ScoreMove calls the program's function.
func (s scorer) ScoreMove(p game.Position, m game.Move) eval.Score {
	return s.m.callScore(s.f, p, p.Turn(), whole(int(m)))
}
