// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search/oracle"
)

func TestValuesAreKnown(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	tests := []struct {
		g         game.Game
		want      eval.Score
		positions int // 0 where no independent count is known
	}{
		{m(mnk.TicTacToe(3, 3)), 0, 5478},
		{m(mnk.MNK(4, 3, 3)), eval.Win(7), 0},
		// CITE: Tromp, John's Connect Four Playground.
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

// plain returns what p is worth to s, n plies after the root: every line played out, nothing remembered.
func plain(p game.Position, s game.Side, n int) eval.Score {
	if o := p.Outcome(); o != game.Ongoing {
		return eval.Outcome(o, s, n)
	}
	var all []eval.Score
	for _, m := range p.AppendMoves(nil) {
		q := p.Clone()
		q.Play(m)
		all = append(all, plain(q, s, n+1))
	}
	if p.Turn() == s {
		return slices.Max(all)
	}
	return slices.Min(all)
}

// TestOracleEqualsPlainSearch holds the oracle to a search without memory, towards the end of games of all kinds.
func TestOracleEqualsPlainSearch(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, g := range []game.Game{
		m(mnk.TicTacToe(3, 3)), m(mnk.Connect4(4, 3, 3)), m(mnk.MNK(4, 2, 3)),
		m(mnk.New(mnk.Rules{Name: "two stones a turn", Columns: 4, Rows: 3, K: 4, Turn: 2})),
		m(mnk.New(mnk.Rules{Name: "one capture wins", Columns: 4, Rows: 3, K: 4, Captures: 1})),
	} {
		for seed := range uint64(20) {
			rng := rand.New(rand.NewPCG(seed, 31))
			p := g.Start()
			for len(p.AppendMoves(nil)) > 6 || p.Ply() < 5 {
				moves := p.AppendMoves(nil)
				if len(moves) == 0 {
					break
				}
				p.Play(moves[rng.IntN(len(moves))])
			}
			if p.Outcome() != game.Ongoing {
				continue
			}
			t.Run(fmt.Sprintf("%s/seed=%d", g, seed), func(t *testing.T) { checkPlain(t, p) })
		}
	}
}

func checkPlain(t *testing.T, p game.Position) {
	r, err := oracle.Solve(p, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	best := oracle.Value{Move: game.NoMove, Score: -eval.Infinity}
	for i, m := range p.AppendMoves(nil) {
		q := p.Clone()
		q.Play(m)
		want := oracle.Value{Move: m, Score: plain(q, p.Turn(), 1)}
		if r.Moves[i] != want {
			t.Errorf("history %v: %+v, want %+v", p.AppendHistory(nil), r.Moves[i], want)
		}
		if want.Score > best.Score {
			best = want
		}
	}
	if r.Best != best {
		t.Errorf("history %v: best %+v, want %+v", p.AppendHistory(nil), r.Best, best)
	}
}

// TestValueOfEachMove asks for the value of each move in a position with all three kinds.
func TestValueOfEachMove(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.TicTacToe(3, 3))
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
	m := gametest.Must[*mnk.Game](t)
	if _, err := oracle.Solve(m(mnk.Gomoku(15)).Start(), 1000); !errors.Is(err, oracle.ErrTooBig) {
		t.Errorf("error %v, want ErrTooBig", err)
	}
	p := m(mnk.MNK(1, 1, 1)).Start()
	p.Play(0)
	if _, err := oracle.Solve(p, 1000); !errors.Is(err, game.ErrOver) {
		t.Errorf("error %v, want ErrOver", err)
	}
}
