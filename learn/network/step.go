// SPDX-License-Identifier: Apache-2.0

package network

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/krow-lab/krow/arena"
	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/stats"
)

// Step makes the next generation. The point of the curve holds
//
//	loss, held-out      in nats: of the last pass, and on games that were not trained on
//	positions           trained on
//	score, elo, error   of the match against the best, and match, its games
//	kept                1 if the network became the best
//	ladder              Elo of the best above the heuristic: the sum of all gains
func (l *Learner) Step(ctx context.Context) (learn.Point, error) {
	if l.done >= l.o.Generations {
		return learn.Point{}, errors.New("all generations are done")
	}
	fresh, err := l.selfPlay(ctx)
	if err != nil {
		return learn.Point{}, err
	}
	next := *l // so that an error leaves l as it was
	next.done, next.played = l.done+1, l.played+uint64(l.o.Games)
	next.window = append(append([]*games(nil), l.window...), fresh)
	next.window = next.window[max(0, len(next.window)-l.o.Window):]
	point := learn.Point{Step: next.done, Games: next.played, Values: map[string]float64{}}
	if err := next.train(ctx, point.Values); err != nil {
		return learn.Point{}, err
	}
	if err := next.match(ctx, point.Values); err != nil {
		return learn.Point{}, err
	}
	*l = next
	return point, nil
}

// heldOut: one game in so many is not trained on.
const heldOut = 32

func (l *Learner) train(ctx context.Context, values map[string]float64) error {
	var learned, held samples
	for _, g := range l.window {
		n := 0
		err := g.each(l.g, func(r record) {
			s := &learned
			if n++; n%heldOut == 0 {
				s = &held
			}
			s.read(r, l.g.Rules(), float32(l.o.Result))
		})
		if err != nil {
			return err
		}
	}
	p := *l.p
	l.p = &p
	t := &trainer{p: l.p, jobs: l.o.Jobs, size: batch}
	mean, err := t.train(ctx, &learned, l.o.Passes, l.o.Rate, rand.New(rand.NewPCG(l.o.Seed, rng.Mix(l.o.Seed, uint64(l.done)))))
	values["loss"] = mean
	if held.len() > 0 {
		values["held-out"] = loss(l.p, &held)
	}
	values["positions"] = float64(learned.len())
	return err
}

var test = stats.SPRT{Elo0: 0, Elo1: 20}

func (l *Learner) match(ctx context.Context, values map[string]float64) error {
	n, err := l.p.Network(l.recipe())
	if err != nil {
		return err
	}
	m := arena.Match{
		Game: l.g, A: l.player("new", n), B: l.player("best", l.best), Games: l.o.Match, RandomPlies: 4,
		Limits: search.Limits{Nodes: uint64(l.o.Nodes)}, Jobs: l.o.Jobs, SPRT: &test,
		Seed: rng.Mix(l.o.Seed, uint64(l.done), 1<<32),
	}
	s, err := m.Run(ctx)
	if err == nil && s.Forfeits > 0 {
		err = errors.New("a game of the match was forfeited")
	}
	if err != nil {
		return err
	}
	points := float64(s.AWins) + float64(s.Draws)/2
	values["score"], values["match"] = points/float64(s.Games), float64(s.Games)
	values["elo"], values["error"], values["kept"] = s.Elo, s.EloError, 0
	switch {
	case s.Elo >= 0:
		l.best, l.elo, l.nearest, l.behind = n, l.elo+s.Elo, nil, 0
		values["kept"] = 1
	case l.best == nil && (l.nearest == nil || s.Elo > l.behind):
		l.nearest, l.behind = n, s.Elo
	}
	values["ladder"] = l.elo
	return nil
}

func (l *Learner) player(name string, n *network.Network) arena.Factory {
	return arena.Factory{Name: name, New: func(uint64) (player.Player, error) {
		s, err := l.searcher(n)
		if err != nil {
			return nil, err
		}
		return player.FromSearcher(name, s, search.Limits{}), nil
	}}
}

const hash = 1 << 20

// play plays the games of an origin, several at once.
func (l *Learner) play(ctx context.Context, o origin) (*games, error) {
	all := make([]record, o.Games)
	err := learn.Parallel(ctx, o.Games, l.o.Jobs, func(ctx context.Context) (func(int) error, error) {
		s, err := l.searcher(l.best)
		return func(i int) (err error) {
			all[i], err = l.game(ctx, s, rng.Mix(o.Seed, uint64(o.Generation), uint64(i)))
			return err
		}, err
	})
	if err != nil {
		return nil, err
	}
	g := &games{origin: o}
	for _, r := range all {
		g.add(r)
	}
	return g, nil
}

func (l *Learner) searcher(n *network.Network) (*engine.Searcher, error) {
	return engine.New(l.g, engine.Options{Net: n, Hash: hash, NoProof: true})
}

func (l *Learner) game(ctx context.Context, s *engine.Searcher, seed uint64) (r record, err error) {
	dice := rand.New(rand.NewPCG(seed, rng.Mix(seed)))
	p := l.g.Start()
	opening := dice.IntN(l.o.Plies + 1)
	for p.Outcome() == game.Ongoing {
		m, score := game.NoMove, int16(unsearched)
		if p.Ply() >= opening {
			info, err := s.Search(ctx, p, search.Limits{Nodes: uint64(l.o.Nodes)}, nil)
			if err == nil {
				err = ctx.Err() // a search that was stopped has an answer all the same
			}
			if err != nil {
				return record{}, err
			}
			m, score = info.PV[0], thousandths(info.Score)
		}
		random := m == game.NoMove || dice.Float64() < l.o.Epsilon
		if random {
			m = game.Random(p, dice.IntN)
		}
		r.add(uint8(m), score)
		if random {
			r.random = len(r.moves)
		}
		p.Play(m)
	}
	return r, nil
}

// thousandths returns the expected result of a score; a proved win or loss is 1000 or -1000.
func thousandths(s eval.Score) int16 { return int16(min(max(s, -eval.Unit), eval.Unit)) }
