// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"errors"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/learn"
)

// state is all that a Learner does not know from its game and options.
type state struct {
	Done   int            `json:"done"`
	Random *learn.Source  `json:"random"`
	Own    generic.Vector `json:"own"` // by threat.Kind
	Enemy  generic.Vector `json:"enemy"`
}

var errDamaged = errors.New("the state is damaged: its parts do not fit together")

// State returns the parameters and the random source.
func (l *Learner) State() ([]byte, error) {
	return learn.Encode(l.origin(), state{l.done, &l.rng, l.w.Own, l.w.Enemy})
}

// Restore continues from a state of a learner of the same game and options.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.origin(), &s); err != nil {
		return err
	}
	if s.Random == nil || s.Done < 0 || s.Done > l.o.Episodes {
		return errDamaged
	}
	w := generic.Weights{K: l.w.K, Own: s.Own, Enemy: s.Enemy}
	if l.check(w) != nil {
		return errDamaged
	}
	l.done, l.rng, l.w = s.Done, *s.Random, w
	return nil
}
