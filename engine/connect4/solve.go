// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"context"
	"io"
	"sync/atomic"
	"time"
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

// of returns r as it is, or for the other side where the side to move is not the one asked about.
func (r Result) of(other bool) Result {
	if other {
		return r.minus()
	}
	return r
}

// limit says when to stop: for each goroutine its own test, since they share the flag alone.
type limit struct {
	ctx   context.Context
	until time.Time // the deadline of ctx, or zero
	nodes uint64    // 0: no limit; of each thread
	pulse func(nodes uint64)
	done  atomic.Bool // another thread has the answer
}

// LimitNodes makes each Solve or Column end after so many nodes; 0 takes the limit away.
func (s *Solver) LimitNodes(n uint64) { s.core.limitNodes(n) }

// solverCore is a core of either width.
type solverCore interface {
	solve(ctx context.Context, p Position, known Result, report func(Result)) Result
	atMost(ctx context.Context, p Position, score int) (ok bool, nodes uint64)
	limitNodes(n uint64)
	clear()
	bytes() int
	save(w io.Writer) error
	load(r io.Reader) error
}

// Solve returns the score of p, or the bounds proved when ctx was done or the limit reached. With Options.Weak
// a score beyond ±1 is known as a win or a loss only, that is as a bound. A position that is over has the
// score of its end.
func (s *Solver) Solve(ctx context.Context, p Position) Result {
	return s.Narrow(ctx, p, Nothing())
}

// Nothing returns what is known of every position.
func Nothing() Result { return Result{Lower: -noBound, Upper: noBound} }

// Narrow is Solve of a position whose bounds are known to be at least as narrow as known says.
func (s *Solver) Narrow(ctx context.Context, p Position, known Result) Result {
	if v, ok := s.inBook(p); ok {
		return Result{v, v, known.Nodes}
	}
	r := s.core.solve(ctx, p, known, s.Report)
	r.Nodes += known.Nodes
	return r
}

// near is from where on scores are looked for one by one, from 0 outwards: most are there.
const near = 6

// window returns the next beta to ask about: far from 0 half of the way there, since searches are short at the
// extremes; then the sign, and then one after the other.
func (o *Options) window(lower, upper int) int {
	switch {
	case !o.Weak && -lower > near && -lower >= upper && lower/2 < upper:
		return lower/2 + 1
	case !o.Weak && upper > near && upper/2 > lower:
		return upper/2 + 1
	case lower >= 0:
		return lower + 1
	case upper <= 0:
		return upper
	}
	return 1
}

// inBook returns the score of p if the book has it.
func (s *Solver) inBook(p Position) (score int, ok bool) {
	if s.Book == nil || p.stones().count() > s.Book.Plies {
		return 0, false
	}
	return s.Book.Score(p)
}

// atMost says whether the score of p is proved to be at most score, and the nodes it took.
func (s *Solver) atMost(ctx context.Context, p Position, score int) (ok bool, nodes uint64) {
	if v, ok := s.inBook(p); ok {
		return v <= score, 0
	}
	return s.core.atMost(ctx, p, score)
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
	for c := range s.g.columns {
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
	for _, c := range centerFirst(s.g.columns) {
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

// Save writes all that the solver remembers, some [Solver.Hash] bytes.
func (s *Solver) Save(w io.Writer) error { return s.core.save(w) }

// Load reads back what a solver of the same board and the same size of table has saved.
func (s *Solver) Load(r io.Reader) error { return s.core.load(r) }
