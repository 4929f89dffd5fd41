// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
)

// shipped returns the first puzzle of a game and a theme in the collection.
func shipped(t *testing.T, name string, theme Theme) Puzzle {
	t.Helper()
	all, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(p Puzzle) bool { return p.Game == name && p.Theme == theme && p.Plies <= 12 })
	if i < 0 {
		t.Fatalf("no puzzle of %s, %s", name, theme)
	}
	return all[i]
}

// TestAnswer solves puzzles by their own hints, and hears what a wrong move comes to.
func TestAnswer(t *testing.T) {
	for _, tc := range []struct {
		game  string
		theme Theme
		wrong []Why // what wrong moves may come to
	}{
		{"gomoku", VCT, []Why{Holds, Loses}},
		{"renju", VCF, []Why{Holds, Loses}},
		{"gomoku", Defence, []Why{Loses}},
		{"pente", VCF, []Why{Holds, Loses}},
		{"pente", Defence, []Why{Loses}},
		{"connect6", VCF, []Why{Holds, Loses}},
		{"connect6", Defence, []Why{Loses}},
		{"atarigo", Ladder, []Why{Holds, Loses}},
		{"atarigo", Defence, []Why{Loses}},
		{"connect4", Column, []Why{Draws, Loses}},
		{"connect4", Defence, []Why{Loses}},
		{"ultimate", Endgame, []Why{Draws, Loses}},
	} {
		t.Run(tc.game+"/"+string(tc.theme), func(t *testing.T) {
			p := shipped(t, tc.game, tc.theme)
			played := ""
			for range 15 {
				h, err := p.Hint(t.Context(), played, 3)
				if err != nil || len(h.Cells) == 0 || h.Theme != tc.theme {
					t.Fatalf("Hint(%q) = %+v, %v", played, h, err)
				}
				a, err := p.Answer(t.Context(), played, h.Move)
				if err != nil || a.Why != Solved && a.Why != Goes {
					t.Fatalf("Answer(%q, %s) = %+v, %v", played, h.Move, a, err)
				}
				if a.Why == Solved {
					wrongMove(t, p, tc.wrong)
					return
				}
				played = strings.TrimSpace(played + " " + h.Move + " " + a.Reply)
			}
			t.Errorf("not solved: %s", played)
		})
	}
}

// TestEitherOrder: in Connect6 the second stone of a turn may be placed first, and then the first stone is the hint.
func TestEitherOrder(t *testing.T) {
	for _, theme := range []Theme{VCF, Defence} {
		p := shipped(t, "connect6", theme)
		line := strings.Fields(p.Line)
		a, err := p.Answer(t.Context(), "", line[1])
		if err != nil || a.Why != Goes || a.Reply != "" {
			t.Errorf("%s: %s first: %+v, %v", theme, line[1], a, err)
		}
		if h, err := p.Hint(t.Context(), line[1], 3); err != nil || h.Move != line[0] {
			t.Errorf("%s: the hint after %s: %+v, %v", theme, line[1], h, err)
		}
		a, err = p.Answer(t.Context(), line[1], line[0])
		if err != nil || a.Why != Goes && a.Why != Solved || theme == VCF && a.Reply != strings.Join(line[2:4], " ") {
			t.Errorf("%s: %s second: %+v, %v", theme, line[0], a, err)
		}
	}
}

// wrongMove tries a move that is not the right one.
func wrongMove(t *testing.T, p Puzzle, want []Why) {
	t.Helper()
	g, err := krow.Game(p.Game)
	if err != nil {
		t.Fatal(err)
	}
	pos, right, err := p.Position(g)
	if err != nil {
		t.Fatal(err)
	}
	moves := pos.AppendMoves(nil)
	wrong := moves[0]
	if wrong == right {
		wrong = moves[1]
	}
	a, err := p.Answer(t.Context(), "", g.Format(wrong))
	if err != nil || !slices.Contains(want, a.Why) || a.Why == Loses && a.Plies > 1 && len(a.Line) == 0 {
		t.Errorf("%s: %+v, %v, want one of %v", g.Format(wrong), a, err, want)
	}
	if _, err := p.Answer(t.Context(), "", "zz"); err == nil {
		t.Error("zz was answered")
	}
}

// TestOf: a proved position becomes a puzzle like those of the collection, a quiet one asks for the engine's move.
func TestOf(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	p := shipped(t, "gomoku", VCT)
	made, err := Of(t.Context(), p.Game, p.Moves, p.Line)
	p.Nodes = made.Nodes // a later prover needs other numbers of nodes, and the grade depends on them
	if err != nil || made.ID() != p.ID() || made.Theme != p.Theme || made.Grade != p.grade() {
		t.Errorf("%+v, %v, want %+v", made, err, p)
	}
	const penteMoves = "l7 h14 f7 k8 m8 k6 n9 i8 o10 p11 k9 j7 l5 j6 i6 l6 l9 m6 n6 j9 m9 o9 k10 n7 k8 j7"
	captures, err := Of(t.Context(), "pente", penteMoves, "a1")
	if err != nil || captures.Theme != VCF || captures.Line != "k11 m10 k12 k13 k8" {
		t.Errorf("pente: %+v, %v", captures, err)
	}
	if a, err := captures.Answer(t.Context(), "", "k11"); err != nil || a.Why != Goes || a.Reply != "m10" {
		t.Errorf("k11 in pente: %+v, %v", a, err)
	}
	quiet, err := Of(t.Context(), "gomoku", "h8", "i9 h9")
	if err != nil || quiet.Theme != Best || quiet.Grade != 0 {
		t.Fatalf("%+v, %v", quiet, err)
	}
	if a, err := quiet.Answer(t.Context(), "", "i9"); err != nil || a.Why != Solved {
		t.Errorf("the engine's move: %+v, %v", a, err)
	}
	if a, err := quiet.Answer(t.Context(), "", "a1"); err != nil || a.Why != Other {
		t.Errorf("another: %+v, %v", a, err)
	}
	if _, err := Of(t.Context(), "gomoku", "h8", "h8"); err == nil {
		t.Error("an illegal move is a puzzle")
	}
}

// TestRegion: the move is in its region, which is a part of the board.
func TestRegion(t *testing.T) {
	for _, name := range []string{"gomoku", "connect4", "ultimate"} {
		g, err := krow.Game(name)
		if err != nil {
			t.Fatal(err)
		}
		b := g.Start().(game.Board)
		for _, m := range b.AppendMoves(nil) {
			cells := region(b, m)
			if !slices.Contains(cells, b.Cell(m)) || len(cells) > len(b.Cells())/2 {
				t.Errorf("%s: %s is not in %v", name, g.Format(m), cells)
			}
		}
	}
}
