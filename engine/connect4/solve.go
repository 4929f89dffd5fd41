// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/krow-lab/krow/search/tt"
)

// Result is the proved score range of a position: Lower <= score <= Upper, for the side to move.
type Result struct {
	Lower, Upper int
	Nodes        uint64 // positions entered
}

// Exact reports whether the score is known.
func (r Result) Exact() bool { return r.Lower == r.Upper }

// Sign returns 1 for a win, -1 for a loss and 0 for a draw, and reports whether this is known.
func (r Result) Sign() (sign int, known bool) {
	switch {
	case r.Lower > 0:
		return 1, true
	case r.Upper < 0:
		return -1, true
	}
	return 0, r.Lower == 0 && r.Upper == 0
}

func (r Result) minus() Result { return Result{-r.Upper, -r.Lower, r.Nodes} }

func (r Result) of(other bool) Result {
	if other {
		return r.minus()
	}
	return r
}

// Unknown returns the result that holds for every position.
func Unknown() Result { return Result{Lower: -noBound, Upper: noBound} }

// Solve returns the score of p, or the bounds proved when ctx was done or the limit reached. With Options.Weak the bounds may
// only show that p is won or lost. A position that is over has the score of its end.
func (s *Solver) Solve(ctx context.Context, p Position) Result {
	return s.SolveWithin(ctx, p, Unknown())
}

// SolveWithin is Solve for a position whose score is known to be within the bounds known.
func (s *Solver) SolveWithin(ctx context.Context, p Position, known Result) Result {
	if v, ok := s.inBook(p); ok {
		return Result{v, v, known.Nodes}
	}
	r, other := s.enter(p)
	known = known.of(other)
	r.Lower, r.Upper = max(r.Lower, known.Lower), min(r.Upper, known.Upper)
	if !r.Exact() {
		r = s.search(ctx, r, other)
	}
	r.Nodes += known.Nodes
	return r.of(other)
}

func (s *Solver) atMost(ctx context.Context, p Position, score int) bool {
	if v, ok := s.inBook(p); ok {
		return v <= score
	}
	r, other := s.enter(p)
	beta := score + 1
	if other {
		beta = -score
	}
	if r.Upper >= beta && r.Lower < beta {
		s.beginTask(ctx, nil)
		v, done := s.test(beta)
		if s.spent += s.nodes(); !done {
			return false
		}
		r.Lower = v
	}
	return (r.Lower >= beta) == other
}

// inBook returns the score of p if the book has it.
func (s *Solver) inBook(p Position) (score int, ok bool) {
	if s.Book == nil || p.stones().count() > s.Book.Plies {
		return 0, false
	}
	return s.Book.score(p)
}

// searcher is a worker for boards of one word or of two.
type searcher interface {
	enter(p Position) (r Result, other bool)
	test(beta int) int
	clear() (used bool)
	self() *thread
}

type store interface {
	clear()
	save(w io.Writer) error
	load(r io.Reader) error
}

// mark holds the results that the parent has computed for a node, on boards of either width.
type mark struct {
	lower, upper int8 // bounds of the score, for the side to move
	ply          uint8
	same         bool // the side to move is the one that was to move in the parent
	order        int32
}

// bounds returns the bounds as the parent sees them.
func (m *mark) bounds() (lower, upper int) {
	if m.same {
		return int(m.lower), int(m.upper)
	}
	return -int(m.upper), -int(m.lower)
}

// loses sets the bounds of a position in which the other side wins with its next stone.
func (m *mark) loses(cells int) {
	m.lower = -int8((cells - int(m.ply)) / 2)
	m.upper = m.lower
}

// limits are the conditions to stop. Each thread tests them by itself, so that the threads share only one flag.
type limits struct {
	ctx     context.Context
	until   time.Time // the deadline of ctx, or zero
	nodes   uint64    // of each thread; 0 for no limit
	onNodes func(nodes uint64)
	done    atomic.Bool // another thread has the answer
}

type thread struct {
	limits   *limits
	id       int
	noParity bool
	busy     *tt.Claims // of all threads
	shared   uint8      // before this ply, threads announce the positions that they search; 0 with one thread
	late     uint8      // the near table keeps positions from this ply on; 0 at first, since small tasks need no other table
	later    uint8      // the value of late when a task is no longer small
	nodes    uint64     // positions entered in this task
	next     uint64     // the value of nodes at which the limits are tested next
	every    uint64     // maximum number of nodes between two tests of the limits
	report   uint64     // the value of nodes at which they are reported next
	stopped  bool       // the results of search have no meaning any more
}

const (
	// sharedCells is the number of empty cells up to which threads do not announce what they search, because these searches are
	// too short.
	sharedCells = 18
	// growAfter is the number of nodes after which a task uses the whole table.
	growAfter = 1 << 15
	// lateCells is the number of empty cells from which on the near table keeps positions. A probe of it takes a tenth of the time
	// of a probe of the far table. Most positions are late, and few of them are met again, so its small size costs only 2 to 7 %
	// more nodes on 7 x 6.
	lateCells = 16
	// reportLooks is the number of tests of the limits between two reports of the first worker.
	reportLooks = 16
)

// earlyCells is the number of empty cells above which children are ranked by earlyRank, for scores near 0.
const earlyCells = 20

// The parts of the sum of earlyRank. Learned from 28,000 nodes of the search of the empty board of 7 x 6. All children of each
// node were searched. For each pair of children, a logistic function of the difference of their ranks learned which child settles
// the node with fewer nodes.
const (
	againWeight       = 320 // the mover is to move again, after a forced reply
	forcingWeight     = 96
	ownWeight         = 184 // a winning cell of the mover
	goodWeight        = 107 // more, on a row that counts in zugzwang
	nextWeight        = 105 // more, on top of a playable cell
	otherWeight       = 110 // a winning cell of the other side
	ownTwiceWeight    = 62  // two winning cells on top of each other
	otherTwiceWeight  = 53
	overOwnWeight     = 72  // a winning cell of the other side on top of one of the mover
	overOtherWeight   = 104 // and the other way round
	ownChanceWeight   = 16
	otherChanceWeight = 13
	ownNearWeight     = 12 // a stone of the mover next to the new one
	otherNearWeight   = 9
)

// The ranks that earlyRank adds for a cell, by the distance of its column from the edge and of its row from the top.
var (
	columnWeights = [...]int16{-83, 7, 89, 124}
	rowWeights    = [...]int16{-34, -8, 13, -13, -3, 22}
)

// The parts of the sum of lateRank. Tuned by counts of nodes on random positions of 8 to 28 plies.
const (
	forcingRank = 400
	winRank     = 256
	closedRank  = 128 // of a cell that wins and lies on top of a playable one
	slowScore   = 5   // scores nearer to 0 multiply closedRank by 4: the end is far
	lateScore   = 3   // scores nearer to 0 are mostly of games that zugzwang decides
	goodRank    = 256 // added for such scores on a row that counts in zugzwang: reply for the answering side, mine for the other
)

// Special values of a child's order: its search is done, another thread is searching it, or it has no rank yet.
const (
	searched = -1 << 31
	waiting  = searched + 1
	unranked = searched + 2
)

func newThreads(g *wideGeometry, o Options, l *limits) []thread {
	t := thread{limits: l, noParity: o.NoParity, later: uint8(max(g.cells-lateCells, 0))}
	// A worker tests the limits about once in a millisecond on 7 x 6, and more often if a node has many moves with long lines.
	t.every = uint64(min(max(1<<20/(g.columns*g.k*g.k), 1), 1<<12))
	if o.Threads > 1 {
		t.busy, t.shared = new(tt.Claims), uint8(max(g.cells-sharedCells, 0))
	}
	all := make([]thread, max(o.Threads, 1))
	for i := range all {
		all[i] = t
		all[i].id = i
	}
	return all
}

func (t *thread) self() *thread { return t }

// useAll begins to use both tables.
func (t *thread) useAll() { t.late = t.later }

// checkLimit stops the thread when its time or its nodes are used up.
func (t *thread) checkLimit() {
	l := t.limits
	t.next = t.nodes + t.every
	if t.nodes <= growAfter {
		t.next = min(t.next, growAfter+1)
	} else {
		t.useAll()
	}
	if t.nodes >= t.report && t.id == 0 && l.onNodes != nil {
		t.report = t.nodes + t.every*reportLooks
		l.onNodes(t.nodes)
	}
	if l.nodes > 0 {
		t.next = min(t.next, l.nodes)
		t.stopped = t.nodes >= l.nodes
	}
	if !l.until.IsZero() && !time.Now().Before(l.until) {
		<-l.ctx.Done() // this can take a moment, because the timer of ctx needs a processor and all may be searching
	}
	if l.done.Load() || l.ctx.Err() != nil {
		t.stopped = true
	}
}

// LimitNodes makes each search end after the given number of nodes in each thread; 0 removes the limit.
func (s *Solver) LimitNodes(n uint64) { s.limits.nodes = n }

func (s *Solver) nodes() (n uint64) {
	for _, w := range s.workers {
		n += w.self().nodes
	}
	return n
}

func (s *Solver) enter(p Position) (r Result, other bool) {
	for _, w := range s.workers {
		r, other = w.enter(p)
	}
	return r, other
}

func (s *Solver) beginTask(ctx context.Context, onNodes func(nodes uint64)) {
	s.limits.ctx, s.limits.onNodes = ctx, onNodes
	s.limits.until, _ = ctx.Deadline()
	for _, w := range s.workers {
		t := w.self()
		t.nodes, t.next, t.report, t.stopped = 0, 0, 0, false
	}
}

func (s *Solver) search(ctx context.Context, r Result, other bool) Result {
	report := func(nodes uint64) {
		if r.Nodes = nodes; s.Report != nil {
			s.Report(r.of(other))
		}
	}
	s.beginTask(ctx, report)
	for !r.Exact() && !(s.weak && (r.Lower > 0 || r.Upper < 0)) {
		beta := s.window(r.Lower, r.Upper)
		v, ok := s.test(beta)
		if !ok {
			break
		}
		if v >= beta {
			r.Lower = max(r.Lower, v)
		} else {
			r.Upper = min(r.Upper, v)
		}
		report(s.nodes())
	}
	r.Nodes = s.nodes()
	s.spent += r.Nodes
	return r
}

// near bounds the scores that are tested one by one, from 0 outwards: most scores are there.
const near = 6

// window returns the next beta to test. If a bound is far from 0, it tests the score half of the way to 0, because searches are
// short at the extremes; then it tests the sign, then the other scores one by one.
func (s *Solver) window(lower, upper int) int {
	switch {
	case !s.weak && -lower > near && -lower >= upper && lower/2 < upper:
		return lower/2 + 1
	case !s.weak && upper > near && upper/2 > lower:
		return upper/2 + 1
	case lower >= 0:
		return lower + 1
	case upper <= 0:
		return upper
	}
	return 1
}

// test asks all workers whether the score of the root is at least beta, and returns the first answer, a bound; false
// when the limit was reached.
func (s *Solver) test(beta int) (v int, ok bool) {
	if len(s.workers) == 1 {
		v = s.workers[0].test(beta)
		return v, !s.workers[0].self().stopped
	}
	s.limits.done.Store(false)
	answers := make(chan int, 1)
	ask := func(w searcher) {
		w.self().stopped = false
		if v := w.test(beta); !w.self().stopped && s.limits.done.CompareAndSwap(false, true) {
			answers <- v
		}
	}
	var wg sync.WaitGroup
	for _, w := range s.workers[1:] {
		wg.Go(func() { ask(w) })
	}
	ask(s.workers[0]) // here, since it is the one that reports
	wg.Wait()
	select {
	case v = <-answers:
		return v, true
	default:
		return 0, false
	}
}

// Line returns best play from p, whose score is known, to the end, or as far as it is proved before ctx is done. If
// several moves are best, it takes the move nearest to the center.
func (s *Solver) Line(ctx context.Context, p Position, score int) []int {
	return s.line(ctx, p, score, -1)
}

// line is Line, of at most n moves unless that is negative.
func (s *Solver) line(ctx context.Context, p Position, score, n int) (line []int) {
	for !p.over() && len(line) != n {
		c := s.Best(ctx, p, score)
		if c < 0 {
			break
		}
		line = append(line, c)
		p, _ = p.Play(c)
		score = -score
	}
	return line
}

// Best returns the move of p nearest to the center that is worth at least score, or -1 if no move is proved before ctx is done.
func (s *Solver) Best(ctx context.Context, p Position, score int) int {
	for c, q := range p.children() {
		if s.atMost(ctx, q, -score) {
			return c
		}
	}
	return -1
}
