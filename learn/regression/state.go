// SPDX-License-Identifier: Apache-2.0

package regression

import (
	"errors"

	"github.com/krow-lab/krow/learn"
)

// state is all that a Learner does not know from its game and options. The random numbers of a game are made of
// the seed and the game's number.
type state struct {
	Done    int       `json:"done"`
	Weights []float64 `json:"weights"` // in the order of the features
}

var errDamaged = errors.New("the state is damaged: its parts do not fit together")

// State returns the weights.
func (l *Learner) State() ([]byte, error) {
	return learn.Encode(l.origin(), state{l.done, l.w})
}

// Restore continues from a state of a learner of the same game and options; Jobs may differ.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.origin(), &s); err != nil {
		return err
	}
	if s.Done < 0 || s.Done > l.o.Iterations || len(s.Weights) != len(l.w) {
		return errDamaged
	}
	for _, x := range s.Weights {
		if x < l.m.least() {
			return errDamaged
		}
	}
	// The heuristic knows what weights it can use.
	if _, err := l.m.evaluator(s.Weights); err != nil {
		return errDamaged
	}
	l.done, l.w = s.Done, s.Weights
	return nil
}
