// SPDX-License-Identifier: Apache-2.0

package target

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// MaxPlies is the most random plies that a pair of games may begin with.
const MaxPlies = 128 * 128

// Pair is two games between the players at two places, from the same opening. Each moves first once.
type Pair struct {
	A, B []float64 // coordinates
	Seed uint64    // of the opening
}

// Playing says how pairs are played.
type Playing struct {
	Plies int // random plies at the beginning
	Jobs  int // pairs at once; 0 means the number of processors. Results do not depend on it
}

// Play plays the pairs and returns the share of the points that A won in each: 0, 1/4, 1/2, 3/4 or 1. An error may
// be that of ctx.
func (t *Target) Play(ctx context.Context, pairs []Pair, o Playing) ([]float64, error) {
	scores := make([]float64, len(pairs))
	err := learn.Parallel(ctx, len(pairs), cmp.Or(o.Jobs, runtime.GOMAXPROCS(0)), func(ctx context.Context) (func(int) error, error) {
		return func(i int) (err error) {
			scores[i], err = t.pair(ctx, pairs[i], o.Plies)
			return err
		}, nil
	})
	if err != nil {
		return nil, err
	}
	return scores, nil
}

func (t *Target) pair(ctx context.Context, pair Pair, plies int) (float64, error) {
	a, err := t.Player(pair.A)
	if err != nil {
		return 0, err
	}
	b, err := t.Player(pair.B)
	if err != nil {
		return 0, err
	}
	opening := t.opening(pair.Seed, plies)
	score := 0.0
	for side, players := range [][2]player.Player{game.First: {a, b}, game.Second: {b, a}} {
		p := opening.Clone()
		for p.Outcome() == game.Ongoing {
			m, err := players[p.Turn()].Move(ctx, p, search.Limits{})
			if err == nil {
				err = ctx.Err() // a search that was stopped has a move, too
			}
			if err != nil {
				return 0, fmt.Errorf("ply %d: %w", p.Ply()+1, err)
			}
			p.Play(m)
		}
		switch p.Outcome() {
		case game.WinFor(game.Side(side)):
			score += 0.5
		case game.Draw:
			score += 0.25
		}
	}
	return score, nil
}

// opening returns the position after random moves. It is ongoing: a move that ends the game is taken back.
func (t *Target) opening(seed uint64, plies int) game.Position {
	rng := rand.New(learn.NewSource(seed))
	p := t.Game.Start()
	if game.PlayRandom(p, plies, rng.IntN); p.Outcome() != game.Ongoing {
		p.Undo()
	}
	return p
}
