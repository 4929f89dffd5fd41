// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// TestPuzzles holds every puzzle of the collection to what a puzzle is, and proves some of them again.
func TestPuzzles(t *testing.T) {
	games := map[string]game.Game{}
	for _, name := range []string{"gomoku", "renju", "standard", "caro", "pente", "connect6", "atarigo", "connect4", "ultimate"} {
		g, err := krow.Game(name)
		if err != nil {
			t.Fatal(err)
		}
		games[g.String()] = g
	}
	all, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	themes, byGame, forcedMoves := map[Theme]int{}, map[string]int{}, 0
	for i, p := range all {
		g := games[p.Game]
		if g == nil || !slices.Contains(collected, p.Theme) || p.Plies < ShortestThreat || p.Plies > Longest || p.Grade != p.grade() || seen[p.ID()] {
			t.Fatalf("puzzle %d: %+v", i+1, p)
		}
		seen[p.ID()] = true
		themes[p.Theme]++
		byGame[p.Game]++
		pos, _, err := p.Position(g)
		if err == nil && Forced(pos) {
			forcedMoves++
		}
		if err == nil {
			err = notation.Play(pos, p.Line)
		}
		if err == nil && p.Theme == Ladder && pos.Outcome() == game.Ongoing {
			t.Errorf("puzzle %d: the line ends before the capture", i+1)
		}
		if err != nil {
			t.Fatalf("puzzle %d: %v", i+1, err)
		}
	}
	if forcedMoves > 0 {
		t.Errorf("%d puzzles begin with a move that plays itself", forcedMoves)
	}
	for _, theme := range collected {
		if themes[theme] < leastOfTheme {
			t.Errorf("%d puzzles of the theme %s, want %d", themes[theme], theme, leastOfTheme)
		}
	}
	if len(all) < leastPuzzles || len(byGame) < 7 {
		t.Errorf("%d puzzles of %v, want %d of 7 games", len(all), byGame, leastPuzzles)
	}
	for i := 0; i < len(all); i += len(all) / 20 {
		again(t, i+1, all[i], games[all[i].Game])
	}
}

// What the collection has at least.
const leastPuzzles, leastOfTheme = 5000, 10

// again proves the right move of a puzzle again, and that some other moves are wrong.
func again(t *testing.T, n int, p Puzzle, g game.Game) {
	t.Helper()
	pos, right, err := p.Position(g)
	if err != nil {
		t.Fatal(err)
	}
	o, err := NewOracle(g)
	if err != nil {
		t.Fatal(err)
	}
	if v := ValueAfter(t.Context(), o, pos, right, 4*proofNodes, Either); v.Sign < 0 || p.Theme != Defence && v.Sign == 0 {
		t.Errorf("puzzle %d: %+v, want %s", n, v, p.Line)
	}
	partner, nodes := game.NoMove, uint64(4*proofNodes) // partner is the other stone of a turn of two
	if inPairs(o) {
		line, _ := notation.ParseMoves(g, p.Line)
		partner, nodes = line[1], pairNodes
	}
	for i, other := range pos.AppendMoves(nil) {
		if other == right || other == partner || i%10 != n%10 {
			continue
		}
		v := ValueAfter(t.Context(), o, pos, other, nodes, Either)
		if p.Theme == Defence && v.Sign >= 0 || p.Theme != Defence && v.Sign > 0 {
			t.Errorf("puzzle %d: %s is right too: %+v", n, g.Format(other), v)
		}
	}
}

// collected lists the themes of the collection.
var collected = []Theme{FourThree, DoubleThree, VCF, VCT, Defence, Column, Endgame, Ladder}

func TestSelect(t *testing.T) {
	all := []Puzzle{{Game: "renju"}, {Game: "gomoku"}, {Game: "gomoku"}}
	tests := []struct {
		game string
		want int
		err  string
	}{
		{"gomoku", 2, ""},
		{"gomoku:15", 2, ""},
		{"renju", 1, ""},
		{"caro", 0, "puzzles: none of caro"},
		{"gomokku", 0, `unknown game "gomokku"`},
	}
	for _, tc := range tests {
		got, err := Select(all, tc.game)
		if len(got) != tc.want || (err == nil) != (tc.err == "") || err != nil && err.Error() != tc.err {
			t.Errorf("Select(%q) = %v, %v, want %d, %s", tc.game, got, err, tc.want, tc.err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"game":"gomoku","moves":"h8","mode":"VCF","plies":5,"line":"h9","from":"x"}` + "\n{}")
	f.Add("{\n")
	f.Add("\n{}\r\n \n{}")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := readLines(strings.NewReader(text))
		if err != nil {
			return
		}
		var data []byte
		for _, p := range all {
			if data, err = p.Append(data); err != nil {
				t.Fatal(err)
			}
		}
		same, err := readLines(bytes.NewReader(data))
		if err != nil || len(same) != len(all) {
			t.Fatalf("%d puzzles became %d: %v", len(all), len(same), err)
		}
		for i := range all {
			if all[i] != same[i] {
				t.Fatalf("%+v became %+v", all[i], same[i])
			}
		}
	})
}
