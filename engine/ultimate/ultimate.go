// SPDX-License-Identifier: Apache-2.0

// Package ultimate is the engine for ultimate tic-tac-toe: a best-first search that values positions by a small neural
// network, and knows what is proved.
//
//	root  o            go down: the child of the greatest value, plus something for few visits
//	      |\
//	      o o          back up: 0.7 times the greatest value of the children, 0.3 times their mean
//	       /|\
//	      o o o
//	        /|\
//	       * * *       evaluate all children of a leaf at once
//
// # Basics
//
//	s, err := ultimate.New(game, ultimate.Options{Net: network.Default()})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # Caveats
//
// A score is the expected result in thousandths, from -1000 to +1000. Where Solved is set it is proved; the distance of
// a win is then the one found, not the shortest. Nodes are positions added to the tree, all evaluated but the finished
// ones. A search keeps the part of its tree that is still of use for its next one.
package ultimate

import (
	"errors"
	"fmt"
	"time"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/ultimate"
)

// Mode is a way to search.
type Mode uint8

// The ways to search. All but the first are there to compare, and have one thread.
const (
	BestFirst Mode = iota
	UCT            // plain, with random games; its nodes are simulations
	AlphaBeta      // with the same values of leaves
)

// Options say how to search. A number that is zero stands for its default.
type Options struct {
	Net     *network.Network // nil for the heuristic
	Mode    Mode
	Seed    uint64  // of the random games, and of the noise
	NoProof bool    // never ask the prover
	Nodes   uint64  // of a search at most, whatever its limits; 0 for no such bound
	Noise   float32 // the standard deviation of what is added to the value of each move to choose from
	Threads int
	Hash    int           // bytes of the tree, and a quarter of that for the prover
	Time    time.Duration // of a search without limits
	Explore float32       // how much few visits are worth
	Blend   float32       // of the greatest value and the mean: the share of the greatest
	Settle  float32       // how much visits count when the move is chosen
	Stay    int           // a child is searched for a Stay-th of its visits before its parent chooses again
}

// Defaults.
const (
	DefaultHash = 64 << 20
	DefaultTime = time.Second
	maxThreads  = 256
)

// complete fills in the defaults.
func (o Options) complete() (Options, error) {
	switch {
	case o.Threads < 0 || o.Threads > maxThreads:
		return o, fmt.Errorf("ultimate: 1 to %d threads, not %d", maxThreads, o.Threads)
	case o.Mode != BestFirst && o.Threads > 1:
		return o, errors.New("ultimate: UCT and alpha-beta have one thread")
	case o.Mode == AlphaBeta && o.Noise > 0:
		return o, errors.New("ultimate: alpha-beta never errs on purpose, and has no grades")
	case o.Hash < 0 || o.Time < 0:
		return o, fmt.Errorf("ultimate: the tree and the time are positive, not %d and %v", o.Hash, o.Time)
	}
	o.Threads = max(o.Threads, 1)
	if o.Hash == 0 {
		o.Hash = DefaultHash
	}
	if o.Time == 0 {
		o.Time = DefaultTime
	}
	explore := float32(0.08)
	if o.Mode == UCT {
		explore = 0.5 // as package search/mcts
	}
	if o.Stay == 0 {
		o.Stay = 16
	}
	for _, d := range []struct {
		x   *float32
		def float32
	}{{&o.Explore, explore}, {&o.Blend, 0.7}, {&o.Settle, 0.02}} {
		if *d.x == 0 {
			*d.x = d.def
		}
	}
	return o, nil
}

// Plays says whether the engine plays g.
func Plays(g game.Game) bool {
	_, ok := g.(*rules.Game)
	return ok
}
