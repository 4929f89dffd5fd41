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

// answer is a root move and what became of it.
type answer struct {
	move  game.Move
	rank  int // its place in the ordering
	score eval.Score
	pv    []game.Move
}

// run is one search.
type run struct {
	s        *Searcher
	p        game.Position
	start    time.Time
	depth, q int
	lines    int
	root     []ranked
	shares   []uint64
	report   func(search.Info) // may be nil
	improve  bool              // report answers on the way: one worker searches, for one line
}

// Search analyses p. Without limits it searches for Options.Time, or for Options.Nodes.
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
	if lim.Depth == 0 && !s.fixed {
		r.depth = affordable(nodes, r.q, r.depth)
	}
	r.shares = deal(nodes, len(r.root))
	return r.search(ctx, w), nil
}

// deadline returns when a search must stop looking: a tenth of its time before the end, but no more than 100
// ms, is left for what happens around it.
func deadline(start time.Time, limit time.Duration) time.Time {
	if limit == 0 {
		return time.Time{}
	}
	return start.Add(limit - min(limit/10, 100*time.Millisecond))
}

// winning returns the first move that wins at once, by the rules.
func winning(w *worker) (game.Move, bool) {
	w.moves = w.p.AppendMoves(w.moves[:0])
	for _, m := range w.moves {
		w.p.Play(m)
		o := w.p.Outcome()
		w.p.Undo()
		if o == game.WinFor(w.me) {
			return m, true
		}
	}
	return game.NoMove, false
}

// win answers with a move that wins at once.
func (r *run) win(w *worker, m game.Move) search.Info {
	r.depth, w.nodes = 1, 1
	return r.finish(w, []answer{{move: m, score: eval.Win(1), pv: []game.Move{m}}})
}

// order finds the root moves: the best 3q cells. A forbidden move is one of them only when no other is left.
func (r *run) order(w *worker) {
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

// search searches the root moves. With several threads the first move comes alone, and gives the others a score
// to beat; those are dealt to the workers in turn, and nothing passes between workers, so that the answer
// does not depend on which of them is quicker.
func (r *run) search(ctx context.Context, w *worker) search.Info {
	threads := min(r.s.o.Threads, len(r.root)-1)
	if threads < 2 {
		r.improve = r.report != nil && r.lines == 1
		return r.finish(w, w.run(r, 0, 1, nil))
	}
	found := w.run(r, 0, len(r.root), nil)
	if r.shares[0] < unlimited {
		left := (r.shares[0] - w.nodes) / uint64(threads)
		for i := 1; i <= threads; i++ {
			r.shares[i] += left
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
			results[i] = v.run(r, 1+i, threads, found)
		})
	}
	wg.Wait()
	for i, v := range r.s.workers[:threads] {
		found = append(found, results[i]...)
		if v != w {
			w.nodes += v.nodes
		}
	}
	return r.finish(w, found)
}

// info is the answer as others see it. Only a win at once is proved: by the rules, not by the search.
func (r *run) info(w *worker, a answer, line int) search.Info {
	return search.Info{
		Line: line, Depth: r.depth, Score: a.score, PV: a.pv, Nodes: w.nodes, Time: time.Since(r.start),
		Solved: a.score == eval.Win(1),
	}
}

// finish returns the best answer, after reporting the best few. Where there was no time for any search, it is
// the best cell, valued as it lies.
func (r *run) finish(w *worker, found []answer) search.Info {
	if len(found) == 0 {
		m := r.root[0].move
		found = []answer{{move: m, score: w.e.Evaluate(w.p, w.me), pv: []game.Move{m}}}
		r.depth, w.nodes, r.improve = 0, max(w.nodes, 1), false
	}
	// The earlier in the ordering comes first among equals.
	slices.SortFunc(found, func(a, b answer) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.rank, b.rank)) })
	if r.report != nil && !r.improve {
		for i, a := range found[:min(r.lines, len(found))] {
			r.report(r.info(w, a, 1+i))
		}
	}
	return r.info(w, found[0], 1)
}
