// SPDX-License-Identifier: Apache-2.0

// Package limited makes a strong player weaker, in the way of a person: it thinks less, and sometimes it moves by the eye
// alone.
//
//	wins at once? ── yes ──> play it
//	     │ no
//	overlooks? ───── yes ──> the eye: stones in the rows through each cell, times chance
//	     │ no
//	     └─────────────────> the strong player, within so many nodes
//
// # Basics
//
//	p := limited.New(strong, limited.Options{Nodes: 200, Overlook: 0.3, Noise: 1, Seed: 1})
//	m, err := p.Move(ctx, position, search.Limits{})
//
// The eye takes a win, stops a row that needs one more stone most of the time, and often misses a row that needs two. It
// plays near the stones: see [Weights].
//
// # Caveats
//
// What is overlooked follows from the seed and the position, so the same seed plays the same game. A position that comes
// again after a move was taken back is overlooked again.
//
// Analyze is the strong player within the same nodes. It tells what the player would think, and overlooks nothing.
package limited

import (
	"context"
	"math"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Options are the limits.
type Options struct {
	Nodes    uint64  // of a move of the strong player; 0: its own limits
	Overlook float64 // the chance to move by the eye, from 0 to 1
	Noise    float64 // standard deviation of the logarithm of what the eye sees
	Seed     uint64
}

// Player is a player with limits.
type Player struct {
	of      player.Analyst
	o       Options
	moves   []game.Move
	weights []float64
}

// New returns of with the limits of o.
func New(of player.Analyst, o Options) *Player { return &Player{of: of, o: o} }

// Name returns "limited".
func (*Player) Name() string { return "limited" }

// Scale returns the scale of the scores of Analyze: see player.UsualScale.
func (l *Player) Scale() float64 {
	if s, ok := l.of.(interface{ Scale() float64 }); ok {
		return s.Scale()
	}
	return player.UsualScale
}

// Close closes the strong player.
func (l *Player) Close() error {
	player.Close(l.of)
	return nil
}

// Analyze lets the strong player analyse within the limits.
func (l *Player) Analyze(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	return l.of.Analyze(ctx, p, l.limits(lim), report)
}

// limits returns the narrower limits.
func (l *Player) limits(lim search.Limits) search.Limits {
	if lim.Nodes == 0 || l.o.Nodes > 0 && l.o.Nodes < lim.Nodes {
		lim.Nodes = l.o.Nodes
	}
	return lim
}

// Move wins at once where it can. Otherwise it moves by the eye, or as the strong player does.
func (l *Player) Move(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	dice := rng.Rand(rng.Mix(l.o.Seed, p.Key(), uint64(p.Ply())))
	if chance(&dice) >= l.o.Overlook {
		return l.of.Move(ctx, p, l.limits(lim))
	}
	l.moves = game.AppendSound(l.moves[:0], p)
	if m := winning(p, l.moves); m != game.NoMove {
		return m, nil
	}
	l.weights = Weights(l.weights[:0], p, l.moves)
	for i := range l.weights {
		l.weights[i] *= math.Exp(l.o.Noise * normal(&dice))
	}
	return l.moves[slices.Index(l.weights, slices.Max(l.weights))], nil
}

// winning returns the first of the moves that wins at once, or game.NoMove.
func winning(p game.Position, moves []game.Move) game.Move {
	side := p.Turn()
	for _, m := range moves {
		p.Play(m)
		won := p.Outcome() == game.WinFor(side)
		p.Undo()
		if won {
			return m
		}
	}
	return game.NoMove
}

// chance returns a number from 0 to 1.
func chance(dice *rng.Rand) float64 { return float64(dice.Next()>>11) / (1 << 53) }

// normal returns a number of about a normal distribution, with mean 0 and variance 1: the sum of twelve chances less 6.
func normal(dice *rng.Rand) float64 {
	sum := -6.0
	for range 12 {
		sum += chance(dice)
	}
	return sum
}
