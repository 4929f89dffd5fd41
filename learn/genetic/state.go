// SPDX-License-Identifier: Apache-2.0

package genetic

import (
	"errors"
	"slices"

	"github.com/krow-lab/krow/learn"
)

// state is all that a Learner does not know from its game and options.
type state struct {
	Done   int           `json:"done"`
	Random *learn.Source `json:"random"`
	Colony []member      `json:"colony"` // best first; genes in the order of the indicators bred, or of the target
}

// State returns the colony and the random source.
func (l *Learner) State() ([]byte, error) {
	return learn.Encode(l.f.origin(), state{l.done, &l.rng, l.colony})
}

// Restore continues from a state of a learner of the same game and options; Jobs may differ.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.f.origin(), &s); err != nil {
		return err
	}
	if err := l.check(s); err != nil {
		return err
	}
	l.done, l.rng, l.colony = s.Done, *s.Random, s.Colony
	return nil
}

func (l *Learner) check(s state) error {
	players := l.o.Players
	if s.Done == 0 {
		players = 0
	}
	if s.Random == nil || s.Done < 0 || s.Done > l.o.Generations || len(s.Colony) != players {
		return errors.New("the state is damaged: its parts do not fit together")
	}
	for i, m := range s.Colony {
		if len(m.Genes) != l.f.genes() || m.Score < 0 || m.Score > float64(l.o.Games) ||
			i > 0 && m.Score > s.Colony[i-1].Score || m.Survived < 0 || m.Survived >= s.Done {
			return errors.New("the state is damaged: there is no such player")
		}
		within := slices.Clone(m.Genes)
		if l.f.clamp(within); !slices.Equal(within, m.Genes) {
			return errors.New("the state is damaged: a weight is out of range")
		}
	}
	return nil
}
