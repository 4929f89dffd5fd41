// SPDX-License-Identifier: Apache-2.0

// Code generated from core.go; DO NOT EDIT.
// SHA-256 of that: 9d706cd420b2b3e908d5f5e8dce73938133a47c0c02bc84bad0fd4212581edc8

package connect4

import (
	"context"
	"io"
	"sync"

	"github.com/krow-lab/krow/tt"
)

type wideCore struct {
	wideGeometry
	o         Options
	wideTable *wideTable
	workers   []*wideWorker
	limit     limit
	busy      *tt.Claims
}

func newWideCore(columns, rows, k int, o Options) *wideCore {
	s := &wideCore{wideGeometry: newWideGeometry(columns, rows, k), o: o}
	s.wideTable = newWideTable(o.Hash, columns*int(s.stride), o.Threads > 1)
	if o.Threads > 1 {
		s.busy = new(tt.Claims)
	}
	for i := range max(o.Threads, 1) {
		s.workers = append(s.workers, newWideWorker(s, i))
	}
	return s
}

func (s *wideCore) bytes() int             { return s.wideTable.bytes() }
func (s *wideCore) limitNodes(n uint64)    { s.limit.nodes = n }
func (s *wideCore) save(w io.Writer) error { return s.wideTable.save(w) }

func (s *wideCore) load(r io.Reader) error {
	for _, w := range s.workers {
		w.useAll()
	}
	return s.wideTable.load(r)
}

func (s *wideCore) clear() {
	used := false
	for _, w := range s.workers {
		used = w.clear() || used
	}
	if used {
		s.wideTable.clear()
	}
}

func (s *wideCore) solve(ctx context.Context, p Position, known Result, report func(Result)) Result {
	n, r := s.enter(p)
	known = known.of(n.same)
	r.Lower, r.Upper = max(r.Lower, known.Lower), min(r.Upper, known.Upper)
	if !r.Exact() {
		s.begin(ctx)
		r = s.wideNarrow(&n, r, report)
	}
	return r.of(n.same)
}

func (s *wideCore) atMost(ctx context.Context, p Position, score int) (ok bool, nodes uint64) {
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

func (s *wideCore) nodes() uint64 {
	n := uint64(0)
	for _, w := range s.workers {
		n += w.nodes
	}
	return n
}

func (s *wideCore) enter(p Position) (n wideNode, r Result) {
	if p.won() {
		v := -(p.Left() / 2) - 1
		return n, Result{Lower: v, Upper: v}
	}
	n = wideNode{turn: wideNarrow(p.turn), other: wideNarrow(p.other)}
	stones := n.turn.or(n.other)
	empty := s.all.not(stones)
	n.ply = uint8(stones.count())
	n.wins, n.fears = s.wideGeometry.wins(n.turn).and(empty), s.wideGeometry.wins(n.other).and(empty)
	if !n.wins.and(s.playable(stones)).empty() {
		v := (p.Left() + 1) / 2
		return n, Result{Lower: v, Upper: v}
	}
	s.workers[0].settle(&n, 1)
	return n, Result{Lower: int(n.lower), Upper: int(n.upper)}
}

func (s *wideCore) begin(ctx context.Context) {
	s.limit.ctx = ctx
	s.limit.until, _ = ctx.Deadline()
	for _, w := range s.workers {
		w.nodes, w.next, w.pulse, w.stopped = 0, 0, 0, false
	}
}

func (s *wideCore) wideNarrow(n *wideNode, r Result, report func(Result)) Result {
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

func (s *wideCore) test(n *wideNode, beta int) (v int, ok bool) {
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
	ask := func(w *wideWorker, root wideNode) {
		if v := w.search(&root, beta, 0); !w.stopped && s.limit.done.CompareAndSwap(false, true) {
			answers <- v
		}
	}
	var wg sync.WaitGroup
	for _, w := range s.workers[1:] {
		wg.Go(func() { ask(w, *n) })
	}
	ask(s.workers[0], *n)
	wg.Wait()
	select {
	case v = <-answers:
		return v, true
	default:
		return 0, false
	}
}
