// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"errors"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/oracle"
	"github.com/krow-lab/krow/search/searchtest"
)

func TestConformance(t *testing.T) {
	searchtest.Run(t, func(game.Game) search.Searcher { return oracle.New(1_000_000) })
}

// must unwraps a constructor's result.
func must(t testing.TB) func(g *mnk.Game, err error) *mnk.Game {
	return func(g *mnk.Game, err error) *mnk.Game {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
}

func TestKnown(t *testing.T) {
	m := must(t)
	tests := []struct {
		g         game.Game
		want      eval.Score
		positions int // 0 where no independent count is known
	}{
		{m(mnk.TicTacToe(3, 3)), 0, 5478},
		{m(mnk.MNK(4, 3, 3)), eval.Win(7), 0},
		// CITE: Tromp, John's Connect Four Playground: 4 x 4 is a draw and has 161029 positions.
		{m(mnk.Connect4(4, 4, 4)), 0, 161029},
		{m(mnk.MNK(1, 1, 1)), eval.Win(1), 2},
		{m(mnk.MNK(1, 5, 2)), eval.Win(3), 0},
		{m(mnk.MNK(2, 2, 3)), 0, 0},
	}
	for _, tc := range tests {
		t.Run(tc.g.String(), func(t *testing.T) {
			r, err := oracle.Solve(tc.g.Start(), 1_000_000)
			if err != nil {
				t.Fatal(err)
			}
			if r.Best.Score != tc.want {
				t.Errorf("score %d, want %d", r.Best.Score, tc.want)
			}
			if tc.positions != 0 && r.Positions != tc.positions {
				t.Errorf("%d positions, want %d", r.Positions, tc.positions)
			}
		})
	}
}

// TestMoves asks for the value of each move in a position with all three kinds.
func TestMoves(t *testing.T) {
	g := must(t)(mnk.TicTacToe(3, 3))
	p := g.Start()
	for _, s := range []string{"a3", "b2", "c1", "a1"} { // O threatens c3, X can block there or lose
		m, err := g.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
	r, err := oracle.Solve(p, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		move string
		want eval.Score
	}{{"c3", eval.Win(3)}, {"b1", eval.Loss(2)}, {"a2", eval.Loss(2)}} {
		m, err := g.Parse(tc.move)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := r.Of(m); got != tc.want {
			t.Errorf("%s is worth %d, want %d", tc.move, got, tc.want)
		}
	}
	if _, ok := r.Of(p.AppendHistory(nil)[0]); ok {
		t.Error("a taken cell has a value")
	}
}

func TestTooBig(t *testing.T) {
	m := must(t)
	if _, err := oracle.Solve(m(mnk.Gomoku(15)).Start(), 1000); !errors.Is(err, oracle.ErrTooBig) {
		t.Errorf("error %v, want ErrTooBig", err)
	}
	p := m(mnk.MNK(1, 1, 1)).Start()
	p.Play(0)
	if _, err := oracle.Solve(p, 1000); !errors.Is(err, game.ErrOver) {
		t.Errorf("error %v, want ErrOver", err)
	}
}
