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

// Step plays one game and learns from each of its moves. The point of the curve holds the number of plies and
// all parameters, as own-open-3, enemy-half-open-4 and so on.
func (l *Learner) Step(ctx context.Context) (learn.Point, error) {
	if l.done >= l.o.Episodes {
		return learn.Point{}, errors.New("all episodes have been played")
	}
	// Copies, until the step has come to its end.
	rng, w := l.rng, clone(l.w)
	plies, err := l.play(ctx, rand.New(&rng), w)
	if err != nil {
		return learn.Point{}, err
	}
	l.rng, l.w, l.done = rng, w, l.done+1
	return l.point(plies), nil
}

// play plays a game with the parameters w, which change, and returns its plies.
func (l *Learner) play(ctx context.Context, rng *rand.Rand, w generic.Weights) (int, error) {
	c, err := l.newChooser(w)
	if err != nil {
		return 0, err
	}
	t := l.newTable(w)
	p := l.g.Start()
	for p.Outcome() == game.Ongoing {
		if p.Ply() < l.o.RandomPlies {
			p.Play(c.draw(p, rng))
			continue
		}
		m := game.NoMove
		if l.o.Epsilon > 0 && rng.Float64() < l.o.Epsilon {
			m = c.draw(p, rng)
		} else if m, err = c.search(ctx, p); err != nil {
			return 0, err
		}
		mover := p.Turn()
		p.Play(m)
		t.learn(p, mover)
	}
	return p.Ply(), nil
}

// chooser chooses moves.
type chooser struct {
	w        generic.Weights // as they are when a move is chosen
	live     *live
	searcher *alphabeta.Searcher
	moves    []game.Move
}

// live is an evaluator that is made anew whenever the parameters have changed.
type live struct{ *generic.Evaluator }

func (l *Learner) newChooser(w generic.Weights) (*chooser, error) {
	c := &chooser{w: w, live: &live{}}
	var err error
	if c.live.Evaluator, err = generic.New(l.g, w); err != nil {
		return nil, err
	}
	// The switches change how long a search takes, never the move it finds.
	o := alphabeta.Options{
		Depth: l.o.Depth, Eval: c.live, Terminal: alphabeta.Eval,
		Deepening: true, TT: 1 << 20, Killer: true, Refutation: true, History: true, PVS: true,
	}
	if l.o.Exact {
		o.Terminal = alphabeta.Exact
	}
	c.searcher, err = alphabeta.New(l.g, o)
	return c, err
}

// search returns the move of alpha-beta.
func (c *chooser) search(ctx context.Context, p game.Position) (game.Move, error) {
	e, err := generic.New(p.Game(), c.w)
	if err != nil {
		return game.NoMove, err
	}
	c.live.Evaluator = e
	c.searcher.Clear()
	info, err := c.searcher.Search(ctx, p, search.Limits{}, nil)
	if err == nil {
		err = ctx.Err() // a search that was stopped has an answer all the same
	}
	if err != nil {
		return game.NoMove, err
	}
	return info.PV[0], nil
}

// draw returns a random move that no rule forbids.
func (c *chooser) draw(p game.Position, rng *rand.Rand) game.Move {
	c.moves = game.AppendSound(c.moves[:0], p)
	return c.moves[rng.IntN(len(c.moves))]
}

func (l *Learner) point(plies int) learn.Point {
	values := map[string]float64{"plies": float64(plies)}
	for i, v := range []generic.Vector{own: l.w.Own, enemy: l.w.Enemy} {
		for _, kind := range l.rank[i] {
			name := fmt.Sprintf("%s-%s-%d", [...]string{"own", "enemy"}[i], kind.Class(l.w.K), kind.Size())
			values[name] = v[kind]
		}
	}
	return learn.Point{Step: l.done, Games: uint64(l.done), Values: values}
}
