// SPDX-License-Identifier: Apache-2.0

// Package ultimate is the engine for ultimate tic-tac-toe. It is a best-first search that values positions by a small neural
// network, and also proves values.
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
//	s, err := ultimate.New(game, ultimate.Options{Net: network.Default()})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # Caveats
//
// A score is the expected result in thousandths, from -1000 to +1000. If Solved is set, the value is proved. A distance, if there
// is one, is also proved: the search looks for it after it has proved the value. Nodes are positions that were added to the tree
// or visited by the prover. A Searcher keeps the part of its tree that the next search can use.
package ultimate

import (
	"cmp"
	"fmt"
	"time"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/ultimate"
)

// Options are the settings of a search. A number that is zero means the default.
type Options struct {
	Net     *network.Network // nil means that the heuristic is used
	NoProof bool             // never use the prover
	Threads int
	Hash    int           // size of the tree in bytes; in addition, the prover uses a quarter of this size
	Time    time.Duration // time for a search that has no other limits
	Margin  time.Duration // part of a move's time that is reserved for the work after the search; at most a 20th of the time
}

// The default values of options.
const (
	DefaultHash   = 64 << 20
	DefaultMargin = 5 * time.Millisecond
	maxThreads    = 256
)

// Parameters of the search, tuned by SPSA: see docs/methods.md.
const (
	exploreWeight float32 = 0.26  // weight of the bonus for few visits
	bestShare     float32 = 0.76  // weight of the greatest value when values are backed up; the mean has the remaining weight
	visitWeight   float32 = 0.025 // weight of the logarithm of visits in the choice of the move
	// After a node has chosen a child, it runs several simulations through this child before it chooses again. Their number is
	// the number of visits of the child, divided by stayShare.
	stayShare = 16
)

func (o Options) complete() (Options, error) {
	switch {
	case o.Threads < 0 || o.Threads > maxThreads:
		return o, fmt.Errorf("ultimate: the number of threads must be from 1 to %d, not %d", maxThreads, o.Threads)
	case o.Hash < 0 || o.Time < 0 || o.Margin < 0:
		return o, fmt.Errorf("ultimate: the size of the tree, the time and the margin must be positive, not %d, %v and %v", o.Hash, o.Time, o.Margin)
	}
	o.Threads, o.Hash, o.Time, o.Margin = cmp.Or(o.Threads, 1), cmp.Or(o.Hash, DefaultHash), cmp.Or(o.Time, time.Second), cmp.Or(o.Margin, DefaultMargin)
	return o, nil
}

// Plays reports whether the engine plays g.
func Plays(g game.Game) bool {
	_, ok := g.(*rules.Game)
	return ok
}
