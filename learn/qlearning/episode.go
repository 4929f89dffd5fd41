// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
)

// Step plays one game and learns from each of its moves. The returned point of the learning curve contains the number of plies
// and all parameters, by names such as own-open-3 and enemy-half-open-4.
func (l *Learner) Step(ctx context.Context) (learn.CurvePoint, error) {
	// These copies of the random source and of the parameters replace the originals only after the step is complete, so a
	// failed step changes nothing.
	rng, w := l.rng, clone(l.w)
	plies, err := l.playEpisode(ctx, rand.New(&rng), w)
	if err != nil {
		return learn.CurvePoint{}, err
	}
	l.rng, l.w, l.done = rng, w, l.done+1
	return l.point(plies), nil
}

// playEpisode plays a game with the parameters w, changes w after each move, and returns the number of plies.
func (l *Learner) playEpisode(ctx context.Context, rng *rand.Rand, w generic.Weights) (plies int, err error) {
	u := l.newUpdates(w)
	p := l.g.Start()
	for p.Outcome() == game.Ongoing {
		if p.Ply() < l.o.RandomPlies {
			p.Play(game.Random(p, rng.IntN))
			continue
		}
		m := game.NoMove
		if l.o.Epsilon > 0 && rng.Float64() < l.o.Epsilon {
			m = game.Random(p, rng.IntN)
			u.explored()
		} else if m, err = l.choose(ctx, p, w); err != nil {
			return 0, err
		}
		mover := p.Turn()
		p.Play(m)
		u.learn(p, mover)
	}
	return p.Ply(), nil
}

// choose returns the move that the alpha-beta search with the parameters w chooses.
func (l *Learner) choose(ctx context.Context, p game.Position, w generic.Weights) (game.Move, error) {
	if l.o.Choose != nil {
		return l.o.Choose(ctx, p, w)
	}
	e, err := generic.New(l.g, w)
	if err != nil {
		return game.NoMove, err
	}
	// These options affect the speed of a search, but never its move.
	o := alphabeta.Options{
		Depth: l.o.Depth, Eval: e, Terminal: alphabeta.Eval,
		Deepening: true, TT: 1 << 20, Killer: true, Refutation: true, History: true, PVS: true,
	}
	if l.o.Exact {
		o.Terminal = alphabeta.Exact
	}
	s, err := alphabeta.New(l.g, o)
	if err != nil {
		return game.NoMove, err
	}
	info, err := s.Search(ctx, p, search.Limits{}, nil)
	if err == nil {
		err = ctx.Err() // a stopped search returns a move without an error
	}
	if err != nil {
		return game.NoMove, err
	}
	return info.PV[0], nil
}

func (l *Learner) point(plies int) learn.CurvePoint {
	values := Values(l.w)
	values["plies"] = float64(plies)
	return learn.CurvePoint{Step: l.done, Games: uint64(l.done), Values: values}
}

// Values returns the parameters by name, as in a point of the learning curve.
func Values(w generic.Weights) map[string]float64 {
	values := map[string]float64{}
	for i, v := range []generic.Vector{own: w.Own, enemy: w.Enemy} {
		for _, kind := range byIndex(w.K, false) {
			values[fmt.Sprintf("%s-%s-%d", [...]string{"own", "enemy"}[i], kind.Class(w.K), kind.Size())] = v[kind]
		}
	}
	return values
}

// Update lets a player learn while it plays. w holds the parameters that chose the last move of p. Update returns a copy of
// w in which it has made the two updates for this move, one for each side (see the package's documentation). It changes
// neither w nor p. The game may be over in p. If Adjust is ByValue, the parameters in w must be in the order of the
// parameters in generic.Fixed; the parameters of a learner always are. Update is safe for concurrent use.
//
// Only the method Q can learn during play, because the updates of Sarsa and TD depend on later moves.
func (o Options) Update(w generic.Weights, p game.Position) (generic.Weights, error) {
	if o.Method != Q {
		return generic.Weights{}, fmt.Errorf("%s learns from the next move, not from the last one", o.Method)
	}
	if o.Lambda != 0 {
		return generic.Weights{}, errors.New("traces need a whole game, but this update sees only one move")
	}
	l, err := New(p.Game(), o)
	if err != nil {
		return generic.Weights{}, err
	}
	if err := l.checkWeights(w); err != nil {
		return generic.Weights{}, err
	}
	before := p.Clone()
	if len(before.AppendHistory(nil)) == 0 {
		return generic.Weights{}, errors.New("there is no move to learn from")
	}
	before.Undo()
	w = clone(w)
	l.newUpdates(w).learn(p, before.Turn())
	return w, nil
}

// checkWeights returns an error if an episode cannot begin with the parameters w.
func (l *Learner) checkWeights(w generic.Weights) error {
	if _, err := generic.New(l.g, w); err != nil { // generic.New returns an error for weights that the heuristic cannot use
		return err
	}
	for i, v := range []generic.Vector{own: w.Own, enemy: w.Enemy} {
		if l.o.Adjust == ByValue && !l.order[i].ordered(v) {
			return errors.New("the parameters are not in the order of the fixed ones")
		}
	}
	return nil
}
