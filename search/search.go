// SPDX-License-Identifier: Apache-2.0

// Package search is the contract of searches: which move to play in a position, and the value of that move. The
// searches themselves live in the packages below this one.
//
// # Basics
//
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, func(i search.Info) {
//		fmt.Println(i.Depth, i.Score, i.PV)
//	})
package search

import (
	"context"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

// Limits bound a search; a field that is zero bounds nothing.
type Limits struct {
	Depth int // plies
	Nodes uint64
	Time  time.Duration
	Lines int // best moves to report; 0 means 1
	// Most, where it is more than Time, says that time can be saved for later moves: the search may end before Time if its
	// best move is clear, and continue to Most if it is not. A search that does not know it ends at Time.
	Most time.Duration
}

// Bound is the kind of a score: exact, a lower bound or an upper bound.
type Bound uint8

// The bounds. A win in at most n plies is a lower bound, a loss in at most n plies an upper bound.
const (
	Exact Bound = iota
	Lower
	Upper
)

// Most returns the bound that makes a won or lost score one of at most its plies.
func Most(s eval.Score) Bound {
	switch _, sign := s.Distance(); sign {
	case 1:
		return Lower
	case -1:
		return Upper
	}
	return Exact
}

// Info is an answer of a search. Each answer on the way is better founded than the previous one.
type Info struct {
	Line   int // 1 for the best move, 2 for the second best, ...; 0 means 1
	Depth  int
	Score  eval.Score // for the side to move at the root
	Bound  Bound
	PV     []game.Move // begins with the move to play; never empty
	Nodes  uint64      // positions visited; simulations for Monte Carlo
	Time   time.Duration
	Draw   float64 // how likely a draw is, from 0 to 1, where the search has an opinion of it
	Solved bool    // Score is the game-theoretic value: proved, never after an unsound cut. It may be without a distance, as eval.Won
	// Root holds the search's findings about the moves of the root, in no order. It comes with the first line, from
	// searches that count what they spend on each move.
	Root []Candidate
}

// Candidate is a move of the root.
type Candidate struct {
	Move   game.Move
	Effort float64    // share of the nodes or visits, from 0 to 1
	Score  eval.Score // for the side to move at the root
	Scored bool       // Score is known: a search by bounds knows it of few moves
}

// Value returns the game-theoretic value of a solved answer for the side to move: win, draw or loss.
func (i Info) Value() string {
	switch _, sign := i.Score.Distance(); sign {
	case 1:
		return "win"
	case -1:
		return "loss"
	}
	return "draw"
}

// Searcher chooses a move. It belongs to one goroutine at a time, and may use what it learned in its next search of the
// same game.
type Searcher interface {
	// Search analyses p, which must be ongoing, until a limit is reached or ctx is done, and returns its best answer.
	// Running into a limit is not an error. Without limits it searches as deep, or with as much effort, as it was made
	// for. It calls report, unless that is nil, for each improved answer, from this goroutine; report must not keep PV or Root.
	// Search leaves p as it found it. New Searchers of the same seed give the same answer under the same limits, if
	// time is none of them.
	Search(ctx context.Context, p game.Position, lim Limits, report func(Info)) (Info, error)
}

// Tracer watches a search go through its tree, node by node. Scores are for the side to move at the root.
//
// A search calls it from its own goroutine. It does not enter the root, nor leave the nodes it is in when stopped. One
// that looks at a move twice, with a narrow window first, enters the nodes below it twice.
type Tracer interface {
	// Enter says that m has been played, and that its value matters between alpha and beta. They are infinite where
	// every value matters.
	Enter(m game.Move, alpha, beta eval.Score)
	// Leave gives the value of the position entered last. Its move is taken back next.
	Leave(value eval.Score)
	// Best says that the position left last is the best of its siblings so far.
	Best()
	// Cut says that the last n moves of the position are not tried, since the opponent will avoid it.
	Cut(n int)
}

// The clock is looked at about every tick where nodes are dear, and at least every maxInterval nodes.
const (
	maxInterval = 1024
	tick        = 2 * time.Millisecond
)

// Budget counts the nodes of a search against its limits.
type Budget struct {
	Nodes    uint64
	maxNodes uint64
	work     uint64 // nodes, and other work that takes as long
	next     uint64 // work at which to look at the clock
	interval uint64 // work between looks
	last     time.Time
	deadline time.Time
	start    time.Time
	ctx      context.Context
	stopped  bool
}

// NewBudget returns the budget of a search that begins now.
func NewBudget(ctx context.Context, lim Limits) *Budget {
	now := time.Now()
	b := &Budget{maxNodes: lim.Nodes, start: now, last: now, ctx: ctx, next: 1, interval: 1}
	if lim.Time > 0 {
		b.deadline = b.start.Add(lim.Time)
	}
	return b
}

// Step counts a node and reports whether the search must stop now.
func (b *Budget) Step() bool {
	b.Nodes++
	b.Work(1)
	if b.maxNodes > 0 && b.Nodes >= b.maxNodes {
		b.stopped = true
	}
	return b.stopped
}

// Work counts work that takes as long as n nodes, such as to score n moves.
func (b *Budget) Work(n int) {
	b.work += uint64(n)
	if b.work >= b.next {
		b.look()
		b.next = b.work + b.interval
	}
}

func (b *Budget) look() {
	now := time.Now()
	if b.ctx.Err() != nil || !b.deadline.IsZero() && now.After(b.deadline) {
		b.stopped = true
	}
	switch took := now.Sub(b.last); {
	case took < tick/2:
		b.interval = min(2*b.interval, maxInterval)
	case took > tick:
		b.interval = max(b.interval/2, 1)
	}
	b.last = now
}

// Stopped looks at the clock and reports whether a limit has been reached.
func (b *Budget) Stopped() bool {
	b.look()
	return b.stopped
}

// Elapsed returns the time since the search began.
func (b *Budget) Elapsed() time.Duration { return time.Since(b.start) }
