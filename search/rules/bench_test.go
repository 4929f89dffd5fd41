// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/rules"
)

// BenchmarkMove chooses a move in positions some random moves away from the start.
func BenchmarkMove(b *testing.B) {
	m := gametest.Must[*mnk.Game](b)
	for _, bc := range []struct {
		g     game.Game
		plies int
	}{
		{m(mnk.TicTacToe(3, 3)), 2},
		{m(mnk.Connect4(7, 6, 4)), 10},
		{m(mnk.Gomoku(15)), 40},
		{m(mnk.MNK(70, 70, 10)), 100},
		{m(mnk.MNK(70, 70, 10)), 3000},
		{m(mnk.MNK(70, 70, 5)), 500},
		{m(mnk.MNK(128, 128, 10)), 100},
		{gametest.Must[*mnk.Game](b)(renju.New(15)), 40},
		{gametest.Must[*atarigo.Game](b)(atarigo.New(19)), 60},
		{ultimate.New(ultimate.Rules{}), 20},
	} {
		b.Run(fmt.Sprintf("game=%s/plies=%d", bc.g, bc.plies), func(b *testing.B) {
			p, die := bc.g.Start(), player.NewRandom(1)
			for p.Ply() < bc.plies {
				m, err := die.Move(context.Background(), p, search.Limits{})
				if err != nil {
					b.Fatal(err)
				}
				if p.Play(m); p.Outcome() != game.Ongoing {
					p.Undo()
					break
				}
			}
			s := rules.New()
			for b.Loop() {
				if _, err := s.Search(context.Background(), p, search.Limits{}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
