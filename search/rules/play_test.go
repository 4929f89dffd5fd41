// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"context"
	"slices"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/rules"
)

func TestRules(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	tests := []struct {
		name   string
		g      game.Game
		board  string
		want   []string // moves in the game's notation
		solved bool
	}{
		{"rule 1 before rule 2", m(mnk.MNK(5, 5, 4)), `
			. . . . .
			. O O O .
			. . . . .
			. X X X .
			. . . . .`, []string{"a2", "e2"}, true},
		{"rule 1 knows that six are no five", m(mnk.Standard(7)), `
			. . . . . . .
			. . . . . . .
			O O O O . . .
			. . . . . . .
			. . . . . . .
			. . . . . . .
			X X X . X X .
			second to move`, []string{"e5"}, true},
		{"rule 1 captures", m(mnk.Pente(7)), `
			. . . . . . .
			. . . . . . .
			. X O O . . .
			. . . . . . .
			. . O . . . .
			. . . . X . .
			. . . . . . .
			first to move, memory 4 0`, []string{"e5"}, true},
		{"rule 2 blocks a capture", m(mnk.Pente(7)), `
			. . . . . . .
			. . . . . . .
			. X O O . . .
			. . . . . . .
			. . O . . . .
			. . . . X . .
			. . . . . . .
			second to move, memory 4 0`, []string{"e5"}, false},
		{"rule 2 in Connect Four, and nothing under a threat", m(mnk.Connect4(7, 6, 4)), `
			. . . . . . .
			. . . . . . .
			. . . . . . .
			. . . . . . .
			. O O O . . .
			. X X O X X .
			first to move`, []string{"1", "5"}, false},
		{"rule 3", m(mnk.Gomoku(9)), `
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . O . . .
			. . X X . X . . .
			. . . O . . . . .
			. . . . O . . . .
			. . . . . . . . .
			. . . . . . . . .
			first to move`, []string{"e5"}, false},
		{"rule 4", m(mnk.MNK(7, 7, 4)), `
			. . . . . . .
			. . . . . . .
			. . . . . . .
			. . X X . . .
			. . . O . . .
			. . . . . . .
			. . . . . . .
			second to move`, []string{"b4", "e4"}, false},
		{"rule 4 by a threat", m(mnk.TicTacToe(3, 3)), `
			. . X
			. O .
			X . .`, []string{"a2", "b1", "b3", "c2"}, false},
		{"rule 5", m(mnk.MNK(7, 6, 4)), `
			. . . . . . .
			. . . . . . .
			. . . . . . .
			. . . . . . .
			. . . . . . .
			. . . . . . .`, []string{"d3"}, false},
		{"two stones win", m(mnk.Connect6(9)), `
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . O . . . .
			. O X X X X . . .
			. . O . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			first to move, memory 2`, []string{"g5", "h5"}, true},
		{"one stone of two stops the most", m(mnk.Connect6(9)), `
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. O X X X X . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			second to move, memory 2`, []string{"g5", "h5"}, false},
		{"rule 2 without lines", gametest.Must[*atarigo.Game](t)(atarigo.New(5)), `
			. . . . .
			. . O . .
			. O X . .
			. . O . .
			. . . . .
			first to move`, []string{"d3"}, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, err := notation.ParseBoard(tc.g, tc.board)
			if err != nil {
				t.Fatal(err)
			}
			info := choose(t, p)
			if got := tc.g.Format(info.PV[0]); !slices.Contains(tc.want, got) || info.Solved != tc.solved {
				t.Errorf("%s (%+v), want one of %v, solved %v", got, info, tc.want, tc.solved)
			}
		})
	}
}

// TestForbiddenIsNotChosen offers Black an overline and a double four where nothing else looks as good.
func TestForbiddenIsNotChosen(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(renju.New(9))
	for seed := range uint64(30) {
		p, die := g.Start(), player.NewRandom(seed)
		for p.Outcome() == game.Ongoing {
			m, err := die.Move(context.Background(), p, search.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			f := p.(game.Forbidder)
			all := !slices.ContainsFunc(p.AppendMoves(nil), func(m game.Move) bool { return f.Forbidden(m) == "" })
			if m := choose(t, p).PV[0]; f.Forbidden(m) != "" && !all {
				t.Fatalf("%s is forbidden: %s", g.Format(m), notation.FormatMoves(g, p.AppendHistory(nil)))
			}
			p.Play(m)
		}
	}
}

// TestBeatsRandom plays seeded games from both seats.
func TestBeatsRandom(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	const games = 20
	for _, tc := range []struct {
		g       game.Game
		atLeast int
	}{
		{m(mnk.MNK(7, 7, 4)), 20},
		{m(mnk.Gomoku(15)), 20},
		{m(mnk.Connect4(7, 6, 4)), 19},
		{m(mnk.Connect6(19)), 20},
		{m(mnk.Pente(13)), 20},
		{gametest.Must[*mnk.Game](t)(renju.New(15)), 20},
		{gametest.Must[*atarigo.Game](t)(atarigo.New(7)), 15},
		{ultimate.New(ultimate.Rules{}), 12},
	} {
		t.Run(tc.g.String(), func(t *testing.T) {
			won := 0
			for seed := range uint64(games) {
				me := game.Side(seed % 2)
				var players [2]player.Player
				players[me] = player.FromSearcher("rules", rules.New(), search.Limits{})
				players[me.Other()] = player.NewRandom(seed)
				p := tc.g.Start()
				for p.Outcome() == game.Ongoing {
					m, err := players[p.Turn()].Move(context.Background(), p, search.Limits{})
					if err != nil {
						t.Fatal(err)
					}
					p.Play(m)
				}
				if p.Outcome() == game.WinFor(me) {
					won++
				}
			}
			if t.Logf("won %d of %d", won, games); won < tc.atLeast {
				t.Errorf("won %d of %d games, want %d", won, games, tc.atLeast)
			}
		})
	}
}
