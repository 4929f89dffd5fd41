// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"context"
	"io"
	"sync"

	"github.com/krow-lab/krow/tt"
)

// core is a Solver of boards of one width in words.
type core struct {
	geometry
	o       Options
	table   *table
	workers []*worker
	limit   limit
	busy    *tt.Claims // or nil with one thread
}

func newCore(columns, rows, k int, o Options) *core {
	s := &core{geometry: newGeometry(columns, rows, k), o: o}
	s.table = newTable(o.Hash, columns*int(s.stride), o.Threads > 1)
	if o.Threads > 1 {
		s.busy = new(tt.Claims)
	}
	for i := range max(o.Threads, 1) {
		s.workers = append(s.workers, newWorker(s, i))
	}
	return s
}

func (s *core) bytes() int             { return s.table.bytes() }
func (s *core) limitNodes(n uint64)    { s.limit.nodes = n }
func (s *core) save(w io.Writer) error { return s.table.save(w) }

// load reads the table that all workers share.
func (s *core) load(r io.Reader) error {
	for _, w := range s.workers {
		w.useAll()
	}
	return s.table.load(r)
}

// clear empties all tables.
func (s *core) clear() {
	used := false
	for _, w := range s.workers {
		used = w.clear() || used
	}
	if used {
		s.table.clear()
	}
}

// solve narrows the bounds of p down from those known, see Solver.Solve.
func (s *core) solve(ctx context.Context, p Position, known Result, report func(Result)) Result {
	n, r := s.enter(p)
	known = known.of(n.same)
	r.Lower, r.Upper = max(r.Lower, known.Lower), min(r.Upper, known.Upper)
	if !r.Exact() {
		s.begin(ctx)
		r = s.narrow(&n, r, report)
	}
	return r.of(n.same)
}

// atMost says whether the score of p is proved to be at most score, by a single null window, and the nodes
// it took.
func (s *core) atMost(ctx context.Context, p Position, score int) (ok bool, nodes uint64) {
	n, r := s.enter(p)
	beta, below := score+1, true
	if n.same {
		beta, below = -score, false
	}
	if r.Upper < beta || r.Lower >= beta {
		return (r.Upper < beta) == below, 0
	}
	s.begin(ctx)
	s.limit.pulse = nil
	n.mixed = s.workers[0].key(&n)
	v, done := s.test(&n, beta)
	return done && (v < beta) == below, s.nodes()
}

// nodes returns the positions entered since the task began.
func (s *core) nodes() uint64 {
	n := uint64(0)
	for _, w := range s.workers {
		n += w.nodes
	}
	return n
}

// enter returns p as a node to search, as far on as moves are forced, and what that alone proves of it. Where
// n.same is set, an odd number of moves was forced and n is the other side's.
func (s *core) enter(p Position) (n node, r Result) {
	if p.won() {
		v := -(p.Left() / 2) - 1
		return n, Result{Lower: v, Upper: v}
	}
	n = node{turn: narrow(p.turn), other: narrow(p.other)}
	stones := n.turn.or(n.other)
	empty := s.all.not(stones)
	n.ply = uint8(stones.count())
	n.wins, n.fears = s.geometry.wins(n.turn).and(empty), s.geometry.wins(n.other).and(empty)
	if !n.wins.and(s.playable(stones)).empty() {
		v := (p.Left() + 1) / 2
		return n, Result{Lower: v, Upper: v}
	}
	s.workers[0].settle(&n, 1)
	return n, Result{Lower: int(n.lower), Upper: int(n.upper)}
}

// begin makes the workers ready for a new task.
func (s *core) begin(ctx context.Context) {
	s.limit.ctx = ctx
	s.limit.until, _ = ctx.Deadline()
	for _, w := range s.workers {
		w.nodes, w.next, w.pulse, w.stopped = 0, 0, 0, false
	}
}

// narrow searches null windows until the bounds of n meet or the limit is reached.
func (s *core) narrow(n *node, r Result, report func(Result)) Result {
	n.mixed = s.workers[0].key(n)
	s.limit.pulse = nil
	if report != nil {
		s.limit.pulse = func(nodes uint64) { report(Result{r.Lower, r.Upper, nodes}.of(n.same)) }
	}
	for !r.Exact() && !(s.o.Weak && (r.Lower > 0 || r.Upper < 0)) {
		beta := s.o.window(r.Lower, r.Upper)
		v, ok := s.test(n, beta)
		if !ok {
			break
		}
		if v >= beta {
			r.Lower = max(r.Lower, v)
		} else {
			r.Upper = min(r.Upper, v)
		}
		r.Nodes = s.nodes()
		if report != nil {
			report(r.of(n.same))
		}
	}
	r.Nodes = s.nodes()
	return r
}

// test asks all the workers whether the score of n is at least beta and returns the first one's answer, a
// bound. It is false when the limit was reached.
func (s *core) test(n *node, beta int) (v int, ok bool) {
	if len(s.workers) == 1 {
		w := s.workers[0]
		v = w.search(n, beta, 0)
		return v, !w.stopped
	}
	s.limit.done.Store(false)
	for _, w := range s.workers {
		w.stopped = false
	}
	answers := make(chan int, len(s.workers))
	ask := func(w *worker, root node) {
		if v := w.search(&root, beta, 0); !w.stopped && s.limit.done.CompareAndSwap(false, true) {
			answers <- v
		}
	}
	var wg sync.WaitGroup
	for _, w := range s.workers[1:] {
		wg.Go(func() { ask(w, *n) })
	}
	ask(s.workers[0], *n) // here, since it is the one that reports
	wg.Wait()
	select {
	case v = <-answers:
		return v, true
	default:
		return 0, false
	}
}
