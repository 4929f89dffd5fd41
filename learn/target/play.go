// SPDX-License-Identifier: Apache-2.0

package target

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Pair is two games between the players at two places, from the same opening; each moves first once.
type Pair struct {
	A, B []float64 // coordinates
	Seed uint64    // of the opening
}

// Playing says how pairs are played.
type Playing struct {
	Plies int // random ones at the beginning
	Jobs  int // pairs at once: the number of processors where it is 0. Results do not depend on it
}

// Play plays the pairs and returns the share of the points that A won in each: 0, 1/4, 1/2, 3/4 or 1. An error may
// be that of ctx.
func (t *Target) Play(ctx context.Context, pairs []Pair, o Playing) ([]float64, error) {
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	scores := make([]float64, len(pairs))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(o.Jobs, len(pairs)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(pairs) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				var err error
				if scores[i], err = t.pair(ctx, pairs[i], o.Plies); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return scores, nil
}

// pair plays one pair and returns A's score.
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
				err = ctx.Err() // a search that was stopped has a move all the same
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

// opening returns the position after random moves. It is ongoing: where the game ended, the last move is taken back.
func (t *Target) opening(seed uint64, plies int) game.Position {
	rng := rand.New(learn.NewSource(seed))
	p := t.Game.Start()
	var moves []game.Move
	for range plies {
		moves = game.AppendSound(moves[:0], p)
		p.Play(moves[rng.IntN(len(moves))])
		if p.Outcome() != game.Ongoing {
			p.Undo()
			break
		}
	}
	return p
}
