// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"errors"
	"fmt"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
)

// Update returns the parameters with which a player goes on that learns while it plays: w, which chose the last move
// of p, after the two updates that an episode makes of that move. p may be over. w must be in the order of
// importance, as learners leave it; neither it nor p is changed. Update is safe for concurrent use.
//
// Only Q learns during play: the updates of Sarsa and TD wait for moves still to come.
func (o Options) Update(w generic.Weights, p game.Position) (generic.Weights, error) {
	if o.Method != Q {
		return generic.Weights{}, fmt.Errorf("%s learns from the next move, not from the last one", o.Method)
	}
	l, err := New(p.Game(), o)
	if err != nil {
		return generic.Weights{}, err
	}
	if err := l.check(w); err != nil {
		return generic.Weights{}, err
	}
	before := p.Clone()
	if len(before.AppendHistory(nil)) == 0 {
		return generic.Weights{}, errors.New("there is no move to learn from")
	}
	before.Undo()
	w = clone(w)
	l.newTable(w).learn(p, before.Turn())
	return w, nil
}

// check returns an error in one line if w are no parameters that an episode can go on with.
func (l *Learner) check(w generic.Weights) error {
	// The heuristic knows what weights it can use.
	if _, err := generic.New(l.g, w); err != nil {
		return err
	}
	for i, v := range []generic.Vector{own: w.Own, enemy: w.Enemy} {
		if !l.rank[i].ordered(v) {
			return errors.New("the parameters are not in the order of importance")
		}
	}
	return nil
}
