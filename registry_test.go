// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

func TestGameSpecs(t *testing.T) {
	tests := []struct{ spec, want, wrong string }{
		{spec: "mnk:7,6,4", want: "mnk:7,6,4"},
		{spec: "mnk:m=7,n=6,k=4", want: "mnk:7,6,4"},
		{spec: "mnk:k=4,7,6", want: "mnk:7,6,4"},
		{spec: "tictactoe", want: "tictactoe"},
		{spec: "tictactoe:5,k=4", want: "tictactoe:5,k=4"},
		{spec: "tictactoe:exact=on", want: "tictactoe:exact=on"},
		{spec: "tictactoe:5,k=4,exact=on", want: "tictactoe:5,k=4,exact=on"},
		{spec: "tictactoe:5,exact=off", want: "tictactoe:5"},
		{spec: "connect4:8x7,exact=on", want: "connect4:8x7,exact=on"},
		{spec: "gomoku:15", want: "gomoku"},
		{spec: "gomoku:19", want: "gomoku:19"},
		{spec: "gomoku(19)", want: "gomoku:19"},
		{spec: "gomoku:20x15", want: "gomoku:20x15"},
		{spec: "gomoku:15x15,k=5", want: "gomoku"},
		{spec: "gomoku:9,6", want: "gomoku:9,k=6"},
		{spec: "standard:k=6,20x15", want: "standard:20x15,k=6"},
		{spec: "renju:20x15", want: "renju:20x15"},
		{spec: "caro:exact=on", want: "caro:exact=on"},
		{spec: "caro:20,k=6,exact=on", want: "caro:20,k=6,exact=on"},
		{spec: "caro:exact=off,15", want: "caro"},
		{spec: "connect4", want: "connect4"},
		{spec: "connect4:7x6,k=4", want: "connect4"},
		{spec: "connect4:8x7,k=5", want: "connect4:8x7,k=5"},
		{spec: "connect4:k=5", want: "connect4:k=5"},
		{spec: "ultimate:won=open,draw=boards", want: "ultimate:draw=boards,won=open"},
		{spec: "atarigo:7", want: "atarigo:7"},
		{spec: "gomoko", wrong: `unknown game "gomoko"`},
		{spec: "gomoku:0", wrong: `gomoku: size must be a whole number from 1 to 128, or such as 20x15, not "0"`},
		{spec: "gomoku:129", wrong: `gomoku: size must be a whole number from 1 to 128, or such as 20x15, not "129"`},
		{spec: "standard:20x", wrong: `standard: size must be a whole number from 1 to 128, or such as 20x15, not "20x"`},
		{spec: "caro:15x200", wrong: `caro: size must be a whole number from 1 to 128, or such as 20x15, not "15x200"`},
		{spec: "gomoku:k=0", wrong: `gomoku: k must be a whole number from 1 to 128, not "0"`},
		{spec: "caro:exact=maybe", wrong: `caro: exact must be on|off|true|false, not "maybe"`},
		{spec: "renju:k=6", wrong: `renju has no argument "k"`},
		{spec: "standard:exact=on", wrong: `standard has no argument "exact"`},
		{spec: "connect4:7", wrong: `connect4: size must be WIDTHxHEIGHT such as 8x7, not "7"`},
		{spec: "connect4:0x6", wrong: `connect4: a board must have 1 to 128 columns and rows, not 0 x 6`},
		{spec: "ultimate:draw=none", wrong: `ultimate: draw must be plain|boards, not "none"`},
		{spec: "mnk:3,3,3,3", wrong: `mnk: "3" is one argument too many`},
		{spec: "mnk:(", wrong: `game "mnk:(": unbalanced parentheses`},
		{spec: "", wrong: `game "" does not begin with a name`},
	}
	for _, tc := range tests {
		t.Run(tc.spec, func(t *testing.T) {
			g, err := krow.Game(tc.spec)
			if tc.wrong != "" {
				if err == nil || err.Error() != tc.wrong {
					t.Errorf("Game = %v, want error %q", err, tc.wrong)
				}
				var s *spec.Error
				if !errors.As(err, &s) {
					t.Errorf("error %T is no *spec.Error", err)
				}
				return
			}
			if err != nil || g.String() != tc.want {
				t.Errorf("Game = %v, %v, want %q", g, err, tc.want)
			}
		})
	}
}

// board is a game to try every player on, and a list of moves that leaves little of it.
var boards = []string{
	"tictactoe", "tictactoe:5,k=3,exact=on", "connect4:5x4,k=3,exact=on", "mnk:1,1,1", "mnk:1,9,3", "mnk:9,1,4", "mnk:2,3,7", "mnk:5,4,2", "mnk:6,6,1", "gomoku:7", "standard:6", "caro:6", "renju:7",
	"gomoku:8x6,k=4", "standard:5x7", "renju:6x8", "caro:7x6,exact=on", "pente:7", "connect4", "connect4:1x1", "connect4:3x9,k=2", "connect6:7", "ultimate", "ultimate:draw=boards,won=open", "atarigo:4",
}

// TestEveryPlayerOnEveryGame plays each named player against a random one, on odd boards too, under a budget
// of a few nodes a move. A player may refuse a game in one line; it may not panic, err or move illegally.
func TestEveryPlayerOnEveryGame(t *testing.T) {
	specs := []string{
		"mics:nodes=60,threads=2", "alphabeta:nodes=60", "alphabeta:depth=2,eval=chua",
		"alphabeta:depth=1,eval=shevchenko(variant=note)", "alphabeta:depth=2,eval=mics,order=mics", "alphabeta:depth=2,eval=lines(empty=literal)", "minimax:depth=1", "mcts:sims=40",
		"mcts:sims=20,solver=off,decisive=off", "lines:depth=2", "greedy", "greedy:eval=brute", "rules", "random", "best:time=1ms",
		"level:1", "limited:nodes=20,overlook=0.5",
	}
	for _, text := range boards {
		for _, spec := range specs {
			t.Run(text+"/"+spec, func(t *testing.T) { playOut(t, text, spec) })
		}
	}
}

func playOut(t *testing.T, text, spec string) {
	g, err := krow.Game(text)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start()
	var players [2]player.Player
	for i, s := range []string{spec, "random"} {
		if players[i], err = krow.Player(g, s, 1); err != nil {
			if strings.Contains(err.Error(), "\n") || !refuses(g, spec) {
				t.Fatalf("Player: %v", err)
			}
			return
		}
	}
	for p.Outcome() == game.Ongoing && p.Ply() < 120 {
		m, err := players[p.Turn()].Move(context.Background(), p, search.Limits{})
		if err != nil {
			t.Fatalf("ply %d: %v", p.Ply(), err)
		}
		f, ok := p.(game.Forbidder)
		if ok && f.Forbidden(m) != "" && len(game.AppendSound(nil, p)) < len(p.AppendMoves(nil)) {
			t.Errorf("ply %d: %s is forbidden, and other moves are left", p.Ply(), g.Format(m))
		}
		if err := game.Play(p, m); err != nil {
			t.Fatal(err)
		}
	}
}

// refuses says whether a player has a reason to refuse the game: it needs rows, or k of at least three.
func refuses(g game.Game, spec string) bool {
	_, lined := g.Start().(game.Lined)
	anywhere := slices.ContainsFunc([]string{"random", "best", "level", "limited"}, func(name string) bool { return strings.HasPrefix(spec, name) })
	return !lined && !anywhere
}
