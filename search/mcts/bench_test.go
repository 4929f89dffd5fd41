// SPDX-License-Identifier: Apache-2.0

package mcts_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/mcts"
)

// BenchmarkSims searches the start of a game with 10000 simulations, as plain UCT and with all that Defaults
// adds.
func BenchmarkSims(b *testing.B) {
	m := gametest.Must[*mnk.Game](b)
	plain := mcts.Options{}
	for _, bc := range []struct {
		name string
		g    game.Game
	}{
		{"tictactoe", m(mnk.TicTacToe(3, 3))},
		{"connect4", m(mnk.Connect4(7, 6, 4))},
		{"gomoku", m(mnk.Gomoku(15))},
		{"ultimate", ultimate.New(ultimate.Rules{})},
	} {
		for _, o := range []mcts.Options{plain, mcts.Defaults()} {
			b.Run(fmt.Sprintf("game=%s/solver=%t", bc.name, o.Solver), func(b *testing.B) {
				s, sims := mcts.New(o), uint64(0)
				for b.Loop() {
					info, err := s.Search(context.Background(), bc.g.Start(), search.Limits{Nodes: 10_000}, nil)
					if err != nil {
						b.Fatal(err)
					}
					sims += info.Nodes
				}
				b.ReportMetric(float64(sims)/b.Elapsed().Seconds(), "sims/s")
			})
		}
	}
}
