// SPDX-License-Identifier: Apache-2.0

package generic_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

var (
	_ eval.Evaluator   = (*generic.Evaluator)(nil)
	_ eval.Incremental = (*generic.Evaluator)(nil)
)

// TestFixed holds the fixed weights to the published formula, term by term.
func TestFixed(t *testing.T) {
	const third = 10.0 / 3
	type list = []float64
	tests := []struct {
		k          int
		half       list       // own and enemy alike, sizes 1 to k-2
		open       list       // sizes 1 to k-3
		own, enemy [3]float64 // open k-2, half-open k-1, open k-1
	}{
		{k: 1},
		{k: 2, own: [3]float64{0, 80, 250}, enemy: [3]float64{0, 2000, 5020}},
		{k: 3, half: list{10}, own: [3]float64{100, 80, 250}, enemy: [3]float64{1300, 2000, 5020}},
		{k: 4, half: list{third, 2 * third}, open: list{10}, own: [3]float64{100, 80, 250}, enemy: [3]float64{1300, 2000, 5020}},
		{k: 5, half: list{2, 4, 8}, open: list{6, 10}, own: [3]float64{100, 80, 250}, enemy: [3]float64{1300, 2000, 5020}},
		{k: 6, half: list{10.0 / 7, 20.0 / 7, 40.0 / 7, 60.0 / 7}, open: list{30.0 / 7, 50.0 / 7, 10}, own: [3]float64{100, 80, 250}, enemy: [3]float64{1300, 2000, 5020}},
	}
	for _, tc := range tests {
		t.Run(fmt.Sprintf("k=%d", tc.k), func(t *testing.T) {
			w := generic.Fixed(tc.k)
			for i, v := range []generic.Vector{w.Own, w.Enemy} {
				last := [][3]float64{tc.own, tc.enemy}[i]
				want := generic.NewVector(tc.k)
				for i, x := range tc.half {
					want.Set(x, i+1, threat.HalfOpen)
				}
				for i, x := range tc.open {
					want.Set(x, i+1, threat.Open)
				}
				want.Set(last[0], tc.k-2, threat.Open)
				want.Set(last[1], tc.k-1, threat.HalfOpen)
				want.Set(last[2], tc.k-1, threat.Open)
				want.Set(1e6, tc.k, threat.Complete)
				if d := cmp.Diff(want, v, cmpopts.EquateApprox(0, 1e-9)); d != "" {
					t.Errorf("weights %d (-want +got):\n%s", i, d)
				}
			}
		})
	}
}

// play returns the position after moves.
func play(t testing.TB, g game.Game, moves ...string) game.Position {
	t.Helper()
	p := g.Start()
	for _, s := range moves {
		m, err := g.Parse(s)
		if err == nil {
			err = game.Play(p, m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func TestEvaluate(t *testing.T) {
	tests := []struct {
		name          string
		columns, rows int
		k             int
		moves         []string
		first, second float64
	}{
		// A half-open one in each direction (L = 3).
		{"centre of tic-tac-toe", 3, 3, 3, []string{"b2"}, 40, -40},
		// Half-open in its row and column, closed in its diagonals.
		{"edge of tic-tac-toe", 3, 3, 3, []string{"b1"}, 20, -20},
		{"empty board", 9, 9, 5, nil, 0, 0},
		// Half-open in the only row that has room.
		{"one row", 4, 1, 4, []string{"b1"}, 10.0 / 3, -10.0 / 3},
		// A row of two for First; Second's one is half-open, and of size k-1.
		{"row won", 5, 1, 2, []string{"b1", "e1", "c1"}, 1e6 - 2000, 80 - 1e6},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			g, err := mnk.MNK(tc.columns, tc.rows, tc.k)
			if err != nil {
				t.Fatal(err)
			}
			e, err := generic.New(g, generic.Fixed(tc.k))
			if err != nil {
				t.Fatal(err)
			}
			p := play(t, g, tc.moves...)
			for s, want := range []float64{tc.first, tc.second} {
				if got := e.Evaluate(p, game.Side(s)).Units(); got < want-0.01 || got > want+0.01 {
					t.Errorf("worth for %s = %v, want %v", game.Side(s), got, want)
				}
			}
		})
	}
}

// TestPrintedFormula computes f = A - B for k = 5 as it is printed, and compares.
func TestPrintedFormula(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Gomoku(11))
	e, err := generic.New(g, generic.Fixed(5))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	p := g.Start()
	for p.Outcome() == game.Ongoing {
		moves := p.AppendMoves(nil)
		p.Play(moves[rng.IntN(len(moves))])
		for _, s := range []game.Side{game.First, game.Second} {
			var n [2]map[string]int
			n[0], n[1] = map[string]int{}, map[string]int{}
			for _, f := range threat.Find(p.(game.Lined)) {
				n[f.Side^s][fmt.Sprint(f.Size, f.Class)]++
			}
			small := func(n map[string]int) int {
				return 2*n["1 half-open"] + 6*n["1 open"] + 4*n["2 half-open"] + 10*n["2 open"] + 8*n["3 half-open"]
			}
			a := small(n[0]) + 100*n[0]["3 open"] + 80*n[0]["4 half-open"] + 250*n[0]["4 open"] + 1000000*n[0]["5 complete"]
			b := small(n[1]) + 1300*n[1]["3 open"] + 2000*n[1]["4 half-open"] + 5020*n[1]["4 open"] + 1000000*n[1]["5 complete"]
			if got, want := e.Evaluate(p, s), eval.Score(a-b)*eval.Unit; got != want {
				t.Fatalf("ply %d: worth for %s = %d, want %d", p.Ply(), s, got, want)
			}
		}
	}
}

// TestIncrementalEqualsScan follows random games; an evaluator that follows must agree with one that scans.
func TestIncrementalEqualsScan(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, g := range []*mnk.Game{
		m(mnk.TicTacToe(3, 3)), m(mnk.Gomoku(15)), m(mnk.Standard(9)), m(mnk.Connect4(7, 6, 4)), m(mnk.Connect6(9)),
		m(mnk.Pente(9)), m(mnk.MNK(1, 9, 2)), m(mnk.MNK(9, 1, 1)), m(mnk.MNK(2, 3, 7)),
	} {
		t.Run(g.String(), func(t *testing.T) { follow(t, g) })
	}
}

func follow(t *testing.T, g game.Game) {
	k, err := generic.K(g)
	if err != nil {
		t.Fatal(err)
	}
	e, err := generic.New(g, generic.Fixed(k))
	if err != nil {
		t.Fatal(err)
	}
	fresh, _ := generic.New(g, generic.Fixed(k))
	rng := rand.New(rand.NewPCG(2, 2))
	p := g.Start()
	e.Reset(p)
	for range 300 {
		if moves := p.AppendMoves(nil); len(moves) == 0 || p.Ply() > 0 && rng.IntN(3) == 0 {
			p.Undo()
			e.Undo()
		} else {
			m := moves[rng.IntN(len(moves))]
			e.Play(m)
			p.Play(m)
		}
		s := game.Side(rng.IntN(2))
		if got, want := e.Evaluate(p, s), fresh.Evaluate(p, s); got != want {
			t.Fatalf("ply %d: %d for %s, want %d", p.Ply(), got, s, want)
		}
		if q := p.Clone(); e.Evaluate(q, s) != fresh.Evaluate(q, s) {
			t.Fatalf("ply %d: a clone is worth something else", p.Ply())
		}
	}
}
