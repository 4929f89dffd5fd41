// SPDX-License-Identifier: Apache-2.0

package prover_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/engine/ultimate/prover"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/oracle"
)

var variants = []ultimate.Rules{
	{},
	{Draw: ultimate.Boards},
	{Open: true},
	{Draw: ultimate.Boards, Open: true},
}

// The usual prover, and a prover with a tiny table.
var options = map[string]prover.Options{"usual": {Hash: 1 << 20}, "no table": {Hash: 1}}

// late returns a random position the given number of plies before the end of its game.
func late(g *ultimate.Game, rng *rand.Rand, plies int) *ultimate.Position {
	for {
		p := g.Start().(*ultimate.Position)
		for p.Outcome() == game.Ongoing {
			moves := p.AppendMoves(nil)
			p.Play(moves[rng.IntN(len(moves))])
		}
		if p.Ply() < plies {
			continue
		}
		for range plies {
			p.Undo()
		}
		return p
	}
}

// TestTechniquesAgreeWithOracle compares every technique, under each of the rules, with the oracle: values, distances and moves.
// With KROW_LONG it tests 6,000 positions.
func TestTechniquesAgreeWithOracle(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	seeds := uint64(400)
	if os.Getenv("KROW_LONG") != "" {
		seeds = 1500
	}
	for _, r := range variants {
		g := ultimate.New(r)
		provers := map[string]*prover.Prover{}
		for name, o := range options {
			provers[name] = prover.New(o)
		}
		values := map[int]int{}
		for seed := range seeds {
			rng := rand.New(rand.NewPCG(seed, 1))
			p := late(g, rng, 1+rng.IntN(11))
			truth, err := oracle.Solve(p, 5_000)
			if errors.Is(err, oracle.ErrTooBig) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for name := range options {
				values[compare(t, fmt.Sprintf("%s/seed=%d/%s", g, seed, name), p, truth, provers[name])]++
			}
		}
		for v := -1; v <= 1; v++ {
			if values[v] < 10 {
				t.Errorf("%s: only %d positions of value %d: this tests too little", g, values[v], v)
			}
		}
	}
}

func compare(t *testing.T, name string, p *ultimate.Position, truth oracle.Result, s *prover.Prover) int {
	t.Helper()
	a := s.Solve(t.Context(), p.Board(), search.Limits{})
	_, want := truth.Best.Score.Distance()
	if !a.Solved() || a.Low != want {
		t.Fatalf("%s: %v: value %d to %d, want %d", name, p.AppendHistory(nil), a.Low, a.High, want)
	}
	if want != 0 {
		compareDistance(t, name, p, truth, s)
	}
	if want < 0 {
		return want
	}
	v, ok := truth.Of(game.Move(a.Best))
	if _, got := v.Distance(); !ok || got != want {
		t.Errorf("%s: %v: best %d is worth %d, want %d", name, p.AppendHistory(nil), a.Best, got, want)
	}
	return want
}

// compareDistance compares the distance of a win or a loss with the oracle's, and checks by the rules that the line has this
// length.
func compareDistance(t *testing.T, name string, p *ultimate.Position, truth oracle.Result, s *prover.Prover) {
	t.Helper()
	want, sign := truth.Best.Score.Distance()
	plies, line, _ := s.Distance(t.Context(), p.Board(), sign > 0, search.Limits{})
	if plies != want || len(line) != want {
		t.Fatalf("%s: %v: %d plies with the line %v, want %d", name, p.AppendHistory(nil), plies, line, want)
	}
	q := p.Clone()
	for _, m := range line {
		if err := game.Play(q, game.Move(m)); err != nil {
			t.Fatalf("%s: %v: the line %v: %v", name, p.AppendHistory(nil), line, err)
		}
	}
	winner := p.Turn()
	if sign < 0 {
		winner = winner.Other()
	}
	if q.Outcome() != game.WinFor(winner) {
		t.Errorf("%s: %v: the line %v ends with %v", name, p.AppendHistory(nil), line, q.Outcome())
	}
}

// TestWinLeavesThreatRegression solves a position for which the prover was once wrong: an immediate win that leaves the other side
// a threat.
func TestWinLeavesThreatRegression(t *testing.T) {
	p := ultimate.New(ultimate.Rules{}).Start().(*ultimate.Position)
	for _, m := range []game.Move{
		0, 2, 20, 24, 57, 31, 40, 44, 80, 74, 26, 78, 58, 41, 52, 70, 68, 53, 72, 1, 9, 7, 69, 59, 46, 12, 34, 64, 10,
		16, 66, 30, 32, 48, 33, 54, 6, 61, 67, 42, 56, 19, 11, 23, 47, 18, 3, 27, 60, 38, 21, 29, 22, 28, 50, 45,
	} {
		p.Play(m)
	}
	a := prover.New(prover.Options{Hash: 1 << 20}).Solve(t.Context(), p.Board(), search.Limits{})
	if a.Low != 1 || a.Best != 76 {
		t.Errorf("at least %d by %d, want 1 by 76", a.Low, a.Best)
	}
}

// FuzzSolve compares the prover with the oracle near the end of games that the fuzzer chooses.
func FuzzSolve(f *testing.F) {
	for seed := range byte(8) {
		f.Add([]byte{seed, 3 * seed, 77, seed * seed, 5}, seed, 5+seed%3)
	}
	f.Fuzz(func(t *testing.T, picks []byte, variant, plies byte) {
		g := ultimate.New(variants[int(variant)%len(variants)])
		p := g.Start().(*ultimate.Position)
		for i := 0; p.Outcome() == game.Ongoing; i++ {
			moves, pick := p.AppendMoves(nil), i
			if len(picks) > 0 {
				pick = int(picks[i%len(picks)]) + i/7
			}
			p.Play(moves[pick%len(moves)])
		}
		for range 1 + plies%10 {
			p.Undo()
		}
		truth, err := oracle.Solve(p, 5_000)
		if err != nil {
			return // too far from the end for the oracle
		}
		compare(t, g.String(), p, truth, prover.New(prover.Options{Hash: 1 << 16}))
	})
}
