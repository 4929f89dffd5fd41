// SPDX-License-Identifier: Apache-2.0

package alphabeta

import (
	"context"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/minimax"
)

// Searcher is a search.Searcher. It keeps its table for the next search.
type Searcher struct {
	tree
	g      game.Game
	report func(search.Info)
	answer search.Info   // the best answer so far
	lines  []search.Info // the lines of the last depth searched, the best first
	taken  []game.Move   // the first moves of the lines already found at the current depth
}

// Clear deletes the results of earlier searches. It must be called when the heuristic's values change.
func (s *Searcher) Clear() {
	if s.table != nil {
		s.table.Clear()
	}
}

// Search searches p to the depth in lim, or, if that is 0, to the depth in the options. With Deepening it ends early if a deeper
// search could not change the answer.
//
// If the search is stopped, it returns the best root move found so far. If this depth was not searched completely, the score
// of the move is a lower bound. With Deepening, each depth begins with the best move of the previous depth; if the search is
// stopped before this move is finished, the answer is the answer of the previous depth. If no root move was searched
// completely, the answer is the first move in the order, with depth 0 and the heuristic's value of p.
//
// An answer is solved if finished games are valued by Exact, and either all lines of the tree end in finished games, or the score
// is a forced win or loss.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if got := p.Game().String(); got != s.g.String() {
		return search.Info{}, fmt.Errorf("a search made for %s cannot search %s", s.g, got)
	}
	s.beginSearch(ctx, p, lim, report)
	depth := s.depth(ctx, p, lim)
	s.grow(depth)
	s.fallBack()
	s.stopped = s.budget.Stopped()
	d := depth
	if s.Deepening {
		d = 1
	}
	for !s.stopped && d <= depth && !s.searchLines(d, max(lim.Lines, 1)) {
		d++
	}
	s.answer.Nodes, s.answer.Time = s.budget.Nodes, s.budget.Elapsed()
	if s.answer.Depth == 0 {
		s.report(s.answer)
	}
	return s.answer, nil
}

func (s *Searcher) beginSearch(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) {
	if s.report = report; report == nil {
		s.report = func(search.Info) {}
	}
	s.p, s.root, s.ply = p, p.Turn(), 0
	s.budget = search.NewBudget(ctx, lim)
	s.lines, s.moves = s.lines[:0], s.moves[:0]
	for _, f := range s.followers {
		f.Reset(p)
	}
	if s.table != nil {
		s.table.Age()
	}
}

func (s *Searcher) grow(depth int) {
	s.forget(depth + 1)
	for len(s.pv) <= depth {
		s.pv = append(s.pv, nil)
	}
}

// fallBack sets the answer to the first move in the order, in case the search is stopped before it has finished a move.
func (s *Searcher) fallBack() {
	start := s.order(game.NoMove, game.NoMove)
	m := s.pick(start, len(s.moves))
	s.moves = s.moves[:start]
	s.answer = search.Info{Line: 1, PV: []game.Move{m}, Score: s.leaf()}
}

// searchLines searches for the n best lines to one depth, and reports whether a deeper search could not change them.
func (s *Searcher) searchLines(depth, n int) (done bool) {
	last := slices.Clone(s.lines)
	s.lines, s.taken = s.lines[:0], s.taken[:0]
	done = true
	for i := range min(n, s.width()) {
		guess := search.Info{Score: s.answer.Score, PV: []game.Move{game.NoMove}}
		if i < len(last) {
			guess = last[i]
		}
		info, ended := s.searchLine(depth, guess)
		if s.stopped {
			return true
		}
		done = done && ended
		s.lines = append(s.lines, info)
		s.taken = append(s.taken, info.PV[0])
		if i == 0 {
			s.answer = info
		}
		s.report(info)
	}
	return done
}

func (s *Searcher) width() int { return len(game.AppendSound(s.moves, s.p)) }

// searchLine searches for the best line whose first move is not in s.taken, and tries the line of guess first. It reports whether a
// deeper search could not change the line.
func (s *Searcher) searchLine(depth int, guess search.Info) (info search.Info, ended bool) {
	low, high := -eval.Infinity, eval.Infinity
	if s.Aspiration > 0 {
		low, high = guess.Score-s.Aspiration, guess.Score+s.Aspiration
	}
	for {
		s.horizon = 0
		score, m := s.searchRoot(depth, low, high, guess.PV[0])
		switch {
		case s.stopped:
			return search.Info{}, false
		case m == game.NoMove: // no move is better than low, so search again without this limit
			low = -eval.Infinity
			continue
		case score >= high:
			high = eval.Infinity
			continue
		}
		_, sign := score.Distance()
		ended = s.horizon == 0 || s.Terminal == Exact && sign != 0
		s.extend(depth)
		return s.info(depth, score, search.Exact, ended && s.Terminal == Exact), ended
	}
}

func (s *Searcher) info(depth int, score eval.Score, b search.Bound, solved bool) search.Info {
	return search.Info{
		Line: len(s.taken) + 1, Depth: depth, Score: score, Bound: b, PV: slices.Clone(s.pv[0]),
		Nodes: s.budget.Nodes, Time: s.budget.Elapsed(), Solved: solved,
	}
}

// The adaptive depth is the depth of the deepest full tree with at most adaptiveNodes leaves. For a tree of two plies the limit is
// higher, so that a threat and its answer are seen on all boards except the largest.
const (
	adaptiveNodes    = 500_000
	adaptiveTwoPlies = 10_000_000
)

// adaptive returns the adaptive depth for p: for example 2 on an empty board of gomoku, and the whole game in tic-tac-toe. It plays
// the first legal moves, and multiplies the numbers of moves of the positions on this line. If the game on this line ends early,
// each later position counts as having one move fewer than the position before it.
//
// The cited text states only that the depth depends on the game. CITE: Li, Nguyen, Talasila and Zhang, Generalized Tic Tac Toe,
// section 4.
func adaptive(p game.Position) int {
	depth, leaves, width, played := 0, 1, 1, 0
	var moves []game.Move
	for ; depth < minimax.MaxDepth; depth++ {
		width--
		if p.Outcome() == game.Ongoing {
			moves = p.AppendMoves(moves[:0])
			width = len(moves)
			p.Play(moves[0])
			played++
		}
		leaves *= width
		if width == 0 || leaves > adaptiveTwoPlies || depth > 1 && leaves > adaptiveNodes {
			break
		}
	}
	for range played {
		p.Undo()
	}
	return max(depth, 1)
}

func (t *tree) depth(ctx context.Context, p game.Position, lim search.Limits) int {
	_, timed := ctx.Deadline()
	d := t.Depth
	switch {
	case lim.Depth > 0:
		d = lim.Depth
	case t.AdaptiveDepth && d > 0:
		d = min(d, adaptive(p))
	case t.AdaptiveDepth:
		d = adaptive(p)
	case d > 0:
	case t.Deepening && (timed || lim.Time > 0 || lim.Nodes > 0):
		d = minimax.MaxDepth
	default:
		d = minimax.DefaultDepth
	}
	return min(d, minimax.MaxDepth)
}
