// SPDX-License-Identifier: Apache-2.0

package mnk_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/engine/mnk"
	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/oracle"
)

// The usual solver, a solver with a tiny table, and a solver with threads. static_test.go tests each technique.
var options = map[string]mnk.Options{"usual": {}, "no table": {Hash: 1}, "threads": {Threads: 3}}

func board(t *testing.T, m, n, k int) *rules.Game {
	t.Helper()
	g, err := rules.MNK(m, n, k)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func solver(t *testing.T, g game.Game, o mnk.Options) *mnk.Solver {
	t.Helper()
	if o.Hash == 0 {
		o.Hash = 1 << 16
	}
	s, err := mnk.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSolverAgreesWithOracle compares the solvers with the oracle, on the start and on random positions of every board that the
// oracle can solve.
func TestSolverAgreesWithOracle(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, size := range [][3]int{
		{1, 1, 1},
		{1, 2, 1},
		{2, 2, 1},
		{1, 2, 2},
		{2, 1, 2},
		{2, 2, 2},
		{3, 1, 3},
		{3, 1, 2},
		{5, 1, 3},
		{1, 9, 3},
		{3, 2, 2},
		{3, 3, 2},
		{3, 3, 3},
		{4, 2, 2},
		{4, 3, 3},
		{3, 4, 3},
		{6, 2, 3},
		{6, 2, 4},
		{4, 3, 4},
		{12, 1, 3},
		{3, 2, 5},
	} {
		m, n, k := size[0], size[1], size[2]
		g := board(t, m, n, k)
		for seed := range uint64(8) {
			// The oracle is slow on the starts of 12 cells: one of them will do.
			start := seed == 0 && (m*n < 12 || m == 4)
			p := random(g, rand.New(rand.NewPCG(seed, 1)), start)
			truth, err := oracle.Solve(p, 2_000_000)
			if err != nil {
				t.Fatal(err)
			}
			for name, o := range options {
				t.Run(fmt.Sprintf("%s/seed=%d/%s", g, seed, name), func(t *testing.T) { compare(t, p, truth, solver(t, g, o)) })
			}
		}
	}
}

// TestSolverAgreesOnLatePositions does the same on late positions of bigger boards.
func TestSolverAgreesOnLatePositions(t *testing.T) {
	for _, size := range [][3]int{{5, 4, 4}, {5, 5, 4}, {5, 5, 5}, {6, 5, 4}, {7, 4, 3}, {9, 3, 4}, {6, 6, 5}} {
		g := board(t, size[0], size[1], size[2])
		for seed := range uint64(25) {
			p := late(g, rand.New(rand.NewPCG(seed, 2)), 9)
			truth, err := oracle.Solve(p, 2_000_000)
			if err != nil {
				t.Fatal(err)
			}
			for name, o := range options {
				t.Run(fmt.Sprintf("%s/seed=%d/%s", g, seed, name), func(t *testing.T) { compare(t, p, truth, solver(t, g, o)) })
			}
		}
	}
}

// TestPositionsThatWereOnceWrong solves positions for which the solver once returned a wrong value.
func TestPositionsThatWereOnceWrong(t *testing.T) {
	tests := []struct{ name, moves string }{
		{"potential of a taken cell", "b1 c3 d1 c1 c2 b4 d2"},
	}
	for _, tc := range tests {
		g := board(t, 5, 4, 4)
		p := g.Start()
		if err := notation.Play(p, tc.moves); err != nil {
			t.Fatal(err)
		}
		truth, err := oracle.Solve(p, 2_000_000)
		if err != nil {
			t.Fatal(err)
		}
		for name, o := range options {
			t.Run(tc.name+"/"+name, func(t *testing.T) { compare(t, p, truth, solver(t, g, o)) })
		}
	}
}

// late returns a random position with the given number of free cells in which nobody has won.
func late(g game.Game, rng *rand.Rand, free int) game.Position {
	for {
		p := g.Start()
		for p.Outcome() == game.Ongoing && p.Ply() < g.Moves()-free {
			moves := p.AppendMoves(nil)
			p.Play(moves[rng.IntN(len(moves))])
		}
		if p.Outcome() == game.Ongoing {
			return p
		}
	}
}

// random returns the start of g, or a position after some random moves.
func random(g game.Game, rng *rand.Rand, start bool) game.Position {
	p := g.Start()
	if start {
		return p
	}
	for range rng.IntN(g.Moves()) {
		moves := p.AppendMoves(nil)
		p.Play(moves[rng.IntN(len(moves))])
		if p.Outcome() != game.Ongoing {
			p.Undo()
			break
		}
	}
	return p
}

func compare(t *testing.T, p game.Position, truth oracle.Result, s *mnk.Solver) {
	t.Helper()
	a, err := s.Solve(t.Context(), p, search.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	_, want := truth.Best.Score.Distance()
	if !a.Solved() || a.Low != want {
		t.Fatalf("%v: value %d to %d, want %d", p.AppendHistory(nil), a.Low, a.High, want)
	}
	if want < 0 {
		return
	}
	v, ok := truth.Of(a.Best)
	if _, got := v.Distance(); !ok || got != want {
		t.Errorf("%v: best %d is worth %d, want %d", p.AppendHistory(nil), a.Best, got, want)
	}
}

// TestPublishedValues compares values of some boards with the literature.
// CITE: Charatsidis, The Maker-Breaker and m,n,k games, 2017; Uiterwijk, Set Matching, 2017; Hales and Jewett, 1963;
// Hsu, Ko, Chen, Wei, Hsueh and Wu, On Solving the 7,7,5-Game and the 8,8,5-Game, 2020.
func TestPublishedValues(t *testing.T) {
	type row struct{ m, n, k, want int }
	tests := []row{
		{3, 3, 3, 0},
		{4, 3, 3, 1},
		{4, 4, 4, 0},
		{5, 4, 4, 0},
		{5, 5, 5, 0},
		{6, 5, 5, 0},
		{6, 6, 6, 0},
		{6, 6, 4, 1},
		{6, 6, 5, 0},
		{7, 6, 5, 0},
		{7, 7, 6, 0},
		{9, 9, 9, 0},
		{11, 11, 11, 0},
		{128, 1, 60, 0},
		{4, 32, 33, 0},
		{8, 16, 3, 1},
		{30, 1, 3, 0},
	}
	if os.Getenv("KROW_LONG") != "" {
		tests = append(tests, row{7, 4, 4, 0}, row{7, 7, 5, 0}, row{8, 4, 4, 0}, row{9, 4, 4, 1})
	}
	for _, tc := range tests {
		g := board(t, tc.m, tc.n, tc.k)
		t.Run(g.String(), func(t *testing.T) {
			a, err := solver(t, g, mnk.Options{Hash: 16 << 20}).Solve(t.Context(), g.Start(), search.Limits{Nodes: 100_000_000})
			if err != nil {
				t.Fatal(err)
			}
			if !a.Solved() || a.Low != tc.want {
				t.Errorf("%d to %d in %d nodes, want %d", a.Low, a.High, a.Nodes, tc.want)
			}
		})
	}
}

// TestThreadsAgreeWithOne: several threads find the same values as one, and certificates, also if work is saved and resumed.
func TestThreadsAgreeWithOne(t *testing.T) {
	o := mnk.Options{Hash: 1 << 20, Threads: 4}
	for _, tc := range []struct{ m, n, k, want int }{{5, 4, 4, 0}, {6, 4, 4, 0}, {5, 5, 4, 0}, {6, 5, 4, 1}, {7, 5, 5, 0}} {
		g := board(t, tc.m, tc.n, tc.k)
		half := solver(t, g, o)
		if _, err := half.Solve(t.Context(), g.Start(), search.Limits{Nodes: 3000}); err != nil {
			t.Fatal(err)
		}
		var saved, file bytes.Buffer
		if err := half.Save(&saved); err != nil {
			t.Fatal(err)
		}
		s := solver(t, g, o)
		if err := s.Load(&saved, o.Hash); err != nil {
			t.Fatal(err)
		}
		a, err := s.Solve(t.Context(), g.Start(), search.Limits{})
		if err != nil || !a.Solved() || a.Low != tc.want {
			t.Errorf("%s: %+v, %v; want %d", g, a, err, tc.want)
		}
		if err := s.Certify(t.Context(), g.Start(), search.Limits{}, &file); err != nil {
			t.Fatal(err)
		}
		if _, err := proof.Verify(t.Context(), bytes.NewReader(file.Bytes()), proof.Limits{}); err != nil {
			t.Errorf("%s: %v", g, err)
		}
	}
}
