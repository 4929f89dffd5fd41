// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
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
		{"own, clamped", old(), 0, []string{"c1"}, map[param]float64{ownOpen1: 80}},
		// . . X . O .   Second's half-open one can become a half-open two: 0.1 * 80. First's open one can
		// become an open two: 0.1 * 5020.
		{"both sides", old(), 1, []string{"c1", "e1"}, map[param]float64{ownHalf1: 8, foeOpen1: 502}},
		{"half as fast", Options{Alpha: 0.5, Importance: Value, End: Zero}, 1, []string{"c1", "e1"}, map[param]float64{ownHalf1: 9, foeOpen1: 901}},
		{"prose", Options{Max: Prose, Importance: Value, End: Zero}, 1, []string{"c1", "e1"}, map[param]float64{ownHalf1: 8, foeOpen1: 502}},
		// O X X X . .   A row of three is left alone, and Second has nothing but a closed one.
		{"row", old(), 4, []string{"b1", "a1", "c1", "f1", "d1"}, map[param]float64{}},
		// X X . . O .   First's two can become a row: 0.1 * 1000000, clamped to the open one's 100. Second's
		// open one can become an open two.
		{
			"win in sight",
			old(),
			2,
			[]string{"a1", "e1", "b1"},
			map[param]float64{{own, 2, threat.HalfOpen}: 100, foeOpen1: 502},
		},
		// X X X . O O   Second's half-open two has no future: 0, clamped to the open one's 1300.
		{"end", old(), 4, []string{"a1", "e1", "b1", "f1", "c1"}, map[param]float64{{enemy, 2, threat.HalfOpen}: 1300}},
		// . X X . O .   First's next move made the open one an open two: 25 and so 80, and 502.
		{"sarsa", Options{Method: Sarsa, Importance: Value}, 0, []string{"c1", "e1", "b1"}, map[param]float64{ownOpen1: 80, foeOpen1: 502}},
		// After e1 First still has an open one: 0.1 * 100 and so 80. After b1 Second still has a half-open
		// one: 0.1 * 10.
		{"td", Options{Method: TD, Importance: Value}, 0, []string{"c1", "e1", "b1"}, map[param]float64{ownHalf1: 1, ownOpen1: 80, foeOpen1: 502}},
		// As before, a tenth of the way: 91, 9.1 and 1220.2. Then f1: First's open two goes to 227.5, 22.5
		// less, of which the open one follows 0.1 * 0.5. Second's half-open one became a two: 9 + 0.1 * 200.
		{
			"td with traces",
			Options{Method: TD, Alpha: 0.1, Lambda: 0.5, Importance: Value},
			0,
			[]string{"c1", "e1", "b1", "f1"},
			map[param]float64{ownHalf1: 9.1, ownOpen1: 91 - 1.125, ownOpen2: 227.5, foeHalf1: 29, foeOpen1: 1220.2},
		},
		// First's open one goes a tenth of the way to 25, and Second's half-open one to 8. Then First's open two can become
		// a row: 0.1 * (100000 - 250) more, of which the open one follows 0.1 * 0.5.
		{
			"q with traces",
			Options{Alpha: 0.1, Lambda: 0.5, Importance: Value},
			0,
			[]string{"c1", "e1", "b1"},
			map[param]float64{ownHalf1: 9.8, ownOpen1: 92.5 + 498.75, ownOpen2: 10225, foeHalf1: 29, foeOpen1: 1220.2},
		},
		// The same, one move of its own later.
		{
			"sarsa with traces",
			Options{Method: Sarsa, Alpha: 0.1, Lambda: 0.5, Importance: Value, End: Keep},
			0,
			[]string{"c1", "e1", "b1", "f1", "a1"},
			map[param]float64{
				ownHalf1: 9.8, ownOpen1: 92.5 + 498.75, ownOpen2: 10225,
				foeHalf1: 29, foeOpen1: 1220.2 + 474.9, {enemy, 2, threat.Open}: 14518,
			},
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

// old is the reading that has an order for each vector and nothing after the end.
func old() Options { return Options{Importance: Value, End: Zero} }

// TestUpdateUnderReadings learns from the last move of a drawn row of cells, three of which win, under each reading.
func TestUpdateUnderReadings(t *testing.T) {
	foeHalf2, ownHalf2 := param{enemy, 2, threat.HalfOpen}, param{own, 2, threat.HalfOpen}
	tests := []struct {
		name  string
		row   string // the last stone is in lower case
		first Options
		want  map[param]float64
	}{
		// Both have a half-open two, which can become a row, and an open one. What is updated goes to 100000, and is
		// clamped to the next greater of its vector.
		{"importance=index", "XX....X...o...OO", Options{}, map[param]float64{ownHalf2: 100, foeHalf2: 5020}},
		{"importance=text", "XX....X...o...OO", Options{Importance: Text}, map[param]float64{ownOpen1: 250, foeOpen1: 2000}},
		{"importance=value", "XX....X...o...OO", Options{Importance: Value}, map[param]float64{ownOpen1: 250, foeHalf2: 5020}},
		// As with importance=index, but half-open 2 stands below open 2, which is worth 250 and 5020.
		{"adjust=importance", "XX....X...o...OO", Options{Adjust: ByImportance}, map[param]float64{ownHalf2: 250, foeHalf2: 5020}},
		{"adjust=off", "XX....X...o...OO", Options{Adjust: Unadjusted}, map[param]float64{ownHalf2: 100_000, foeHalf2: 100_000}},
		// The half-open one stays at 10, but the fixed half-open two's 80 are less than the 100 of an open one.
		{"adjust=importance, fixed parameters", "x.......", Options{Adjust: ByImportance}, map[param]float64{ownHalf2: 100}},
		// Second's two could still become a row, for 5020 at the most.
		{"end=simulate", "XXx.OO", Options{}, map[param]float64{foeHalf2: 5020}},
		{"end=zero", "XXx.OO", Options{End: Zero}, map[param]float64{foeHalf2: 1300}},
		{"end=keep", "XXx.OO", Options{End: Keep}, nil},
		{"end=simulate, a full board", "XXxOO", Options{}, nil},
		// The best that can follow is an open one worth 100, but the most important is a half-open two worth 80.
		{"max=figure", "x.......", Options{Alpha: 0.5}, nil},
		{"max=prose", "x.......", Options{Max: Prose}, map[param]float64{ownHalf1: 8}},
		// Without the cap the one at the edge is open, and so is the two that follows: 25, clamped to 80.
		{"cap=off", "x.......", Options{Reading: threat.Reading{Uncapped: true}}, map[param]float64{ownOpen1: 80}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var by [2][]string
			last, side := "", 0
			for i, c := range tc.row {
				cell := string(rune('a'+i)) + "1"
				switch c {
				case 'x', 'o':
					last, side = cell, strings.IndexRune("xo", c)
				case 'X', 'O':
					by[strings.IndexRune("XO", c)] = append(by[strings.IndexRune("XO", c)], cell)
				}
			}
			by[side] = append(by[side], last)
			var moves []string
			for i := range len(by[0]) + len(by[1]) {
				moves = append(moves, by[i%2][i/2])
			}
			got := learnFrom(t, len(tc.row), tc.first, len(moves)-1, moves)
			want := generic.Fixed(3)
			want.Reading = tc.first.Reading
			for at, x := range tc.want {
				[]generic.Vector{want.Own, want.Enemy}[at.vector].Set(x, at.size, at.class)
			}
			if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); d != "" {
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
	w := l.Weights()
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
		for _, end := range []End{Zero, Keep} {
			want := generic.Fixed(3)
			if end == Zero {
				want.Enemy.Set(10, 1, threat.Open)
			}
			got := learnFrom(t, 9, Options{Method: method, End: end}, 4, []string{"a1", "e1", "b1", "h1", "c1"})
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s, end=%s (-want +got):\n%s", method, end, d)
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
