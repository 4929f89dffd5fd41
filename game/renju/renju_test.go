// SPDX-License-Identifier: Apache-2.0

package renju_test

import (
	"slices"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
)

func newGame(t testing.TB, size int) *mnk.Game {
	t.Helper()
	g, err := renju.New(size)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestConformance(t *testing.T) {
	for _, size := range []int{15, 9, 5, 3, 1} {
		gametest.Run(t, newGame(t, size))
	}
}

func TestNew(t *testing.T) {
	for size, want := range map[int]string{15: "renju", 9: "renju:9", 128: "renju:128"} {
		if got := newGame(t, size).String(); got != want {
			t.Errorf("New(%d) is %q, want %q", size, got, want)
		}
	}
	for _, size := range []int{-1, 0, 129} {
		if g, err := renju.New(size); err == nil {
			t.Errorf("New(%d) = %v, want an error", size, g)
		}
	}
}

// TestPlayOneMove sets up a drawn position of 9 x 9 and plays one move.
func TestPlayOneMove(t *testing.T) {
	tests := []struct {
		name, board string
		turn        game.Side
		move        string
		forbidden   string
		want        game.Outcome
	}{
		{"a forbidden move loses", `
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . X O . . . .
			. . . X . O . . .
			. X X . . . O . .
			. . . . . . . . .
			. . . . . . . . .`, game.First, "d3", "double three", game.SecondWins},
		{"white may play there", `
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . O X . . . .
			. . . O . X . . .
			. O O . . . X . .
			. . . . . . . . .
			. . . . . . . . .`, game.Second, "d3", "", game.Ongoing},
		{"white may play a double four", `
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . O . . . . .
			. . . O X . . . .
			. . . O . X . . .
			O O O . . . X . .
			. . . . . . . . .
			. . . . . . . . .`, game.Second, "d3", "", game.Ongoing},
		{"white wins with six", `
			. . . . . . . . .
			. . . . . . . . .
			O O O . O O . . .
			. . . . . . . . .
			X . X . X . X . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .`, game.Second, "d7", "", game.SecondWins},
		{"black loses with six", `
			. . . . . . . . .
			. . . . . . . . .
			X X X . X X . . .
			. . . . . . . . .
			O . O . O . O . O
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .`, game.First, "d7", "overline", game.SecondWins},
		{"black wins with five", `
			. . . . . . . . .
			. . . . . . . . .
			X X . X X . . . .
			. . . . . . . . .
			O . O . O . O . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .`, game.First, "c7", "", game.FirstWins},
		{"an overline that was set up decides nothing", `
			. . . . . . . . .
			X X X X X X . . .
			. . . . . . . . .
			. . . . . . . . .
			O . O . O . O . O
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .`, game.First, "e1", "", game.Ongoing},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			g := newGame(t, 9)
			p, err := g.SetUp(game.Setup{Cells: parse(t, tc.board).cells, Turn: tc.turn})
			if err != nil {
				t.Fatal(err)
			}
			if p.Outcome() != game.Ongoing {
				t.Fatalf("set up: %v, want ongoing", p.Outcome())
			}
			m, err := g.Parse(tc.move)
			if err != nil || !slices.Contains(p.AppendMoves(nil), m) {
				t.Fatalf("%s is not among the legal moves: %v", tc.move, err)
			}
			if got := p.(game.Forbidder).Forbidden(m); got != tc.forbidden {
				t.Errorf("Forbidden(%s) = %q, want %q", tc.move, got, tc.forbidden)
			}
			if err := game.Play(p, m); err != nil || p.Outcome() != tc.want {
				t.Errorf("after %s: %v, %v, want %v", tc.move, p.Outcome(), err, tc.want)
			}
		})
	}
}

// TestFoulIsRemembered reaches the same stones with and without a foul, which must not be the same position.
func TestFoulIsRemembered(t *testing.T) {
	g := newGame(t, 9)
	foul := play(t, g, "b3", "i9", "c3", "g9", "d4", "e9", "d5", "c9", "d3")
	fine := play(t, g, "b3", "i9", "c3", "g9", "d3", "e9", "d5", "c9", "d4")
	if foul.Outcome() != game.SecondWins || fine.Outcome() != game.Ongoing {
		t.Fatalf("outcomes %v and %v, want second wins and ongoing", foul.Outcome(), fine.Outcome())
	}
	if foul.Key() == fine.Key() {
		t.Error("a lost position and one still open have the same key")
	}
	again, err := g.SetUp(foul.(game.Settable).Setup())
	if err != nil || again.Outcome() != game.SecondWins || again.Key() != foul.Key() {
		t.Errorf("set up again: %v", err)
	}
	foul.Undo()
	if foul.Outcome() != game.Ongoing {
		t.Errorf("after Undo: %v, want ongoing", foul.Outcome())
	}
}

// TestSetUpRefuses asks for fouls that cannot be.
func TestSetUpRefuses(t *testing.T) {
	five := parse(t, `
		. . . . .
		X X X X X
		. . . . .
		O O O O .
		. . . . .`).cells
	for _, s := range []game.Setup{
		{Cells: five, Turn: game.Second, Memory: []uint8{1}},
		{Cells: make([]game.Stone, 25), Memory: []uint8{2}},
		{Cells: make([]game.Stone, 25), Memory: []uint8{0, 0}},
	} {
		if p, err := newGame(t, 5).SetUp(s); err == nil {
			t.Errorf("SetUp(%v) is %v, want an error", s, p.Outcome())
		}
	}
}

func play(t *testing.T, g game.Game, moves ...string) game.Position {
	t.Helper()
	p := g.Start()
	for _, s := range moves {
		m, err := g.Parse(s)
		if err == nil {
			err = game.Play(p, m)
		}
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return p
}
