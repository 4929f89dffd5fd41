// SPDX-License-Identifier: Apache-2.0

package spsa

import (
	"errors"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/learn"
)

// state is all that a Learner does not know from its target and options.
type state struct {
	Done int       `json:"done"`
	X    []float64 `json:"x"` // the coordinates
}

// State returns the coordinates.
func (l *Learner) State() ([]byte, error) { return learn.Encode(l.origin(), state{l.done, l.x}) }

// Restore continues from a state of a learner of the same target and options; Jobs may differ.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.origin(), &s); err != nil {
		return err
	}
	if s.Done < 0 || s.Done > l.total || !l.t.Fits(s.X) {
		return errors.New("the state is damaged: its parts do not fit together")
	}
	l.done, l.x = s.Done, s.X
	return nil
}

// origin tells of the learner in files.
func (l *Learner) origin() weights.Origin {
	o := l.o
	return l.t.Origin("spsa", o.Seed, map[string]any{
		"games": o.Games, "pairs": o.Pairs, "start": o.Start, "c": o.C, "rate": o.Rate, "measure": o.Measure, "plies": o.Plies,
	})
}
