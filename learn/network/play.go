// SPDX-License-Identifier: Apache-2.0

package network

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/search"
)

// hash is the memory of a search of a few hundred nodes, in bytes.
const hash = 1 << 20

// selfPlay returns the games of the next generation: from their file, or played, and then kept there.
func (l *Learner) selfPlay(ctx context.Context) (*games, error) {
	want := l.gamesOrigin()
	if l.o.Data == "" {
		return l.play(ctx, want)
	}
	if err := os.MkdirAll(l.o.Data, 0o755); err != nil {
		return nil, err
	}
	name, g, err := l.find(want)
	if err != nil || g != nil {
		return g, err
	}
	if g, err = l.play(ctx, want); err != nil {
		return nil, err
	}
	return g, l.writeGames(name, g)
}

// find returns the games of that origin if there is a file of them, or nil and the name of the file that is to hold
// them. Games of other settings, or of another network, keep their file.
//
//	seed-1-generation-003.games.gz   seed-1-generation-003-2.games.gz   ...
func (l *Learner) find(want origin) (string, *games, error) {
	base := filepath.Join(l.o.Data, fmt.Sprintf("seed-%d-generation-%03d", want.Seed, want.Generation))
	name := base
	for n := 2; ; n++ {
		file := name + ".games.gz"
		switch g, err := l.readGames(file); {
		case errors.Is(err, fs.ErrNotExist):
			return file, nil, nil
		case err != nil:
			return "", nil, fmt.Errorf("%s: %w; once it is removed they are played again", file, err)
		case g.origin == want:
			return file, g, nil
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
}

func (l *Learner) readGames(name string) (*games, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return unpack(data, l.g)
}

func (l *Learner) writeGames(name string, g *games) error {
	data, err := g.pack()
	if err != nil {
		return err
	}
	return wholefile.Write(name, data)
}

func (l *Learner) gamesOrigin() origin {
	o := origin{
		Game: l.g.String(), Seed: l.o.Seed, Generation: l.done + 1, Games: l.o.Games, Nodes: l.o.Nodes, Plies: l.o.Plies,
		Epsilon: l.o.Epsilon,
	}
	if l.best != nil {
		o.Network = fmt.Sprintf("%08x", crc32.ChecksumIEEE(l.best.Append(nil)))
	}
	return o
}

// play plays the games, several at once.
func (l *Learner) play(ctx context.Context, o origin) (*games, error) {
	all := make([]record, o.Games)
	errs := make([]error, min(l.o.Jobs, o.Games))
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			s, err := l.searcher(l.best)
			for n := int(next.Add(1)) - 1; err == nil && n < len(all); n = int(next.Add(1)) - 1 {
				all[n], err = l.game(ctx, s, rng.Mix(o.Seed, uint64(o.Generation), uint64(n)))
			}
			errs[i] = err
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	g := &games{origin: o}
	for _, p := range all {
		g.add(p)
	}
	return g, nil
}

// searcher returns the engine with a network, or without one for nil. So few nodes leave nothing for the prover.
func (l *Learner) searcher(n *network.Network) (*engine.Searcher, error) {
	return engine.New(l.g, engine.Options{Net: n, Hash: hash, NoProof: true})
}

// game plays a game with the random numbers of its own.
func (l *Learner) game(ctx context.Context, s *engine.Searcher, seed uint64) (g record, err error) {
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
		g.add(uint8(m), score)
		if random {
			g.random = len(g.moves)
		}
		p.Play(m)
	}
	return g, nil
}

// thousandths returns the expected result of a score, which for one that is proved is -1000 or 1000.
func thousandths(s eval.Score) int16 { return int16(min(max(s, -eval.Unit), eval.Unit)) }
