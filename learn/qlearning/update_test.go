// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/threat"
)

// param is a parameter for three in a row, whose fixed values are
//
//	            half-open 1   half-open 2   open 1   open 2
//	own                  10            80      100      250
//	enemy                10          2000     1300     5020
type param struct {
	vector, size int
	class        threat.Class
}

var (
	ownHalf1 = param{own, 1, threat.HalfOpen}
	ownOpen1 = param{own, 1, threat.Open}
	ownOpen2 = param{own, 2, threat.Open}
	foeHalf1 = param{enemy, 1, threat.HalfOpen}
	foeOpen1 = param{enemy, 1, threat.Open}
)

// TestUpdate computes by hand what is learned in one row of six cells, three of which win.
func TestUpdate(t *testing.T) {
	tests := []struct {
		name    string
		o       Options
		skipped int // moves from which nothing is learned
		moves   []string
		want    map[param]float64
	}{
		// . . X . . .   Second has nothing. First's open one can become an open two: 0.1 * 250, which is
		// less than the half-open two's 80 and so becomes 80.
		{"own, clamped", Options{}, 0, []string{"c1"}, map[param]float64{ownOpen1: 80}},
		// . . X . O .   Second's half-open one can become a half-open two: 0.1 * 80. First's open one can
		// become an open two: 0.1 * 5020.
		{"both sides", Options{}, 1, []string{"c1", "e1"}, map[param]float64{ownHalf1: 8, foeOpen1: 502}},
		{"half as fast", Options{Alpha: 0.5}, 1, []string{"c1", "e1"}, map[param]float64{ownHalf1: 9, foeOpen1: 901}},
		{"prose", Options{Max: Prose}, 1, []string{"c1", "e1"}, map[param]float64{ownHalf1: 8, foeOpen1: 502}},
		// O X X X . .   A row of three is left alone, and Second has nothing but a closed one.
		{"row", Options{}, 4, []string{"b1", "a1", "c1", "f1", "d1"}, map[param]float64{}},
		// X X . . O .   First's two can become a row: 0.1 * 1000000, clamped to the open one's 100. Second's
		// open one can become an open two.
		{
			"win in sight",
			Options{},
			2,
			[]string{"a1", "e1", "b1"},
			map[param]float64{{own, 2, threat.HalfOpen}: 100, foeOpen1: 502},
		},
		// X X X . O O   Second's half-open two has no future: 0, clamped to the open one's 1300.
		{"end", Options{}, 4, []string{"a1", "e1", "b1", "f1", "c1"}, map[param]float64{{enemy, 2, threat.HalfOpen}: 1300}},
		// . X X . O .   First's next move made the open one an open two: 25 and so 80, and 502.
		{"sarsa", Options{Method: Sarsa}, 0, []string{"c1", "e1", "b1"}, map[param]float64{ownOpen1: 80, foeOpen1: 502}},
		// After e1 First still has an open one: 0.1 * 100 and so 80. After b1 Second still has a half-open
		// one: 0.1 * 10.
		{"td", Options{Method: TD}, 0, []string{"c1", "e1", "b1"}, map[param]float64{ownHalf1: 1, ownOpen1: 80, foeOpen1: 502}},
		// As before, a tenth of the way: 91, 9.1 and 1220.2. Then f1: First's open two goes to 227.5, 22.5
		// less, of which the open one follows 0.1 * 0.5. Second's half-open one became a two: 9 + 0.1 * 200.
		{
			"td with traces",
			Options{Method: TD, Alpha: 0.1, Lambda: 0.5},
			0,
			[]string{"c1", "e1", "b1", "f1"},
			map[param]float64{ownHalf1: 9.1, ownOpen1: 91 - 1.125, ownOpen2: 227.5, foeHalf1: 29, foeOpen1: 1220.2},
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			w := learnFrom(t, 6, tc.o, tc.skipped, tc.moves)
			want := generic.Fixed(3)
			for at, x := range tc.want {
				[]generic.Vector{want.Own, want.Enemy}[at.vector].Set(x, at.size, at.class)
			}
			if d := cmp.Diff(want, w, cmpopts.EquateApprox(0, 1e-9)); d != "" {
				t.Errorf("parameters (-want +got):\n%s", d)
			}
		})
	}
}

// learnFrom returns the parameters after learning from these moves but the first few, in one row of cells.
func learnFrom(t *testing.T, cells int, o Options, skipped int, moves []string) generic.Weights {
	t.Helper()
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(cells, 1, 3))
	l, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	w := generic.Fixed(l.w.K)
	table := l.newUpdates(w)
	p := g.Start()
	for i, s := range moves {
		m, err := g.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		mover := p.Turn()
		p.Play(m)
		if i >= skipped {
			table.learn(p, mover)
		}
	}
	return w
}

// TestEnd learns from the last move of X X X . O . . O . alone: the open one's 1300 becomes 0, and is clamped
// to the half-open one's 10.
func TestEnd(t *testing.T) {
	for _, method := range []Method{Q, Sarsa, TD} {
		for _, keep := range []bool{false, true} {
			want := generic.Fixed(3)
			if !keep {
				want.Enemy.Set(10, 1, threat.Open)
			}
			got := learnFrom(t, 9, Options{Method: method, KeepEnd: keep}, 4, []string{"a1", "e1", "b1", "h1", "c1"})
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s, keep=%t (-want +got):\n%s", method, keep, d)
			}
		}
	}
}

func turnedSetup(p game.Position, s game.Side) game.Setup {
	setup := p.(game.Settable).Setup()
	setup.Turn = s
	return setup
}

// TestNext compares with counting the threats after each move from scratch, all along random games.
func TestNext(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, g := range []*mnk.Game{
		m(mnk.TicTacToe(3, 3)), m(mnk.MNK(5, 4, 3)), m(mnk.Connect4(7, 6, 4)), m(mnk.Pente(7)), m(mnk.Connect6(7)),
		m(renju.New(7)), m(mnk.Caro(7)), m(mnk.MNK(1, 5, 2)), m(mnk.MNK(3, 3, 5)),
	} {
		t.Run(g.String(), func(t *testing.T) {
			l, err := New(g, Options{})
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 2))
			v := generic.NewVector(l.w.K) // in no order, so that the two readings differ
			for i := range v {
				v[i] = rng.Float64()
			}
			var sim simulator
			for p := g.Start(); p.Outcome() == game.Ongoing; {
				s, reading := game.Side(rng.IntN(2)), Max(rng.IntN(2))
				key := p.Key()
				if got, want := sim.next(p, s, l.rank[own], v, reading), slowNext(t, p, s, l.rank[own], v, reading); got != want {
					t.Fatalf("ply %d: %s has %g next by the %s, want %g", p.Ply(), s, got, reading, want)
				}
				if p.Key() != key {
					t.Fatal("the position has changed")
				}
				moves := game.AppendSound(nil, p)
				p.Play(moves[rng.IntN(len(moves))])
			}
		})
	}
}

func slowNext(t *testing.T, p game.Position, s game.Side, r ranking, v generic.Vector, reading Max) float64 {
	t.Helper()
	var tops []int
	start, err := p.Game().(game.Setter).SetUp(turnedSetup(p, s))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range start.AppendMoves(nil) {
		q := start.Clone()
		q.Play(m)
		var n threat.Counter
		n.Reset(q.(game.Lined))
		c := n.Counts()
		top := -1
		for i, kind := range r {
			if c[s][kind] > 0 {
				top = i
			}
		}
		if top >= 0 {
			tops = append(tops, top)
		}
	}
	best, highest := 0.0, 0
	for _, top := range tops {
		highest = max(highest, top)
		best = max(best, v[r[top]])
	}
	if reading == Prose && len(tops) > 0 {
		return v[r[highest]]
	}
	return best
}
