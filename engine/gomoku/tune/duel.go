// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// duelSeed is that of the openings: others than those that the engine learned from.
const duelSeed = 1 << 32

// duel lets the engine with the new weights meet the one with the old, and says whether it won beyond doubt.
func (t *tuning) duel(ctx context.Context, w, old *gomoku.Weights) (bool, error) {
	openings, err := gomoku.EvenOpenings(ctx, t.g, t.pairs, duelSeed+t.seed)
	if err != nil {
		return false, err
	}
	m := arena.Match{
		Game: t.g, A: t.player("new", w), B: t.player("old", old), Games: 2 * t.pairs, Openings: openings,
		Limits: search.Limits{Nodes: t.nodes}, Jobs: t.jobs, Seed: t.seed,
	}
	s, err := m.Run(ctx)
	if err != nil {
		return false, err
	}
	fmt.Printf("%s: new against old: +%d =%d -%d, %+.0f +- %.0f Elo, %d forfeits\n", t.name, s.AWins, s.Draws, s.BWins, s.Elo,
		s.EloError, s.Forfeits)
	return s.Elo > s.EloError, nil
}

func (t *tuning) player(name string, w *gomoku.Weights) arena.Factory {
	return arena.Factory{Name: name, New: func(uint64) (player.Player, error) {
		s, err := gomoku.New(t.g, gomoku.Options{Hash: 1 << 20, Weights: w})
		if err != nil {
			return nil, err
		}
		return player.FromSearcher(name, s, search.Limits{Nodes: t.nodes}), nil
	}}
}
