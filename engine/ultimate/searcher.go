// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/engine/ultimate/prover"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/tt"
)

// Searcher is the engine as a search. It keeps its tree for its next search.
type Searcher struct {
	o       Options
	tree    *tree
	workers []*worker
	prover  *prover.Prover // or nil
	table   *tt.Table      // of alpha-beta
}

// New returns the engine for g, or an error in one line that says why it does not play it.
func New(g game.Game, o Options) (*Searcher, error) {
	if !Plays(g) {
		return nil, fmt.Errorf("ultimate: the engine plays ultimate tic-tac-toe, not %s", g)
	}
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	s := &Searcher{o: o}
	if o.Mode == AlphaBeta {
		s.table = tt.New(o.Hash)
		o.Hash = 0
	}
	s.tree = newTree(o.Hash)
	b := board.New(g.(*rules.Game).Rules())
	s.tree.reset(&b)
	for range o.Threads {
		w := &worker{tree: s.tree, o: &s.o, alone: o.Threads == 1, rng: rng.Rand(o.Seed)}
		if o.Net != nil {
			w.eval = o.Net.NewEvaluator()
		}
		s.workers = append(s.workers, w)
	}
	if !o.NoProof && o.Mode == BestFirst {
		s.prover = prover.New(prover.Options{Hash: o.Hash / 4})
	}
	return s, nil
}

// run is one search.
type run struct {
	*Searcher
	budget *search.Budget // of time; the nodes are counted here
	nodes  atomic.Uint64
	most   uint64 // nodes
	lines  int
	stop   atomic.Bool
	report func(search.Info)
	next   uint64 // nodes at which to report
	lost   bool   // the prover says so
	noise  [board.Moves]float32
}

// Search implements search.Searcher. The depth is a bound of the lines looked at; with no other limit, a search of the tree
// takes Options.Time besides, unless the root is proved before.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if most := s.o.Nodes; most > 0 && (lim.Nodes == 0 || lim.Nodes > most) {
		lim.Nodes = most
	}
	if lim.Time == 0 && lim.Nodes == 0 {
		lim.Time = s.o.Time
	}
	begun := search.NewBudget(ctx, search.Limits{Time: lim.Time - margin(lim.Time)})
	b := board.FromPosition(p.(*rules.Position))
	s.prepare(&b, p.AppendHistory(nil))
	r := &run{Searcher: s, budget: begun, most: lim.Nodes, lines: max(lim.Lines, 1), report: report, next: 1 << 12}
	r.noise = s.o.disturb(p.Key())
	for _, w := range s.workers {
		w.deepest, w.depth = 0, board.Moves
		if lim.Depth > 0 {
			w.depth = min(lim.Depth, board.Moves)
		}
		if w.eval != nil {
			w.eval.Base(&b)
		}
	}
	if s.o.Mode == AlphaBeta {
		return r.deepen(), nil
	}
	r.grow(s.workers[0])
	r.prove(ctx, &b, lim)
	r.search()
	return r.tell(), nil
}

// margin is what is kept of the time of a move for what comes after the search.
func margin(d time.Duration) time.Duration { return min(d/10, 10*time.Millisecond) }

// prepare makes b the root of the tree: the same position, or one or two moves on, keeps what is known.
func (s *Searcher) prepare(b *board.Board, history []game.Move) {
	ahead := int(b.Ply) - int(s.tree.root.Ply)
	if s.o.Mode == UCT || ahead < 0 || ahead > 2 || ahead > len(history) {
		s.tree.reset(b)
		return
	}
	var moves []uint8
	for _, m := range history[len(history)-ahead:] {
		moves = append(moves, uint8(m))
	}
	s.tree.advance(b, moves)
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
					runtime.Gosched() // the first looks at the clock, and may have to share a processor
				}
			})
		}
		for !r.over() && !r.tree.full.Load() {
			r.budget.Work(r.grow(first))
			if n := r.nodes.Load(); r.report != nil && n >= r.next {
				r.next = 2 * n
				r.tell()
			}
		}
		wg.Wait()
	}
	r.stop.Store(true)
}

// mostAtOnce is how many nodes a worker may add between looks at the limits.
const mostAtOnce = 1 << 10

// grow has a worker add nodes, and returns how many.
func (r *run) grow(w *worker) int {
	most := uint64(mostAtOnce)
	if r.most > 0 {
		most = min(most, r.most-min(r.nodes.Load(), r.most))
	}
	added := w.simulate(int(most))
	r.nodes.Add(uint64(added))
	if r.tree.nodes[0].loadStats().visits() >= mostVisits {
		r.tree.full.Store(true) // of visits
	}
	return added
}

// out says whether there are enough nodes.
func (r *run) out() bool { return r.most > 0 && r.nodes.Load() >= r.most }

// over says whether to stop, and has all workers stop.
func (r *run) over() bool {
	_, l := r.tree.nodes[0].load()
	if r.budget.Step() || r.out() || l.proved() {
		r.stop.Store(true)
	}
	return r.stop.Load()
}

// tell reports the best moves, and returns the answer for the first.
func (r *run) tell() search.Info {
	_, l := r.tree.nodes[0].load()
	kids := make([]uint32, 0, board.Moves)
	for i := range l.count() {
		kids = append(kids, l.first()+i)
	}
	floor := lost
	if l.proved() {
		floor = won - l.low()
	}
	slices.SortStableFunc(kids, func(a, b uint32) int { return r.rank(b, floor) - r.rank(a, floor) })
	var first search.Info
	last := eval.Infinity
	for i, k := range kids[:min(r.lines, len(kids))] {
		info := r.info(k)
		info.Line = i + 1
		if i == 0 {
			_, move := r.tree.nodes[k].load()
			r.settle(&info, l, move)
			first = info
		}
		if info.Score > last {
			info.Score, info.Bound, info.Solved = last, search.Upper, false
		}
		last = info.Score
		if r.report != nil {
			r.report(info)
		}
	}
	return first
}

// settle calls the answer solved where the root is, unless it errs with a move that gives that away.
func (r *run) settle(info *search.Info, root, move link) {
	value := won - root.low()
	info.Solved = root.proved() && move.low() >= value
	switch {
	case !root.proved() && r.lost:
		info.Score, info.Solved = eval.Loss(board.Moves-int(r.tree.root.Ply)), true
	case info.Solved && value == drawn:
		info.Score = 0 // also where the move is only known not to lose
	case info.Solved && value == lost:
		info.Score = eval.Loss(root.dist()) // also where only the root is known to be lost, and no move of it
	}
	if info.Solved && !move.proved() {
		info.PV = info.PV[:1] // the tree has no line for what it was told
	}
}

// rank is order, or what an opponent that errs takes for it.
func (r *run) rank(at uint32, floor int) int {
	if r.o.Noise == 0 {
		return r.order(at, floor)
	}
	s, l := r.tree.nodes[at].load()
	return int(million * (s.value() + r.noise[l.move()]))
}

const million = 1_000_000

// order is the greater the better the child of the root is to be played: wins that come soon, then the value and the
// visits, then losses that come late. What is not sure to be worth floor comes after what is.
func (r *run) order(at uint32, floor int) int {
	s, l := r.tree.nodes[at].load()
	if r.o.Mode == UCT {
		return int(s.visits())
	}
	switch {
	case l.low() == won:
		return 100*million - l.dist()
	case l.high() == lost:
		return -100*million + l.dist()
	}
	v := int(million * (float64(s.value()) + float64(r.o.Settle)*math.Log(float64(s.visits()))))
	if l.low() < floor {
		v -= 10 * million
	}
	return v
}

// info returns what is known of a child of the root.
func (r *run) info(at uint32) search.Info {
	s, l := r.tree.nodes[at].load()
	info := search.Info{
		Depth: max(r.workers[0].deepest, 1), Nodes: max(r.nodes.Load(), 1), Time: r.budget.Elapsed(), PV: r.pv(at), Solved: l.proved(),
		Score: eval.Score(math.Round(float64(2*s.value()-1) * float64(eval.Unit))),
	}
	switch {
	case !l.proved():
	case l.low() == won:
		info.Score = eval.Win(l.dist() + 1)
	case l.low() == lost:
		info.Score = eval.Loss(l.dist() + 1)
	case l.low() == drawn:
		info.Score = 0
	}
	return info
}

// pv returns the best moves from a child of the root on, as deep as the tree goes.
func (r *run) pv(at uint32) (pv []game.Move) {
	for {
		_, l := r.tree.nodes[at].load()
		pv = append(pv, game.Move(l.move()))
		if l.count() == 0 {
			return pv
		}
		floor := lost
		if l.proved() {
			floor = won - l.low()
		}
		at = l.first()
		for i := range l.count() {
			if r.order(l.first()+i, floor) > r.order(at, floor) {
				at = l.first() + i
			}
		}
		// What the prover alone has proved, the tree has no line for.
		if _, next := r.tree.nodes[at].load(); l.proved() && !next.proved() {
			return pv
		}
	}
}
