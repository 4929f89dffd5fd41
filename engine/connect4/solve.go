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

// Result contains the proved bounds of the score of a position, for the side to move: Lower <= score <= Upper.
type Result struct {
	Lower, Upper int
	Nodes        uint64 // number of positions entered
}

// Exact reports whether the score is known.
func (r Result) Exact() bool { return r.Lower == r.Upper }

// Sign returns 1 for a win, -1 for a loss and 0 for a draw, and reports whether this is proved.
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

// Unknown returns the result that is true for every position.
func Unknown() Result { return Result{Lower: -noBound, Upper: noBound} }

// Solve returns the score of p, or the bounds that were proved before ctx was done or the limit was reached. With
// Options.Weak the search ends when win, draw or loss is known, so the two bounds of a won or lost position may
// differ. The score of a finished game is its result.
func (s *Solver) Solve(ctx context.Context, p Position) Result {
	return s.SolveWithin(ctx, p, Unknown())
}

// SolveWithin solves p like Solve. The score of p must be within the bounds in known.
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

// inBook returns the score of p if the book contains p.
func (s *Solver) inBook(p Position) (score int, ok bool) {
	if s.Book == nil || p.stones().count() > s.Book.Plies {
		return 0, false
	}
	return s.Book.score(p)
}

// searcher is a worker for boards of one or of two words.
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

// mark contains the results that a parent has computed for a node; it is the same for boards of one and of two words.
type mark struct {
	lower, upper int8 // bounds of the score, for the side to move
	ply          uint8
	same         bool // whether the same side is to move as in the parent
	order        int32
}

// bounds returns the bounds for the side to move in the parent.
func (m *mark) bounds() (lower, upper int) {
	if m.same {
		return int(m.lower), int(m.upper)
	}
	return -int(m.upper), -int(m.lower)
}

// loses sets the bounds of a position in which the other side wins with its next stone; cells is the number of all cells of
// the board.
func (m *mark) loses(cells int) {
	m.lower = -int8((cells - int(m.ply)) / 2)
	m.upper = m.lower
}

// limits are the conditions under which a search stops. Each thread tests them itself, so that the threads share only one flag.
type limits struct {
	ctx     context.Context
	until   time.Time // the deadline of ctx, or the zero time
	nodes   uint64    // maximum number of nodes of each thread; 0 means no limit
	onNodes func(nodes uint64)
	done    atomic.Bool // whether a thread has found the answer, so that all other threads stop
}

type thread struct {
	limits   *limits
	id       int
	noParity bool
	busy     *tt.Claims // the positions that threads are searching now, shared by all threads
	shared   uint8      // before this ply, a thread announces the positions that it searches; 0 if there is only one thread
	// Positions from the ply late on are stored in the near table, a small table of this thread only. Earlier positions are
	// stored in the far table. At first late is 0, so a task of at most growAfter nodes uses only the near table.
	late    uint8
	later   uint8  // the value of late after growAfter nodes
	nodes   uint64 // number of positions entered in this task
	next    uint64 // the value of nodes at which the limits are tested next
	every   uint64 // maximum number of nodes between two tests of the limits
	report  uint64 // the value of nodes at which the next report is made
	stopped bool   // whether the search was stopped, so that its results are meaningless
}

const (
	// In positions with at most sharedCells empty cells, a thread does not announce its search to other threads, because the
	// search is too short.
	sharedCells = 18
	// growAfter is the number of nodes after which a task also uses the far table. Before that it uses only the near table.
	growAfter = 1 << 15
	// lateCells is the maximum number of empty cells of a late position. The near table stores the late positions. Probing the
	// near table takes a tenth of the time of probing the far table. Most positions are late, and few late positions occur
	// again, so on 7 x 6 the small size of the near table costs only 2 to 7 % more nodes.
	lateCells = 16
	// reportLooks is the number of tests of the limits between two reports by the first worker.
	reportLooks = 16
)

// earlyCells is a number of empty cells. If a position has more empty cells, and the tested score is near 0, earlyRank ranks
// the children instead of lateRank.
const earlyCells = 20

// The terms of the sum in earlyRank. They were learned from 28,000 nodes in the search of the empty board of 7 x 6. All
// children of each node were searched. The terms were fitted so that a logistic function of the difference of two children's
// ranks predicts which child settles the node with fewer nodes.
const (
	againWeight       = 320 // added if the mover is to move again after a forced reply
	forcingWeight     = 96
	ownWeight         = 184 // added for a winning cell of the mover
	goodWeight        = 107 // added for a winning cell on a row whose threats decide the game in zugzwang
	nextWeight        = 105 // added for a winning cell directly above a playable cell
	otherWeight       = 110 // subtracted for a winning cell of the other side
	ownTwiceWeight    = 62  // added for two winning cells of the mover, one directly above the other
	otherTwiceWeight  = 53
	overOwnWeight     = 72  // added for a winning cell of the other side directly above a winning cell of the mover
	overOtherWeight   = 104 // subtracted for a winning cell of the mover directly above a winning cell of the other side
	ownChanceWeight   = 16
	otherChanceWeight = 13
	ownNearWeight     = 12 // subtracted for a stone of the mover next to the new stone
	otherNearWeight   = 9
)

// The ranks that earlyRank adds for a cell, by the distance of its column from the edge and the distance of its row from the top.
var (
	columnWeights = [...]int16{-83, 7, 89, 124}
	rowWeights    = [...]int16{-34, -8, 13, -13, -3, 22}
)

// The terms of the sum in lateRank. They were tuned to need few nodes for random positions of 8 to 28 plies.
const (
	forcingRank = 400
	winRank     = 256
	closedRank  = 128 // added for a winning cell directly above a playable cell
	// If the score that the null-window search tests is nearer to 0 than slowScore, the end of the game is far, and closedRank
	// is multiplied by 4.
	slowScore = 5
	lateScore = 3 // games with scores nearer to 0 than this are mostly decided by zugzwang
	// If the score that the null-window search tests is nearer to 0 than lateScore, goodRank is added for each winning cell of
	// the mover on a good row. On a good row a winning cell decides a zugzwang ending: the opponent must finally play on the cell
	// below it. If the number of empty cells is even, the good rows consist of the cells of geometry.mine, otherwise of the
	// cells of geometry.reply.
	goodRank = 256
)

// Special values of a child's order: its search has ended, another thread is searching it, or it has no rank yet.
const (
	searched = -1 << 31
	waiting  = searched + 1
	unranked = searched + 2
)

func newThreads(g *wideGeometry, o Options, l *limits) []thread {
	t := thread{limits: l, noParity: o.NoParity, later: uint8(max(g.cells-lateCells, 0))}
	// A worker tests the limits after this number of nodes, about once per millisecond on 7 x 6. The number is smaller if nodes
	// take longer, because they have many moves and long lines.
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

// useAll makes the thread use both the near and the far table.
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
		// The deadline has passed, but the timer of ctx may be late while all processors search. So wait until ctx is done.
		<-l.ctx.Done()
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

// near limits the scores that are tested one by one, from 0 outwards: these are the scores from -near to near. Most scores
// are in this range.
const near = 6

// window returns the next score to test, as beta. If a bound is far from 0, the next score is halfway between this bound and 0,
// because searches for extreme scores are short. When both bounds are near 0, the sign of the score is tested, and then the
// remaining scores one by one.
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

// test asks all workers whether the score of the root is at least beta, and returns the first answer, a bound. ok is false if the
// limit was reached.
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
	ask(s.workers[0]) // the first worker runs in this goroutine, because it makes the reports
	wg.Wait()
	select {
	case v = <-answers:
		return v, true
	default:
		return 0, false
	}
}

// Line returns best play from p, whose score is known, to the end of the game, or as far as it is proved before ctx is done. If
// several moves are best, Line chooses the move nearest to the center.
func (s *Solver) Line(ctx context.Context, p Position, score int) []int {
	return s.line(ctx, p, score, -1)
}

// line returns the same moves as Line, but at most n of them, unless n is negative.
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

// Best returns a move of p that is worth at least score. If there are several such moves, it returns the one nearest to the
// center. It returns -1 if no such move is proved before ctx is done.
func (s *Solver) Best(ctx context.Context, p Position, score int) int {
	for c, q := range p.children() {
		if s.atMost(ctx, q, -score) {
			return c
		}
	}
	return -1
}
