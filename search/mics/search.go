// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// answer is a root move and its result.
type answer struct {
	move  game.Move
	rank  int // number of the move in the ordering
	depth int // depth of the search, including the move itself
	score eval.Score
	pv    []game.Move
}

// rank sorts answers by score, the best first; equal scores are sorted by the ordering of the moves.
func rank(found []answer) {
	slices.SortFunc(found, func(a, b answer) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.rank, b.rank)) })
}

// run contains the data of one search.
type run struct {
	s        *Searcher
	p        game.Position
	start    time.Time
	depth, q int
	lines    int
	root     []ranked
	shares   []uint64
	report   func(search.Info) // may be nil
	// improve is true if answers are reported during the search. This is possible with one worker and one wanted line.
	improve bool
	// again is false in the first pass over the root moves. While time remains, they are searched again, deeper or wider, and
	// again is true.
	again bool
}

// Timed reports whether the clock ends a search within these limits.
func (s *Searcher) Timed(lim search.Limits) bool {
	return lim.Depth == 0 && lim.Nodes == 0 && s.o.Nodes == 0
}

// Search analyses p. If lim sets no limit, the limit is Options.Nodes, or Options.Time if Options.Nodes is 0.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	r := &run{s: s, p: p, start: time.Now(), depth: s.o.Depth, q: s.o.Branching, lines: max(lim.Lines, 1), report: report}
	if p.Game() != s.g && p.Game().String() != s.g.String() {
		return search.Info{}, fmt.Errorf("mics: made for %s, not for %s", s.g, p.Game())
	}
	if p.Outcome() != game.Ongoing {
		return search.Info{}, game.ErrOver
	}
	if lim.Depth == 0 && lim.Nodes == 0 && lim.Time == 0 {
		if lim.Nodes = s.o.Nodes; lim.Nodes == 0 {
			lim.Time = s.o.Time
		}
	}
	if lim.Depth > 0 {
		r.depth = min(lim.Depth, maxDepth)
	}
	w := s.workers[0]
	w.load(ctx, p.Clone(), r.q, r.depth, deadline(r.start, lim.Time))
	r.order(w)
	if m, ok := winning(w); ok {
		if r.lines == 1 {
			return r.win(w, m), nil
		}
		r.root = slices.DeleteFunc(r.root, func(x ranked) bool { return x.move == m })
		r.root = slices.Insert(r.root, 0, ranked{move: m})
	}
	nodes := s.budget(r, w, lim)
	switch {
	case lim.Depth > 0 || s.fixed:
	case !s.o.Authors:
		r.depth = affordable(nodes, r.q, r.depth)
	case w.p.K() >= large && nodes < few:
		r.depth = 8
	}
	r.shares = deal(nodes, len(r.root), s.o.Authors)
	found := r.pass(ctx, w)
	if !s.o.Once && !s.fixed && lim.Depth == 0 {
		found = r.further(ctx, w, lim.Nodes, found)
	}
	return r.finish(w, found), nil
}

// further repeats the search in passes as long as nodes and time remain, with the best moves of the previous pass first. Each
// pass searches one ply deeper, and every other pass tries one more cell in a node. A deeper pass is useless if the previous pass
// searched all lines to the end of the game, or found a win or a loss. Then the next pass tries 1.5 times as many cells in a node
// instead; if all cells have been tried, further ends. If a pass is stopped, its answers are used only if their number is at
// least the number of lines to report.
func (r *run) further(ctx context.Context, w *worker, nodes uint64, found []answer) []answer {
	cells := len(r.p.AppendMoves(nil))
	r.again = true
	for len(found) > 0 && !w.stopped && (nodes == 0 || w.nodes < nodes) {
		rank(found)
		_, sign := found[0].score.Distance()
		switch {
		case (sign != 0 || w.horizon == 0) && r.q >= cells, r.depth == maxDepth:
			return found
		case sign != 0 || w.horizon == 0:
			r.q = min(r.q+(r.q+1)/2, cells)
		default:
			r.depth++
			r.q = min(r.q+r.depth%2, cells)
		}
		w.reach(r.q, r.depth)
		r.order(w)
		r.root = after(found, r.root)
		r.shares = make([]uint64, len(r.root))
		r.shares[0] = unlimited
		if nodes > 0 {
			r.shares[0] = nodes - w.nodes
		}
		more := r.pass(ctx, w)
		if len(more) < min(r.lines, len(r.root)) {
			return found
		}
		found = more
	}
	return found
}

// after returns the moves of found, in the order of found, followed by the other moves of root.
func after(found []answer, root []ranked) []ranked {
	all := make([]ranked, 0, len(root))
	for _, a := range found {
		all = append(all, ranked{move: a.move})
	}
	for _, x := range root {
		if !slices.ContainsFunc(found, func(a answer) bool { return a.move == x.move }) {
			all = append(all, x)
		}
	}
	return all
}

// deadline returns the time at which a search must stop. The deadline is earlier than the end of limit by a tenth of limit, but
// by at most 100 ms, because the work after the search also takes time.
func deadline(start time.Time, limit time.Duration) time.Time {
	if limit == 0 {
		return time.Time{}
	}
	return start.Add(limit - min(limit/10, 100*time.Millisecond))
}

// winning plays each move, and returns the first one that wins at once.
func winning(w *worker) (game.Move, bool) {
	w.moves = w.p.AppendMoves(w.moves[:0])
	for _, m := range w.moves {
		if game.After(w.p, m) == game.WinFor(w.me) {
			return m, true
		}
	}
	return game.NoMove, false
}

// wide is the number of cells from which a board counts as wide. On a wide board the first move is always the middle cell, because
// all cells of the empty board have similar values.
const wide = 22*22 + 1

// middle returns the move to the middle cell, if the board is wide and a stone can be placed on each of its cells. If every
// cell is a legal move, the board is empty and stones do not fall.
func middle(w *worker) (game.Move, bool) {
	cells := w.p.Cells()
	if w.moves = w.p.AppendMoves(w.moves[:0]); len(cells) < wide || len(w.moves) < len(cells) {
		return game.NoMove, false
	}
	columns, rows := w.p.Size()
	i := slices.IndexFunc(w.moves, func(m game.Move) bool { return w.p.Cell(m) == rows/2*columns+columns/2 })
	return w.moves[max(i, 0)], i >= 0
}

// win reports and returns the answer m, which wins at once.
func (r *run) win(w *worker, m game.Move) search.Info {
	w.nodes = 1
	return r.finish(w, []answer{{move: m, depth: 1, score: eval.Win(1), pv: []game.Move{m}}})
}

// order sets the root moves to the best 3q cells. Forbidden moves are among them only if there are no other moves.
func (r *run) order(w *worker) {
	if m, ok := middle(w); ok && r.lines == 1 {
		r.root = []ranked{{move: m}}
		return
	}
	n := max(3*r.q, r.lines)
	r.root = w.order(nil, n)
	f, ok := r.p.(game.Forbidder)
	if !ok {
		return
	}
	forbidden := func(x ranked) bool { return f.Forbidden(x.move) != "" }
	if !slices.ContainsFunc(r.root, forbidden) {
		return
	}
	all := slices.DeleteFunc(w.order(nil, r.p.Game().Moves()), forbidden)
	if len(all) > 0 {
		r.root = all[:min(n, len(all))]
	}
}

// pass searches the root moves. With several threads, the first move is searched alone, so that the other moves have a score to
// beat. The other moves are distributed to the workers in turn. Workers exchange no data during the search, so that the answer does
// not depend on their speed.
func (r *run) pass(ctx context.Context, w *worker) []answer {
	threads := min(r.s.o.Threads, len(r.root)-1)
	if threads < 2 {
		r.improve = r.report != nil && r.lines == 1
		return w.searchShare(r, 0, 1, nil)
	}
	start := w.nodes
	found := w.searchShare(r, 0, len(r.root), nil)
	if r.shares[0] < unlimited {
		left := (r.shares[0] - (w.nodes - start)) / uint64(threads)
		for i := 1; i <= threads; i++ {
			r.shares[i] += left
		}
	} else {
		for i := range r.shares {
			r.shares[i] = unlimited
		}
	}
	results := make([][]answer, threads)
	var wg sync.WaitGroup
	for i, v := range r.s.workers[:threads] {
		p := r.p.Clone()
		wg.Go(func() {
			if v != w {
				v.load(ctx, p, r.q, r.depth, w.deadline)
			}
			results[i] = v.searchShare(r, 1+i, threads, found)
		})
	}
	wg.Wait()
	for i, v := range r.s.workers[:threads] {
		found = append(found, results[i]...)
		if v != w {
			w.nodes, w.horizon, w.cut, w.stopped = w.nodes+v.nodes, w.horizon+v.horizon, w.cut || v.cut, w.stopped || v.stopped
		}
	}
	return found
}

// info returns the answer a as a search.Info. Only a win at once is marked as solved, because it was found by the rules of
// the game and not by the search.
func (r *run) info(w *worker, a answer, line int) search.Info {
	return search.Info{
		Line: line, Depth: a.depth, Score: a.score, PV: a.pv, Nodes: w.nodes, Time: time.Since(r.start),
		Solved: a.score == eval.Win(1),
	}
}

// finish reports the best answers and returns the best one. If there was no time for a search, the answer is the cell that the
// heuristic ranks highest, with its value.
func (r *run) finish(w *worker, found []answer) search.Info {
	if len(found) == 0 {
		m := r.root[0].move
		found = []answer{{move: m, score: w.e.Evaluate(w.p, w.me), pv: []game.Move{m}}}
		w.nodes, r.improve = max(w.nodes, 1), false
	}
	rank(found)
	if r.report != nil && !r.improve {
		for i, a := range found[:min(r.lines, len(found))] {
			r.report(r.info(w, a, 1+i))
		}
	}
	return r.info(w, found[0], 1)
}
