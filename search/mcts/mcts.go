// SPDX-License-Identifier: Apache-2.0

// Package mcts implements Monte Carlo tree search: UCT with random playouts, and a solver that turns finished games into
// proofs.
//
// A simulation walks down the tree by the moves of the greatest upper confidence bound, adds one position, plays on from
// there at random, and counts the result at every position on its way:
//
//	root  o            choose: mean + C sqrt(ln N / n), an untried move first
//	      |\
//	      o o
//	       /|\
//	      o o *        add one position
//	          :
//	          :        play at random
//	        1, ½, 0    count
//
// # Basics
//
//	s := mcts.New(mcts.Defaults())
//	info, err := s.Search(ctx, p, search.Limits{Nodes: 100_000}, nil) // nodes are simulations
//
// # Caveats
//
// A score is the expected result in thousandths, from -1000 to +1000: a frequency, no proof. Where the solver has proved
// a win or a loss, Solved is set. The distance is then an upper bound, since the search stops at the first win that it
// can prove.
//
// Limits.Depth bounds the tree, not the playouts. Without a limit on nodes or time a search makes Options.Sims
// simulations. It ends early when the root is proved. Each search begins with an empty tree, and its random numbers
// follow from Options.Seed and the position alone.
//
// Lines are in the order of their visits. A later line with a better score is reported with the score of the one before
// as an upper bound.
//
// # Speed
//
// Memory grows with the simulations, not with the width of the board. At two million positions the tree stops growing,
// and only its statistics go on.
//
// CITE: Kocsis and Szepesvári, Bandit Based Monte-Carlo Planning, 2006.
// CITE: Winands, Björnsson and Saito, Monte-Carlo Tree Search Solver, 2008.
package mcts

import (
	"cmp"
	"context"
	"math"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Options say how to search. A number that is zero stands for that of [Defaults]. The zero Options are plain UCT.
type Options struct {
	Sims uint64  // simulations of a search without limits
	C    float64 // how much a rarely tried move is worth exploring, for results between 0 and 1
	Seed uint64
	// Solver backs up proved results, and never again tries a move that is proved to lose.
	Solver bool
	// Decisive looks for a move that wins at once before a position is expanded. It needs Solver. CITE: Teytaud and
	// Teytaud, On the Huge Impact of Decisive Moves in Monte-Carlo Search Algorithms, 2010.
	Decisive bool

	maxNodes int // positions in the tree, 32 bytes each
	playout  int // plies after which a playout counts as a draw
}

// Defaults returns UCT with the solver and decisive moves.
func Defaults() Options {
	return Options{Sims: 10_000, C: 0.5, Solver: true, Decisive: true, maxNodes: 1 << 21, playout: 512}
}

// Searcher is a Monte Carlo tree search. It belongs to one goroutine and keeps nothing of what it learned.
type Searcher struct{ w worker }

// New returns a Searcher with these options.
func New(o Options) *Searcher {
	d := Defaults()
	o.Sims, o.C = cmp.Or(o.Sims, d.Sims), cmp.Or(o.C, d.C)
	o.maxNodes, o.playout = cmp.Or(o.maxNodes, d.maxNodes), cmp.Or(o.playout, d.playout)
	return &Searcher{worker{Options: o}}
}

// maxSims keeps the half points of a node within 32 bits.
const maxSims = 1<<31 - 1

// clockPlies is how many plies pass between two looks at the clock: a fraction of a millisecond's worth.
const clockPlies = 2048

// Search simulates until a limit is reached or p is solved, and reports whenever the simulations have doubled.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if lim.Nodes == 0 && lim.Time == 0 {
		lim.Nodes = s.w.Sims
	}
	if lim.Nodes == 0 || lim.Nodes > maxSims {
		lim.Nodes = maxSims
	}
	budget := search.NewBudget(ctx, lim)
	s.w.reset(p, cmp.Or(lim.Depth, math.MaxInt))
	next := uint64(1)
	for {
		s.w.simulate()
		stop := budget.Step()
		if s.w.plies >= clockPlies {
			s.w.plies = 0
			stop = stop || budget.Stopped()
		}
		if stop || s.w.nodes[root].outcome != game.Ongoing {
			break
		}
		if budget.Nodes == next {
			s.w.report(budget, lim.Lines, report)
			next *= 2
		}
	}
	return s.w.report(budget, lim.Lines, report), nil
}
