// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"context"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/tt"
)

// benchPositions are openings and middle games. CITE: Rapfi, command bench, for the lines of play.
var benchPositions = []string{
	"h8 g7 f6 g8 g9", "h2 h5 h4 f6", "h8 h7 j6 i7 f7", "f6 i9 h8", "h8 i9 j10 i8 i7 g9",
	"h8 h9 j9 j8 f8 i7 g7 i9 h6 e9 f6 k7 l6 i10",
}

func played(t testing.TB, g game.Game, moves string) game.Position {
	t.Helper()
	p := g.Start()
	for _, word := range strings.Fields(moves) {
		m, err := g.Parse(word)
		if err == nil {
			err = game.Play(p, m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// ready returns a worker that is ready to search the position without limits.
func ready(t testing.TB, g game.Game, moves string) *worker {
	t.Helper()
	s, err := New(g, Options{Hash: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	w := s.workers[0]
	w.beginSearch(&shared{table: tt.New(1 << 20), ctx: context.Background()}, played(t, g, moves))
	return w
}

// TestNoAllocation: a search allocates nothing at its nodes.
func TestNoAllocation(t *testing.T) {
	for _, g := range testGames(t)[:4] {
		w := ready(t, g, benchPositions[4])
		w.use(drawnNet())
		if n := testing.AllocsPerRun(3, func() {
			w.search(-infinity, infinity, 6, 1, false)
			w.prove(1000, true, false)
		}); n != 0 {
			t.Errorf("%s: %v allocations in a search", g, n)
		}
	}
}

// TestSearchFindsOnlyMoves searches positions in which only one move is good.
func TestSearchFindsOnlyMoves(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, tc := range []struct {
		name, moves, best string
		g                 game.Game
	}{
		{"five", "h8 a1 i8 a3 j8 a5 k8 a7", "g8 l8", m(mnk.Gomoku(15))},
		{"stop five", "h8 g8 i8 a3 j8 a5 k8", "l8", m(mnk.Gomoku(15))},
		{"open four", "h8 a1 i8 a3 j8 a5", "g8 k8", m(mnk.Gomoku(15))},
		{"not six", "h8 a1 i8 a3 j8 a5 k8 g8 m8 a9", "h9 h7 i9 i7 j9 j7 k9 k7", m(mnk.Standard(15))},
		{"four in a row", "d3 a1 e3 a2", "c3 f3", m(mnk.MNK(7, 6, 4))},
		{"black's two four-threes are forbidden", "j12 d10 j5 k6 h10 f8 h12 e9 g7 d8 i12 g12 i11 k13 i13 i10 h11 h13 j10 c11 b12 k9 i14 i15 k12 l12 f14 g13 h8 h9 i9 f6 e8 k11 j14", "j13", m(renju.New(15))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := New(tc.g, Options{Hash: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			info, err := s.Search(t.Context(), played(t, tc.g, tc.moves), search.Limits{Nodes: 20_000}, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := tc.g.Format(info.PV[0])
			if tc.name != "not six" && !strings.Contains(" "+tc.best+" ", " "+got+" ") || tc.name == "not six" && got == "l8" {
				t.Errorf("%s, want one of %s", got, tc.best)
			}
		})
	}
}

// TestThreadsEndWithTheSearch: several threads find an answer, too, and end with the search; the conformance kit checks the
// latter.
func TestThreadsEndWithTheSearch(t *testing.T) {
	g := testGames(t)[0]
	s, err := New(g, Options{Hash: 1 << 20, Threads: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, moves := range benchPositions[:3] {
		info, err := s.Search(t.Context(), played(t, g, moves), search.Limits{Nodes: 20_000}, nil)
		if err != nil || len(info.PV) == 0 || info.Depth < 3 {
			t.Errorf("%+v, %v", info, err)
		}
	}
}

// BenchmarkSearch searches the positions to a fixed depth in one thread, with a small table; ns/node is by the clock on the wall.
func BenchmarkSearch(b *testing.B) {
	for _, g := range testGames(b)[:4] {
		for net, o := range map[string]Options{"none": {}, "default": {Net: DefaultNet(g)}} {
			o.Hash = 1 << 22
			b.Run("game="+g.String()+"/depth=9/net="+net, func(b *testing.B) {
				nodes := uint64(0)
				for b.Loop() {
					for _, moves := range benchPositions {
						s, err := New(g, o)
						if err != nil {
							b.Fatal(err)
						}
						info, err := s.Search(b.Context(), played(b, g, moves), search.Limits{Depth: 9}, nil)
						if err != nil {
							b.Fatal(err)
						}
						nodes += info.Nodes
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
				b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
			})
		}
	}
}
