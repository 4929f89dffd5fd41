// SPDX-License-Identifier: Apache-2.0

package mcts_test

import (
	"context"
	"fmt"
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
	"github.com/krow-lab/krow/search/mcts"
	"github.com/krow-lab/krow/search/searchtest"
)

// games are those that the kit leaves out.
func games(t testing.TB) []game.Game {
	return []game.Game{
		ultimate.New(ultimate.Rules{}), gametest.Must[*atarigo.Game](t)(atarigo.New(5)), gametest.Must[*mnk.Game](t)(renju.New(9)),
	}
}

func TestConformance(t *testing.T) {
	newSearcher := func(game.Game) search.Searcher { return mcts.New(mcts.Defaults()) }
	searchtest.Run(t, newSearcher)
	searchtest.RunOn(t, newSearcher, games(t)...)
}

func TestConformanceOfOptions(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	all := append(games(t), m(mnk.TicTacToe(3, 3)), m(mnk.Connect4(7, 6, 4)), m(mnk.Connect6(7)), m(mnk.Pente(7)))
	for _, o := range []mcts.Options{{}, mcts.Small()} {
		t.Run(fmt.Sprintf("solver=%t", o.Solver), func(t *testing.T) {
			searchtest.RunOn(t, func(game.Game) search.Searcher { return mcts.New(o) }, all...)
		})
	}
}

// run searches p anew.
func run(t *testing.T, o mcts.Options, p game.Position, lim search.Limits) search.Info {
	t.Helper()
	info, err := mcts.New(o).Search(context.Background(), p, lim, nil)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func TestTacticsAreFound(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	tests := []struct {
		name   string
		g      game.Game
		board  string
		want   []string // moves in the game's notation
		solved bool
	}{
		{"win at once", m(mnk.Gomoku(9)), `
			. . . . . . . . .
			. . . . . . . . .
			. . O . O . . . .
			. . . O . . . . .
			. . X X X X O . .
			. . . . O . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			first to move`, []string{"b5"}, true},
		{"block the four", m(mnk.Gomoku(9)), `
			. . . . . . . . .
			. . . . . . . . .
			. . O . O . . . .
			. . . O . . . . .
			. . X X X X O . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			second to move`, []string{"b5"}, false},
		{"open four", m(mnk.MNK(7, 7, 4)), `
			. . . . . . .
			. . . . . . .
			. . . . . . .
			. . X X . . .
			. . . O . . .
			. . O . . . .
			. . . . . . .
			first to move`, []string{"b4", "e4"}, true},
		{"stop the open three", m(mnk.MNK(7, 7, 4)), `
			. . . . . . .
			. . . . . . .
			. . . . . . .
			. O X X . . .
			. . . . . . .
			. . . . . . .
			. . . . . . .
			second to move`, []string{"e4", "f4"}, false},
		{"open three on the ground", m(mnk.Connect4(7, 6, 4)), `
			. . . . . . .
			. . . . . . .
			. . . . . . .
			. . . . . . .
			. . O O . . .
			. . X X . . .
			first to move`, []string{"5", "2"}, true},
		{"two stones at once", m(mnk.Connect6(9)), `
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . O . . . .
			. O X X X X O . .
			. . O X . . . . .
			. . X . . O . . .
			. X . . . . . . .
			X . . . O . O . O
			second to move, memory 2`, []string{"e5", "f6", "f4"}, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, err := notation.ParseBoard(tc.g, tc.board)
			if err != nil {
				t.Fatal(err)
			}
			info := run(t, mcts.Defaults(), p, search.Limits{Nodes: 20_000})
			if got := tc.g.Format(info.PV[0]); !slices.Contains(tc.want, got) || info.Solved != tc.solved {
				t.Errorf("%s, solved %v (%+v), want one of %v, solved %v", got, info.Solved, info, tc.want, tc.solved)
			}
		})
	}
}

// TestSolvedLine plays the line of a proved win: it must end in one after as many plies as the score says.
func TestSolvedLine(t *testing.T) {
	for _, g := range []game.Game{gametest.Must[*mnk.Game](t)(mnk.MNK(5, 4, 3)), gametest.Must[*mnk.Game](t)(mnk.Connect4(5, 5, 3))} {
		p := g.Start()
		info := run(t, mcts.Defaults(), p, search.Limits{Nodes: 100_000})
		plies, sign := info.Score.Distance()
		for _, m := range info.PV {
			p.Play(m)
		}
		if !info.Solved || sign != 1 || plies != len(info.PV) || p.Outcome() != game.FirstWins {
			t.Errorf("%s: %+v, then %v; want a line that wins", g, info, p.Outcome())
		}
	}
}

func TestTicTacToeIsADraw(t *testing.T) {
	info := run(t, mcts.Defaults(), gametest.Must[*mnk.Game](t)(mnk.TicTacToe(3, 3)).Start(), search.Limits{Nodes: 1 << 20})
	if !info.Solved || info.Value() != "draw" {
		t.Errorf("%+v, want a proved draw", info)
	}
}

// TestSamePositionSameAnswer reaches a position by two ways, with a new Searcher and with a used one.
func TestSamePositionSameAnswer(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(6, 5, 4))
	answer := func(s *mcts.Searcher, moves ...game.Move) string {
		p := g.Start()
		for _, m := range moves {
			p.Play(m)
		}
		all := ""
		_, err := s.Search(context.Background(), p, search.Limits{Nodes: 3000, Lines: 3}, func(i search.Info) {
			i.Time = 0
			all += fmt.Sprintln(i)
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	used := mcts.New(mcts.Defaults())
	want := answer(used, 7, 8, 14)
	if got := answer(used, 14, 8, 7); got != want {
		t.Errorf("the second search\n%s\nthe first\n%s", got, want)
	}
	o := mcts.Defaults()
	o.Seed = 1
	if answer(mcts.New(o), 7, 8, 14) == want {
		t.Error("the seed makes no difference")
	}
}

// TestLinesFarFromProof looks at order and bounds where the kit cannot: far from any proof.
func TestLinesFarFromProof(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Connect4(7, 6, 4))
	var lines []search.Info
	_, err := mcts.New(mcts.Defaults()).Search(context.Background(), g.Start(), search.Limits{Nodes: 2000, Lines: 9}, func(i search.Info) {
		if i.Line == 1 {
			lines = nil
		}
		lines = append(lines, i)
	})
	if err != nil || len(lines) != 7 {
		t.Fatalf("%d lines, %v, want 7", len(lines), err)
	}
	for i := 1; i < len(lines); i++ {
		if lines[i].Score > lines[i-1].Score || lines[i].Line != i+1 {
			t.Errorf("line %d: %+v after %+v", i+1, lines[i], lines[i-1])
		}
	}
}

// TestForbiddenIsNotChosen allows too few simulations to meet a move that is not forbidden.
func TestForbiddenIsNotChosen(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.New(mnk.Rules{
		Name: "one good cell", Columns: 9, Rows: 9, K: 5,
		Foul: func(_ []game.Stone, _, _, cell int) string {
			if cell != 40 {
				return "not the centre"
			}
			return ""
		},
	}))
	for _, o := range []mcts.Options{mcts.Defaults(), {}} {
		if info := run(t, o, g.Start(), search.Limits{Nodes: 3}); info.PV[0] != 40 {
			t.Errorf("%+v: chose %d, want 40", o, info.PV[0])
		}
	}
}

func TestBeatsRandom(t *testing.T) {
	const games, atLeast = 40, 38
	g := gametest.Must[*mnk.Game](t)(mnk.Connect4(7, 6, 4))
	won := 0
	for seed := range uint64(games) {
		o := mcts.Defaults()
		o.Seed = seed
		me := game.Side(seed % 2)
		var players [2]player.Player
		players[me] = player.FromSearcher("mcts", mcts.New(o), search.Limits{Nodes: 500})
		players[me.Other()] = player.NewRandom(seed)
		p := g.Start()
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
	if won < atLeast {
		t.Errorf("won %d of %d games, want %d", won, games, atLeast)
	}
}
