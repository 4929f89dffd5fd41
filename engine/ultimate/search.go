// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/krow-lab/krow/engine/ultimate/prover"
	rules "github.com/krow-lab/krow/game/ultimate"

	"github.com/krow-lab/krow/search"
)

type run struct {
	*Searcher
	budget *search.Budget // limits only the time; the number of nodes is limited by the field most
	nodes  atomic.Uint64
	most   uint64 // maximum number of nodes; 0 means no limit
	lines  int
	stop   atomic.Bool
	report func(search.Info)
	next   uint64  // number of nodes at which the next report is made
	lost   bool    // whether the prover has proved that the root is lost
	plies  int     // number of plies to the end of a game that is proved won or lost; 0 if it is unknown
	line   []uint8 // the moves from the root to this end of the game
}

// search grows the tree until a limit is reached or the root is proved.
func (r *run) search() {
	first := r.workers[0]
	for !r.over() {
		if r.tree.full.Load() {
			r.tree.shrink()
		}
		var wg sync.WaitGroup
		for _, w := range r.workers[1:] {
			wg.Go(func() {
				for !r.stop.Load() && !r.tree.full.Load() && !r.out() {
					r.grow(w)
					runtime.Gosched() // let the first worker run, because it reads the clock
				}
			})
		}
		for !r.over() && !r.tree.full.Load() {
			r.budget.Work(r.grow(first))
			if n := r.nodes.Load(); r.report != nil && n >= r.next {
				r.next = 2 * n
				r.reportRoot()
			}
		}
		wg.Wait()
	}
	r.stop.Store(true)
}

// mostAtOnce is the maximum number of nodes that a worker may add between two checks of the limits.
const mostAtOnce = 1 << 10

func (r *run) grow(w *worker) int {
	most := uint64(mostAtOnce)
	if r.most > 0 {
		most = min(most, r.most-min(r.nodes.Load(), r.most))
	}
	added := w.simulate(int(most))
	r.nodes.Add(uint64(added))
	if r.tree.nodes[0].loadStats().visits() >= mostVisits {
		r.tree.full.Store(true) // stop growing, so that the numbers of visits cannot overflow
	}
	return added
}

func (r *run) out() bool { return r.most > 0 && r.nodes.Load() >= r.most }

func (r *run) over() bool {
	if r.budget.Step() || r.out() || r.tree.nodes[0].loadLink().proved() {
		r.stop.Store(true)
	}
	return r.stop.Load()
}

// The prover is used from ply proverPly on, and also earlier in positions of its winning plan (prover.Plan). It may use
// 1/proverShare of the time and of the nodes.
const (
	proverPly   = 28
	proverShare = 4
)

func (r *run) prove(ctx context.Context, b *rules.Board, lim search.Limits) {
	root := &r.tree.nodes[0]
	l := root.loadLink()
	if r.prover == nil || lim.Depth > 0 || l.proved() {
		return
	}
	var a prover.Answer
	switch m, known := prover.Plan(b); {
	case known && lim.Nodes == 0:
		a = prover.Answer{Low: 1, High: 1, Best: int(m)}
	case b.Ply >= proverPly || prover.Ends(b):
		a = r.prover.Solve(ctx, *b, r.share(lim))
	default:
		return
	}
	r.nodes.Add(a.Nodes)
	low, high := a.Low+1, a.High+1
	if r.lost = high == lost; r.lost {
		r.measure(ctx, b, lim)
		return
	}
	if child, ok := r.tree.child(0, uint8(a.Best)); ok && low > lost {
		k := &r.tree.nodes[child]
		if known := k.loadLink(); !known.proved() {
			k.storeLink(known.within(low, max(low, known.high()), far))
			k.setValue(max(k.loadStats().value(), worth[low]))
		}
	}
	root.storeLink(l.within(max(l.low(), won-high), l.high(), 0))
	r.workers[0].update(root, gather(r.tree.children(root.loadLink())))
}

// share returns 1/proverShare of the limits, or the rest of the limits if that is less.
func (r *run) share(lim search.Limits) (share search.Limits) {
	// The time limit is at least 1, because 0 would mean no limit.
	if lim.Time > 0 {
		share.Time = max(min(lim.Time/proverShare, lim.Time-r.margin(lim.Time)-r.budget.Elapsed()), 1)
	}
	if lim.Nodes > 0 {
		share.Nodes = min(lim.Nodes/proverShare, lim.Nodes-min(r.nodes.Load(), lim.Nodes)) + 1
	}
	return share
}

// measure asks the prover for the number of plies to the end from a root that is won or lost. It does nothing if this number is
// known. It also does nothing in a position of the prover's plan, because the wins of the plan take too many plies to be
// measured.
func (r *run) measure(ctx context.Context, b *rules.Board, lim search.Limits) {
	if _, far := prover.Plan(b); far {
		return
	}
	value := won - r.tree.nodes[0].loadLink().low()
	if r.prover == nil || r.plies > 0 || !r.lost && (value == drawn || !r.tree.nodes[0].loadLink().proved()) {
		return
	}
	plies, line, nodes := r.prover.Distance(ctx, *b, !r.lost && value == won, r.share(lim))
	r.plies, r.line = plies, line
	r.nodes.Add(nodes)
	if r.lost && plies > 0 {
		r.stop.Store(true) // the prover's line delays the loss longest, so no search is needed
	}
}
