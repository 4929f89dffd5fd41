// SPDX-License-Identifier: Apache-2.0

// Package search defines the interface of searches, which choose and value a move in a position. The packages below this one
// contain the searches.
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

// Limits contains the limits of a search; a field that is zero sets no limit.
type Limits struct {
	Depth int // maximum depth in plies
	Nodes uint64
	Time  time.Duration
	Lines int // number of best moves to report; 0 means 1
	// Most, if it is greater than Time, is the maximum time. The search may then end before Time if its best move is clear,
	// which saves time for later moves. If the best move is not clear, the search may continue until Most. A search that does
	// not support Most ends at Time.
	Most time.Duration
}

// Bound is the kind of a score: exact, a lower bound or an upper bound.
type Bound uint8

// The values of Bound. If a win takes at most n plies, its score is a lower bound. If a loss takes at most n plies, its score is
// an upper bound.
const (
	Exact Bound = iota
	Lower
	Upper
)

// Most returns the Bound of the score s if its win or loss takes at most the stated number of plies: Lower for a win, Upper for
// a loss.
func Most(s eval.Score) Bound {
	switch _, sign := s.Distance(); sign {
	case 1:
		return Lower
	case -1:
		return Upper
	}
	return Exact
}

// Info is an answer of a search, either the final one or one reported during the search. Each answer is more reliable than the
// previous one.
type Info struct {
	Line  int // rank of the line: 1 for the best move, 2 for the second best; 0 means 1
	Depth int
	Score eval.Score // for the side to move at the root
	Bound Bound
	PV    []game.Move // the best line; its first move is the move to play; never empty
	Nodes uint64      // number of visited positions, or of simulations in a Monte Carlo search
	Time  time.Duration
	Draw  float64 // probability of a draw, from 0 to 1, if the search estimates it
	// Solved reports whether Score is the proved game-theoretic value, and not a result of unsound pruning. The number of plies
	// to a proved win may be unknown: the Score is then eval.Won.
	Solved bool
	// Root contains the results of the search for the moves of the root, in any order. Searches that count the nodes or visits of
	// each root move set it in the answer for line 1.
	Root []Candidate
}

// Candidate is a move at the root.
type Candidate struct {
	Move   game.Move
	Effort float64    // share of all nodes or visits that the move received, from 0 to 1
	Score  eval.Score // for the side to move at the root
	Scored bool       // whether Score is known; an alpha-beta search knows the scores of few moves
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

// Searcher chooses a move. Only one goroutine may use it at a time. It may use results of a search in the next search of the same
// game.
type Searcher interface {
	// Search analyses p, which must be ongoing, until a limit is reached or ctx is done, and returns its best answer. Reaching a
	// limit is not an error. Without limits it stops at a default limit of its own, for example of depth, nodes or time. It calls
	// report, unless that is nil, for each improved answer, from the calling goroutine; report must not keep PV or Root. Search
	// leaves p unchanged. New Searchers with the same seed give the same answer under the same limits, unless there is a time limit.
	Search(ctx context.Context, p game.Position, lim Limits, report func(Info)) (Info, error)
}

// Tracer is called by a search at each node of its tree. Scores are for the side to move at the root.
//
// The search calls the methods from the goroutine that called Search. It does not call Enter for the root, nor Leave for
// nodes whose search was interrupted. If a search searches a move twice, first with a narrow window, it enters the nodes
// below the move twice.
type Tracer interface {
	// Enter is called after m has been played; the position will be searched with the window from alpha to beta. If the window
	// has no lower bound, alpha is infinite; if it has no upper bound, beta is infinite.
	Enter(m game.Move, alpha, beta eval.Score)
	// Leave is called with the value of the position that was entered last, before its move is taken back.
	Leave(value eval.Score)
	// Best is called after Leave, if the position of that call is the best so far among its siblings.
	Best()
	// Cut is called if the remaining n moves of the position are not tried, because the opponent will avoid this position.
	Cut(n int)
}

// If nodes are slow, the time between two readings of the clock is about tick. In any case the clock is read at least once per
// maxInterval nodes.
const (
	maxInterval = 1024
	tick        = 2 * time.Millisecond
)

// Budget counts the nodes of a search against its limits.
type Budget struct {
	Nodes    uint64
	maxNodes uint64
	work     uint64 // number of nodes, plus other work counted as nodes
	next     uint64 // value of work at which the clock is read next
	interval uint64 // amount of work between two readings of the clock
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

// Work counts n units of work. A unit takes about as much time as a node, for example the scoring of one move.
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

// Stopped reads the clock and reports whether a limit has been reached.
func (b *Budget) Stopped() bool {
	b.look()
	return b.stopped
}

// Elapsed returns the time since the search began.
func (b *Budget) Elapsed() time.Duration { return time.Since(b.start) }
