// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/oracle"
)

// smallGames hold a small one of every game, so that the oracle solves its late positions.
var smallGames = []string{
	"mnk:4,3,3", "tictactoe", "gomoku:5", "gomoku:6x5,k=4", "standard:5", "standard:6", "caro:5", "caro:6", "renju:6", "pente:5", "connect4:4x4,k=3",
	"connect4:5x4", "connect6:5", "ultimate", "ultimate:won=open,draw=boards", "atarigo:3", "atarigo:4",
}

// TestSolvedDistances holds the distance of every solved answer of every player against the oracle, on late positions of random
// games: it is right, or a bound that holds.
func TestSolvedDistances(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	players := []string{"best", "gomoku", "connect4", "mnk", "ultimate", "mcts", "alphabeta", "level"}
	covered := map[string]bool{}
	for _, text := range smallGames {
		name, _, _ := strings.Cut(text, ":")
		covered[name] = true
		t.Run(text, func(t *testing.T) {
			g, err := krow.Game(text)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(3) {
				if p, truth := latePosition(g, rand.New(rand.NewPCG(seed, 2))); p != nil {
					for _, spec := range players {
						checkDistance(t, p, spec, 2000, truth.Best.Score)
					}
				}
			}
		})
	}
	for _, i := range krow.List("games") {
		if !covered[i.Name] {
			t.Errorf("there is no small %s", i.Name)
		}
	}
}

// latePosition returns a position of a random game that is decided and that the oracle solves quickly: the earliest one.
func latePosition(g game.Game, rng *rand.Rand) (late game.Position, truth oracle.Result) {
	p := g.Start()
	game.PlayRandom(p, g.Moves(), rng.IntN)
	for p.Ply() > 0 {
		p.Undo()
		r, err := oracle.Solve(p, 4_000)
		if err != nil {
			break
		}
		if r.Best.Score != 0 {
			late, truth = p.Clone(), r
		}
	}
	return late, truth
}

// TestProvedDistanceIsABound: Monte Carlo tree search stops at the first proof, of a longer win than the shortest.
func TestProvedDistanceIsABound(t *testing.T) {
	for _, tc := range []struct{ game, moves string }{
		{"atarigo:4", "b3 c2 c4 b2 c1"},
		{"atarigo:3", "a2"},
	} {
		g, err := krow.Game(tc.game)
		if err != nil {
			t.Fatal(err)
		}
		p := g.Start()
		if err := notation.Play(p, tc.moves); err != nil {
			t.Fatal(err)
		}
		truth, err := oracle.Solve(p, 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		checkDistance(t, p, "best", 20_000, truth.Best.Score)
	}
}

func checkDistance(t *testing.T, p game.Position, spec string, nodes uint64, truth eval.Score) {
	t.Helper()
	pl, err := krow.Player(p.Game(), spec, 1)
	if err != nil {
		return // it does not play the game
	}
	defer player.Close(pl)
	a, ok := pl.(player.Analyst)
	if !ok {
		return
	}
	check := func(i search.Info) {
		plies, sign := i.Score.Distance()
		want, wantSign := truth.Distance()
		switch {
		case i.Line > 1 || !i.Solved:
		case sign != wantSign:
			t.Errorf("%s: value %d, want %d, on\n%s", spec, sign, wantSign, gametest.Picture(p))
		case plies == eval.Unknown:
		case i.Bound == search.Exact && plies != want, i.Bound == search.Lower && truth < i.Score, i.Bound == search.Upper && truth > i.Score:
			t.Errorf("%s: distance %d with bound %d, want %d, on\n%s", spec, plies*sign, i.Bound, want*wantSign, gametest.Picture(p))
		}
	}
	final, err := a.Analyze(t.Context(), p, search.Limits{Nodes: nodes}, check)
	if err != nil {
		t.Errorf("%s: %v", spec, err)
	}
	check(final)
}
