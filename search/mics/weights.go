// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"fmt"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
)

// Weights are the parameters that can be learned for a game.
type Weights struct {
	Branching int `json:"branching"`
	Depth     int `json:"depth"`
}

// name is the one that files of weights bear.
const name = "mics"

// Plan returns the branching and the depth of a search of g with so many nodes, where Options name neither.
func Plan(g game.Game, nodes uint64) (Weights, error) {
	s, err := New(g, Options{})
	if err != nil {
		return Weights{}, err
	}
	return Weights{s.o.Branching, affordable(nodes, s.o.Branching, s.o.Depth)}, nil
}

// Save writes a file of weights: {"branching":4,"depth":6}.
func (w Weights) Save(file string, o weights.Origin) error {
	if err := w.check(); err != nil {
		return err
	}
	return weights.Save(file, name, o, w)
}

// Load reads the file of that name. It refuses what is no such file, and weights for another game, in one line.
func Load(file string, g game.Game) (Weights, weights.Origin, error) {
	var w Weights
	o, err := weights.Load(file, name, &w)
	if err != nil {
		return Weights{}, o, err
	}
	if err = w.check(); err == nil && o.Game != g.String() {
		err = fmt.Errorf("the weights are for the game %q, not %s", o.Game, g)
	}
	if err != nil {
		return Weights{}, o, fmt.Errorf("%s: %w", file, err)
	}
	return w, o, nil
}

func (w Weights) check() error {
	if w.Branching < 1 || w.Branching > MaxBranching || w.Depth < 1 || w.Depth > MaxDepth {
		return fmt.Errorf("a branching of %d and a depth of %d, not 1 to %d and 1 to %d", w.Branching, w.Depth, MaxBranching, MaxDepth)
	}
	return nil
}
