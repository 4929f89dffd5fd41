// SPDX-License-Identifier: Apache-2.0

// Package ultimate is the engine for ultimate tic-tac-toe: a best-first search that values positions by a small neural
// network, and keeps what is proved.
//
//	root  o            go down: the child with the greatest value, plus a bonus for few visits
//	      |\
//	      o o          back up: 0.76 times the greatest value of the children, 0.24 times their mean
//	       /|\
//	      o o o
//	        /|\
//	       * * *       evaluate all children of a leaf at once
//
// # Basics
//
//	s, err := rules.New(game, rules.Options{Net: network.Default()})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # Caveats
//
// A score is the expected result in thousandths, from -1000 to +1000. Where Solved is set the value is proved, and the
// distance too if there is one: it is looked for after the value. Nodes are positions added to the tree, or looked at by
// the prover. A search keeps the part
// of its tree that its next search can use.
package ultimate

import (
	"fmt"
	"time"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
)

// Options say how to search. The zero value of a number stands for its default.
type Options struct {
	Net     *network.Network // nil: the heuristic
	Seed    uint64           // of the noise
	NoProof bool             // never ask the prover
	Nodes   uint64           // the most that a search may add, whatever its limits; 0: no such bound
	Noise   float32          // standard deviation of what is added to the value of each move before one is chosen
	Threads int
	Hash    int           // bytes of the tree; the prover has a quarter of that besides
	Time    time.Duration // of a search without limits
	Margin  time.Duration // part of the time of a move that is kept for what comes after the search; a 20th at most
	Explore float32       // weight of the bonus for few visits
	Blend   float32       // share of the greatest value when values are backed up; the mean has the rest
	Settle  float32       // weight of the visits when the move is chosen
	Stay    int           // a child is searched for a Stay-th of its visits before its parent chooses again
}

// Defaults.
const (
	DefaultHash   = 64 << 20
	DefaultMargin = 5 * time.Millisecond
	maxThreads    = 256
)

func (o Options) complete() (Options, error) {
	switch {
	case o.Threads < 0 || o.Threads > maxThreads:
		return o, fmt.Errorf("ultimate: 1 to %d threads, not %d", maxThreads, o.Threads)
	case o.Hash < 0 || o.Time < 0 || o.Margin < 0:
		return o, fmt.Errorf("ultimate: the tree, the time and the margin are positive, not %d, %v and %v", o.Hash, o.Time, o.Margin)
	}
	for _, d := range []struct {
		x   *int
		def int
	}{{&o.Threads, 1}, {&o.Hash, DefaultHash}, {&o.Stay, 16}} {
		if *d.x == 0 {
			*d.x = d.def
		}
	}
	for _, d := range []struct {
		x   *float32
		def float32
	}{{&o.Explore, 0.26}, {&o.Blend, 0.76}, {&o.Settle, 0.025}} {
		if *d.x == 0 {
			*d.x = d.def
		}
	}
	if o.Time == 0 {
		o.Time = time.Second
	}
	if o.Margin == 0 {
		o.Margin = DefaultMargin
	}
	return o, nil
}

// Plays says whether the engine plays g.
func Plays(g game.Game) bool {
	_, ok := g.(*rules.Game)
	return ok
}

// Levels is the number of grades of strength.
const Levels = 10

var levels = [Levels]struct {
	nodes uint64
	noise float32
}{
	{60, 0.50},
	{60, 0.25},
	{60, 0.14},
	{120, 0.09},
	{250, 0.06},
	{500, 0.04},
	{1_200, 0.02},
	{4_000, 0},
	{16_000, 0},
	{80_000, 0},
}

// Level returns Options.Nodes and Options.Noise for a grade, from 1, for beginners, to Levels. docs/measurements/ultimate.md has the
// matches of each grade against the one below.
func Level(grade int) (nodes uint64, noise float32) {
	l := levels[grade-1]
	return l.nodes, l.noise
}

// disturb returns the noise for each move in the position with this key.
func (o *Options) disturb(key uint64) (noise [rules.Moves]float32) {
	dice := rng.Rand(key ^ o.Seed)
	for i := range noise {
		// The sum of twelve even numbers from 0 to 1 is about normal, with mean 6 and variance 1.
		sum := float32(-6)
		for range 12 {
			sum += float32(dice.Next()>>40) / (1 << 24)
		}
		noise[i] = o.Noise * sum
	}
	return noise
}
