// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/notation"
)

func testGames(t testing.TB) []*mnk.Game {
	m := gametest.Must[*mnk.Game](t)
	return []*mnk.Game{m(mnk.Gomoku(15)), m(mnk.Standard(15)), m(renju.New(15)), m(mnk.Caro(15))}
}

// TestChecker: the checker finds false wins, and no fault in true ones.
func TestChecker(t *testing.T) {
	g := testGames(t)[0]
	for _, tc := range []struct {
		name, moves string
		attack      []string // the winner's moves, where they are free; the last for good
		true        bool
	}{
		{"five", "h8 a1 i8 a3 j8 a5 k8 a7", []string{"l8"}, true},
		{"open four", "h8 a1 i8 a3 j8 a5", []string{"k8", "g8", "l8"}, true},
		{"a four is not enough", "h8 g8 i8 a3 j8 a5", []string{"k8", "l8", "m8"}, false},
		{"no four left", "h8 a1 i8 a3 j8 a5 k8 l8", []string{"o15", "a15"}, false},
		{"the enemy is first", "h8 a1 i8 a2 j8 a3 n2 a4", []string{"k8", "l8", "g8"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := g.Start()
			if err := notation.Play(p, tc.moves); err != nil {
				t.Fatal(err)
			}
			before := p.Key()
			c := checker{full: true, attack: func(_ context.Context, p game.Position) (game.Move, bool) {
				for _, word := range tc.attack {
					if m, err := g.Parse(word); err == nil && game.Legal(p, m) {
						return m, true
					}
				}
				return game.NoMove, false
			}}
			err := c.wins(t.Context(), p)
			if (err == nil) != tc.true || err != nil && !errors.Is(err, errFalse) {
				t.Errorf("Wins = %v", err)
			}
			if p.Key() != before {
				t.Error("the position was changed")
			}
		})
	}
}

// TestAnnounced replays the wins that the engine announces in a game of each rule against every answer.
func TestAnnounced(t *testing.T) {
	for _, g := range testGames(t) {
		t.Run(g.String(), func(t *testing.T) {
			m, err := NewMiner(g.String(), 1)
			if err != nil {
				t.Fatal(err)
			}
			attack, err := byEngine(g, 200_000)
			if err != nil {
				t.Fatal(err)
			}
			wins := 0
			for n := 0; wins < 3; n++ {
				if err := m.game(t.Context(), n, func(p game.Position, plies int) error {
					if plies == 0 {
						return nil
					}
					wins++
					c := checker{attack: attack, full: plies <= 9, sample: 3, rng: rand.New(rand.NewPCG(1, 2))}
					err := c.wins(t.Context(), p)
					t.Log(plies, c.answers, err)
					return err
				}); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
