// SPDX-License-Identifier: Apache-2.0

package network

import (
	"context"
	"math/rand/v2"

	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/search"
)

// hash is the memory of a search of a few hundred nodes, in bytes.
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

// searcher returns the engine with a network, or with the heuristic for nil. The prover has no use for so few nodes.
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
