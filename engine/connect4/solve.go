// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"context"
	"sync"
	"sync/atomic"
)

// Result is what is proved about a position: Lower <= score <= Upper, for the side to move.
type Result struct {
	Lower, Upper int
	Nodes        uint64 // positions entered
}

// Exact says whether the score is known.
func (r Result) Exact() bool { return r.Lower == r.Upper }

// Sign returns 1 for a win, -1 for a loss and 0 for a draw, and whether that much is known.
func (r Result) Sign() (sign int, known bool) {
	switch {
	case r.Lower > 0:
		return 1, true
	case r.Upper < 0:
		return -1, true
	}
	return 0, r.Lower == 0 && r.Upper == 0
}

// minus returns the result for the other side.
func (r Result) minus() Result { return Result{-r.Upper, -r.Lower, r.Nodes} }

// limit says when to stop: for each goroutine its own test, since they share the flag alone.
type limit struct {
	ctx   context.Context
	nodes uint64      // 0: no limit; of each thread
	done  atomic.Bool // another thread has the answer
}

// LimitNodes makes each Solve or Column end after so many nodes; 0 takes the limit away.
func (s *Solver) LimitNodes(n uint64) { s.limit.nodes = n }

// Solve returns the score of p, or the bounds proved when ctx was done or the limit reached. With Options.Weak
// a score beyond ±1 is known as a win or a loss only, that is as a bound. A position that is over has the
// score of its end.
func (s *Solver) Solve(ctx context.Context, p Position) Result {
	n, r := s.enter(p)
	if !r.Exact() {
		s.begin(ctx)
		r = s.narrow(&n, r)
	}
	if n.same {
		return r.minus()
	}
	return r
}

// atMost says whether the score of p is proved to be at most score, by a single null window, and the nodes
// it took.
func (s *Solver) atMost(ctx context.Context, p Position, score int) (ok bool, nodes uint64) {
	n, r := s.enter(p)
	beta, below := score+1, true
	if n.same {
		beta, below = -score, false
	}
	if r.Upper < beta || r.Lower >= beta {
		return (r.Upper < beta) == below, 0
	}
	s.begin(ctx)
	n.mixed = s.workers[0].key(&n)
	v, done := s.test(&n, beta)
	return done && (v < beta) == below, s.nodes()
}

// nodes returns the positions entered since the task began.
func (s *Solver) nodes() uint64 {
	n := uint64(0)
	for _, w := range s.workers {
		n += w.nodes
	}
	return n
}

// enter returns p as a node to search, as far on as moves are forced, and what that alone proves of it. Where
// n.same is set, an odd number of moves was forced and n is the other side's.
func (s *Solver) enter(p Position) (n node, r Result) {
	if p.won() {
		v := -(p.Left() / 2) - 1
		return n, Result{Lower: v, Upper: v}
	}
	stones := p.turn | p.other
	empty := s.all &^ stones
	n = node{turn: p.turn, other: p.other, ply: uint8(stones.count())}
	n.wins, n.fears = s.geometry.wins(p.turn)&empty, s.geometry.wins(p.other)&empty
	if !(n.wins & s.playable(stones)).empty() {
		v := (p.Left() + 1) / 2
		return n, Result{Lower: v, Upper: v}
	}
	s.workers[0].settle(&n)
	return n, Result{Lower: int(n.lower), Upper: int(n.upper)}
}

// begin makes the workers ready for a new task.
func (s *Solver) begin(ctx context.Context) {
	s.limit.ctx = ctx
	for _, w := range s.workers {
		w.nodes, w.next, w.stopped = 0, 0, false
	}
}

// narrow searches null windows until the bounds of n meet or the limit is reached.
func (s *Solver) narrow(n *node, r Result) Result {
	n.mixed = s.workers[0].key(n)
	for !r.Exact() && !(s.o.Weak && (r.Lower > 0 || r.Upper < 0)) {
		beta := s.window(r.Lower, r.Upper)
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
		if s.Report != nil {
			s.report(n, r)
		}
	}
	r.Nodes = s.nodes()
	return r
}

// report tells what is proved so far, seen from the side that asked.
func (s *Solver) report(n *node, r Result) {
	if n.same {
		r = r.minus()
	}
	s.Report(r)
}

// near is from where on scores are looked for one by one, from 0 outwards: most are there.
const near = 6

// window returns the next beta to ask about: far from 0 half of the way there, since searches are short at the
// extremes; then the sign, and then one after the other.
func (s *Solver) window(lower, upper int) int {
	switch {
	case !s.o.Extremes && !s.o.Weak:
		return lower + (upper-lower)/2 + 1
	case !s.o.Weak && -lower > near && -lower >= upper && lower/2 < upper:
		return lower/2 + 1
	case !s.o.Weak && upper > near && upper/2 > lower:
		return upper/2 + 1
	case lower >= 0:
		return lower + 1
	case upper <= 0:
		return upper
	}
	return 1
}

// test asks all the workers whether the score of n is at least beta and returns the first one's answer, a
// bound. It is false when the limit was reached.
func (s *Solver) test(n *node, beta int) (v int, ok bool) {
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
	var wg sync.WaitGroup
	for _, w := range s.workers {
		root := *n
		wg.Go(func() {
			if v := w.search(&root, beta, 0); !w.stopped && s.limit.done.CompareAndSwap(false, true) {
				answers <- v
			}
		})
	}
	wg.Wait()
	select {
	case v = <-answers:
		return v, true
	default:
		return 0, false
	}
}

// Move is what the stone in a column is worth to the side that places it.
type Move struct {
	Column int
	Result
}

// Moves solves each legal move of p, the center first, and calls report, unless that is nil, whenever one
// is done. It returns them by column.
func (s *Solver) Moves(ctx context.Context, p Position, report func(Move)) []Move {
	var all []Move
	for c := range s.columns {
		if p.Legal(c) {
			all = append(all, Move{Column: c})
		}
	}
	for _, i := range centerFirst(len(all)) {
		q, _ := p.Play(all[i].Column)
		all[i].Result = s.Solve(ctx, q).minus()
		if report != nil {
			report(all[i])
		}
	}
	return all
}

// centerFirst returns 0 to n-1 from the middle outwards, left before right.
func centerFirst(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = (n - 1) / 2
		if i%2 == 1 {
			order[i] += (i + 1) / 2
		} else {
			order[i] -= i / 2
		}
	}
	return order
}

// Line returns best play from p, whose score is known, to the end, or as far as it is proved before ctx is
// done: of the best moves always the one nearest to the center.
func (s *Solver) Line(ctx context.Context, p Position, score int) []int {
	line, _ := s.line(ctx, p, score, -1)
	return line
}

// Best returns a move of p that is worth score at least, the one nearest to the center, or -1 when none is proved
// before ctx is done.
func (s *Solver) Best(ctx context.Context, p Position, score int) int {
	c, _ := s.best(ctx, p, score)
	return c
}

// line is Line, of at most n moves unless that is negative; it also returns the nodes it took.
func (s *Solver) line(ctx context.Context, p Position, score, n int) (line []int, nodes uint64) {
	for !p.Over() && len(line) != n {
		c, took := s.best(ctx, p, score)
		nodes += took
		if c < 0 {
			break
		}
		line = append(line, c)
		p, _ = p.Play(c)
		score = -score
	}
	return line, nodes
}

// best returns a move of p worth score at least, or -1 when none is proved in time, and the nodes it took.
func (s *Solver) best(ctx context.Context, p Position, score int) (column int, nodes uint64) {
	for _, c := range centerFirst(s.columns) {
		q, err := p.Play(c)
		if err != nil {
			continue
		}
		ok, took := s.atMost(ctx, q, -score)
		nodes += took
		if ok {
			return c, nodes
		}
	}
	return -1, nodes
}
