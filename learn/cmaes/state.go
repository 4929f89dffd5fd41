// SPDX-License-Identifier: Apache-2.0

package cmaes

import (
	"errors"
	"slices"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/learn"
)

// state is all that a Learner does not know from its target and options.
type state struct {
	Fitness [][]float64 `json:"fitness"` // of each generation
}

// State returns the fitness of all candidates so far.
func (l *Learner) State() ([]byte, error) { return learn.Encode(l.origin(), state{l.fitness}) }

// Restore continues from a state of a learner of the same target and options; Jobs may differ.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.origin(), &s); err != nil {
		return err
	}
	damaged := errors.New("the state is damaged: its parts do not fit together")
	if len(s.Fitness) > l.total {
		return damaged
	}
	for _, f := range s.Fitness {
		if len(f) != l.o.Population || slices.Min(f) < 0 || slices.Max(f) > 1 {
			return damaged
		}
	}
	l.begin()
	for _, f := range s.Fitness {
		l.tell(f)
	}
	return nil
}

// origin tells of the learner in files.
func (l *Learner) origin() weights.Origin {
	o := l.o
	return l.t.Origin("cmaes", o.Seed, map[string]any{
		"games": o.Games, "population": o.Population, "pairs": o.Pairs, "sigma": o.Sigma, "plies": o.Plies,
	})
}
