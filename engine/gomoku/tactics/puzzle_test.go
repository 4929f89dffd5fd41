// SPDX-License-Identifier: Apache-2.0

package tactics

import (
	"bytes"
	"strings"
	"testing"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

// TestPuzzles holds every puzzle of the collection to what a puzzle is, and proves some of them again.
func TestPuzzles(t *testing.T) {
	games := map[string]game.Game{}
	for _, g := range testGames(t) {
		games[g.String()] = g
	}
	all, seen := Puzzles(), map[string]bool{}
	lengths, modes := map[int]int{}, map[string]int{}
	for i, p := range all {
		g := games[p.Game]
		if g == nil || p.Mode != "VCF" && p.Mode != "VCT" || p.Plies < shortest || p.Plies > longest || p.Plies%2 == 0 || seen[p.Game+p.Moves] {
			t.Fatalf("puzzle %d: %+v", i+1, p)
		}
		seen[p.Game+p.Moves] = true
		lengths[p.Plies]++
		modes[p.Mode]++
		pos, err := p.Position(g)
		if err == nil {
			err = notation.Play(pos, p.Line)
		}
		if err != nil {
			t.Fatalf("puzzle %d: %v", i+1, err)
		}
	}
	if len(all) < 500 || len(lengths) < 11 || min(modes["VCF"], modes["VCT"]) < 40 {
		t.Errorf("%d puzzles, %v by length, %v by mode", len(all), lengths, modes)
	}
	for i := 0; i < len(all); i += len(all) / 20 {
		again(t, i+1, all[i], games[all[i].Game])
	}
}

// again proves a puzzle again, and that some other move is not proved to win.
func again(t *testing.T, n int, p Puzzle, g game.Game) {
	t.Helper()
	m, err := NewMiner(g, 1)
	if err != nil {
		t.Fatal(err)
	}
	pos, err := p.Position(g)
	if err != nil {
		t.Fatal(err)
	}
	right, err := p.Solution(pos)
	if err != nil {
		t.Fatal(err)
	}
	if proof, ok := m.prover.Win(t.Context(), pos, 4*m.Proof); !ok || proof.Line[0] != right || proof.Fours != (p.Mode == "VCF") {
		t.Errorf("puzzle %d: %v, %+v, want %s", n, ok, proof, p.Line)
	}
	for i, other := range pos.AppendMoves(nil) {
		if i%40 == n%40 && other != right && m.wins(t.Context(), pos, other) {
			t.Errorf("puzzle %d: %s wins too", n, g.Format(other))
		}
	}
}

// TestSolve: the engine solves a puzzle, and announces nothing where there is none; what is no puzzle is an error.
func TestSolve(t *testing.T) {
	g := testGames(t)[0]
	p := Puzzle{Game: "gomoku", Moves: "h8 a1 i8 a3 j8 a5", Line: "k8"}
	s, err := gomoku.New(g, gomoku.Options{Hash: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.Solve(t.Context(), g, s, search.Limits{Nodes: 1000})
	if err != nil || !a.Solved || a.Right != (g.Format(a.Move) == "k8") {
		t.Errorf("%+v, %v", a, err)
	}
	p.Moves = ""
	if a, err := p.Solve(t.Context(), g, s, search.Limits{Nodes: 1000}); err != nil || a.Solved {
		t.Errorf("%+v, %v", a, err)
	}
	for _, bad := range []Puzzle{
		{Moves: "h8 h8", Line: "k8"},
		{Moves: "h8", Line: ""},
		{Moves: "h8", Line: "z99"},
		{Moves: "h8", Line: "h8"},
		{Moves: "a1 b1 a2 b2 a3 b3 a4 b4 a5", Line: "h8"},
	} {
		if _, err := bad.Solve(t.Context(), g, s, search.Limits{Nodes: 10}); err == nil {
			t.Errorf("%+v was solved", bad)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"game":"gomoku","moves":"h8","mode":"VCF","plies":5,"line":"h9","from":"x"}` + "\n{}")
	f.Add("{\n")
	f.Add("\n{}\r\n \n{}")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var data []byte
		for _, p := range all {
			if data, err = p.Append(data); err != nil {
				t.Fatal(err)
			}
		}
		same, err := Read(bytes.NewReader(data))
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
