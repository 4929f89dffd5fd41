// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/searchtest"
)

// TestConformance runs the conformance kit on those of its games that the engine plays, and on further games of the engine.
func TestConformance(t *testing.T) {
	with := func(o Options) func(g game.Game) search.Searcher {
		return func(g game.Game) search.Searcher {
			o.Hash = 1 << 20
			s, err := New(g, o)
			if err != nil {
				return nil
			}
			return s
		}
	}
	searchtest.Run(t, with(Options{}))
	games := testGames(t)
	for _, g := range games[2:] {
		searchtest.RunOn(t, with(Options{}), g)
	}
	for i, name := range Techniques() {
		var o Options
		if !o.Switch(name, false) {
			t.Errorf("no switch %q", name)
		}
		t.Run("without="+name, func(t *testing.T) { searchtest.RunOn(t, with(o), games[5+i%3]) })
	}
}

// TestLossIsSolvedAndOneFiveStopped: if no move keeps the enemy from making five, the loss is reported as solved, and the move
// still stops a five, one that is not forbidden.
func TestLossIsSolvedAndOneFiveStopped(t *testing.T) {
	games := testGames(t)
	for _, tc := range []struct {
		g            game.Game
		stones, turn string
		want         []string
	}{
		{games[0], "h8 h9 h10 h11 / a1 c3 e1", "second", []string{"h7", "h12"}},
		{games[1], "h8 h9 h10 h11 / a1 c3 e1", "second", []string{"h7", "h12"}},
		{games[2], "a1 c3 e1 g15 / h8 h9 h10 h11", "first", []string{"h7", "h12"}},
		{games[2], "e7 f7 g7 i7 j7 / h8 h9 h10 h11 a1", "first", []string{"h12"}}, // h7 is an overline
	} {
		p, err := notation.ParseStones(tc.g, tc.stones, notation.StonesOptions{Turn: tc.turn})
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(tc.g, Options{Hash: 1 << 16})
		if err != nil {
			t.Fatal(err)
		}
		info, err := s.Search(t.Context(), p, search.Limits{Nodes: 100}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if plies, sign := info.Score.Distance(); !info.Solved || sign >= 0 || plies != 2 {
			t.Errorf("%s %s: %v, solved %v, want a loss in 2", tc.g, tc.stones, info.Score, info.Solved)
		}
		if m := tc.g.Format(info.PV[0]); !slices.Contains(tc.want, m) {
			t.Errorf("%s %s: %s, want one of %s", tc.g, tc.stones, m, tc.want)
		}
	}
}

// TestLines: several lines begin with different moves, the best first, and solved results are true. The nodes of an iteration that
// was cut short are counted.
func TestLines(t *testing.T) {
	g := testGames(t)[0]
	const lines = 3
	for _, tc := range []struct {
		name, moves string
		nodes       uint64
		solved      int    // at least so many lines
		values      string // of the solved ones
		first       string // moves of the first lines, where there are no others
	}{
		{"two fives", "h8 a1 i8 a3 j8 a5 k8 a7", 2000, 3, "win win win", "g8 l8"},
		{"two fives and no work", "h8 a1 i8 a3 j8 a5 k8 a7", 1, 2, "win win", "g8 l8"},
		{"two open fours", "h8 a1 i8 a3 j8 a5", 20_000, 3, "win win win", "g8 k8"},
		{"all lost", "h8 a1 i8 c15 j8 o1 h9 o15 i10", 50_000, 2, "loss loss", ""},
		{"one move", "h8 g8 i8 a3 j8 a5 k8", 20_000, 0, "", "l8"},
		{"an opening", "h8 i9 g9 i7", 20_000, 0, "", ""},
		{"a middle game", benchPositions[5], 20_000, 0, "", ""},
		{"little work", benchPositions[5], 700, 0, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := New(g, Options{Hash: 1 << 20, Net: DefaultNet(g)})
			if err != nil {
				t.Fatal(err)
			}
			p := played(t, g, tc.moves)
			var told []search.Info
			best, err := s.Search(t.Context(), p, search.Limits{Nodes: tc.nodes, Lines: lines}, func(i search.Info) {
				if i.PV = slices.Clone(i.PV); i.Line == 1 {
					told = nil
				}
				i.Root = nil
				told = append(told, i)
			})
			if err != nil || best.PV[0] != told[0].PV[0] {
				t.Fatalf("best %+v, lines %+v, %v", best, told, err)
			}
			var moves, values []string
			for i, l := range told {
				m := g.Format(l.PV[0])
				if slices.Contains(moves, m) || l.Line != i+1 {
					t.Errorf("line %d is %s after %v", l.Line, m, moves)
				}
				if i > 0 && (l.Score > told[i-1].Score || l.Depth > told[i-1].Depth && !l.Solved && !told[i-1].Solved) {
					t.Errorf("line %d: %v at depth %d after %v at depth %d", i+1, l.Score, l.Depth, told[i-1].Score, told[i-1].Depth)
				}
				if moves = append(moves, m); l.Solved {
					values = append(values, l.Value())
					if !holds(t, p, l) {
						t.Errorf("line %d: %s is called a %s, which is not proved", i+1, m, l.Value())
					}
				}
			}
			if got := strings.Join(values, " "); len(values) < tc.solved || tc.values != "" && got != tc.values {
				t.Errorf("solved: %q, want %q; %+v", got, tc.values, told)
			}
			if got := strings.Join(moves, " "); tc.first != "" && !strings.HasPrefix(got, tc.first) {
				t.Errorf("lines %s, want %s first", got, tc.first)
			}
		})
	}
}

// holds checks with a prover and many nodes that the move of a solved line wins or loses.
func holds(t *testing.T, p game.Position, l search.Info) bool {
	t.Helper()
	p = p.Clone()
	p.Play(l.PV[0])
	if p.Outcome() != game.Ongoing {
		return l.Value() == "win"
	}
	pr, err := NewProver(p.Game())
	if err != nil {
		t.Fatal(err)
	}
	ask := pr.Win
	if l.Value() == "win" {
		ask = pr.Loss
	}
	_, ok := ask(t.Context(), p, 500_000)
	return ok
}

// TestLinesThreads: several threads report several lines if the enemy has two fives, against which only a five helps.
func TestLinesThreads(t *testing.T) {
	g := testGames(t)[0]
	s, err := New(g, Options{Hash: 1 << 20, Threads: 3})
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	_, err = s.Search(t.Context(), played(t, g, "h8 b1 h9 c1 h10 d1 h11 e1"), search.Limits{Nodes: 5000, Lines: 3}, func(i search.Info) {
		if i.Line == 1 {
			values = nil
		}
		values = append(values, i.Value())
	})
	if got := strings.Join(values, " "); err != nil || !strings.HasPrefix(got, "win win") {
		t.Errorf("lines: %s, %v", got, err)
	}
}

// TestLinesCutShort: after an iteration that was cut short, the lines that it did not reach come from the previous one. A proved
// loss stays proved, comes after lines that are not proved losses, and does not change other lines.
func TestLinesCutShort(t *testing.T) {
	w := ready(t, testGames(t)[0], "h8 i9")
	w.depth = 8
	for _, tc := range []struct {
		name   string
		root   []rootMove
		cells  []uint16
		scores []int32
	}{
		{"a proved loss among the old ones", []rootMove{
			{cell: 1, score: 40, last: 40, at: 8},
			{cell: 2, score: -infinity, last: lossIn(6), at: 7, proved: lossIn(20)},
			{cell: 3, score: 50, last: 60, at: 7},
			{cell: 4, score: 7, last: 9, at: 3},
			{cell: 5, score: -infinity, last: lossIn(4), at: 7},
		}, []uint16{1, 3, 5, 2, 4}, []int32{40, 40, lossIn(4), lossIn(20), -infinity}},
		{"a proved loss among the new ones", []rootMove{
			{cell: 1, score: lossIn(20), last: lossIn(20), at: 8, proved: lossIn(20)},
			{cell: 2, score: -infinity, last: -10, at: 7},
			{cell: 3, score: -infinity, last: 30, at: 7},
		}, []uint16{3, 2, 1}, []int32{30, -10, lossIn(20)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w.root = tc.root
			w.goBack(0, 1)
			var cells []uint16
			var scores []int32
			for _, m := range w.root {
				cells, scores = append(cells, m.cell), append(scores, m.score)
			}
			if !slices.Equal(cells, tc.cells) || !slices.Equal(scores, tc.scores) {
				t.Errorf("moves %v with %v, want %v with %v", cells, scores, tc.cells, tc.scores)
			}
		})
	}
}

// drawish is the beginning of a drawn game of the engine against itself.
const drawish = "f7 i9 g6 j9 f12 d7 j10 e4 l9 i6 i10 k10 f9 h9 d9 e8 f10 f11 f8 f6 g9 g10 i8 h8 e9 c9 g7 h6 g5 g8 h7 e7 e11 e12 d13 d10 h12 " +
	"d8 b10 g4 j7 i7 i13 g11 e6 d5 d4 i11 c6 i4 h4 j5 k6 i5 i3 k5 l5 m4 l4 l3 k4 m6 j2 k1 h14 g13 h11 h13 g12 k11 k9 f13 j12 i12 g14 m5 m7 l8 h1 i2"

// TestChanceOfDrawGrowsLate: a draw is unlikely after three moves, likely late in a game without a winner, and unknown without a
// network or if the search sees a win.
func TestChanceOfDrawGrowsLate(t *testing.T) {
	g := testGames(t)[0]
	for _, tc := range []struct {
		line        string
		net         bool
		least, most float64
	}{
		{"h8 i9 g7", true, 0.0001, 0.1},
		{drawish, true, 0.5, 1},
		{drawish, false, 0, 0},
		{"h8 i9 h9 a1 h10 a3", true, 0, 0},
	} {
		o := Options{Hash: 1 << 20}
		if tc.net {
			o.Net = DefaultNet(g)
		}
		s, err := New(g, o)
		if err != nil {
			t.Fatal(err)
		}
		p := g.Start()
		if err := notation.Play(p, tc.line); err != nil {
			t.Fatal(err)
		}
		info, err := s.Search(t.Context(), p, search.Limits{Nodes: 2000}, nil)
		if err != nil || info.Draw < tc.least || info.Draw > tc.most {
			t.Errorf("%s, network %v: a draw at %v, %v, want %v to %v", tc.line, tc.net, info.Draw, err, tc.least, tc.most)
		}
	}
}
