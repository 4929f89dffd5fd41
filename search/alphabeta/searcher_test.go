// SPDX-License-Identifier: Apache-2.0

package alphabeta_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
	"github.com/krow-lab/krow/search/minimax"
	"github.com/krow-lab/krow/search/oracle"
)

// TestLinesOfMinimax asks for all lines, and expects those of minimax in the same order.
func TestLinesOfMinimax(t *testing.T) {
	type line struct {
		Move  game.Move
		Score eval.Score
	}
	lines := func(t *testing.T, s search.Searcher, p game.Position, n int) []line {
		last := make([]line, n)
		_, err := s.Search(t.Context(), p, search.Limits{Depth: 3, Lines: n}, func(i search.Info) {
			last[i.Line-1] = line{i.PV[0], i.Score}
		})
		if err != nil {
			t.Fatal(err)
		}
		return last
	}
	for _, g := range games(t) {
		for seed := range uint64(8) {
			t.Run(fmt.Sprintf("%s/seed=%d", g, seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 19))
				p := random(g, rng.IntN(8), rng)
				o := options(rng.IntN(switches), rng)
				o.Eval = hash{values: 4, unequal: true}
				n := 1 + rng.IntN(len(p.AppendMoves(nil)))
				want := lines(t, minimax.New(minimax.Options{Eval: o.Eval}), p, n)
				if diff := cmp.Diff(want, lines(t, searcher(t, g, o), p, n)); diff != "" {
					t.Errorf("%+v\n-minimax +alphabeta\n%s", o, diff)
				}
			})
		}
	}
}

// TestSolvedValuesAreTrue lets one Searcher search positions of a game as they come, to any depth and with any number of
// nodes. What it calls solved must be so.
func TestSolvedValuesAreTrue(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	solved := 0
	for _, g := range []game.Game{
		m(mnk.TicTacToe(3, 3)), m(mnk.Connect4(4, 3, 3)), m(mnk.MNK(5, 2, 3)),
		m(mnk.New(mnk.Rules{Name: "pairs", Columns: 3, Rows: 3, K: 3, Turn: 2})),
		m(mnk.New(mnk.Rules{Name: "captures", Columns: 5, Rows: 2, K: 4, Captures: 1})),
	} {
		for on := range 16 {
			rng := rand.New(rand.NewPCG(uint64(on), 23))
			o := options(on*16+rng.IntN(16)|table, rng)
			o.Eval = hash{values: 4}
			s := searcher(t, g, o)
			for range 6 {
				p := random(g, rng.IntN(g.Moves()), rng)
				truth, err := oracle.Solve(p, 100_000)
				if err != nil {
					t.Fatal(err)
				}
				lim := search.Limits{Depth: 1 + rng.IntN(12), Nodes: 1 + rng.Uint64N(5000)}
				info, err := s.Search(t.Context(), p, lim, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !info.Solved {
					continue
				}
				solved++
				of, _ := truth.Of(info.PV[0])
				_, got := info.Score.Distance()
				_, want := truth.Best.Score.Distance()
				if got != want || info.Bound == search.Exact && (info.Score != truth.Best.Score || of != info.Score) {
					t.Errorf("%s %+v %+v\n%+v, the oracle says %+v", g, o, lim, info, truth.Best)
				}
			}
		}
	}
	if solved < 100 {
		t.Errorf("only %d answers were solved", solved)
	}
}

// TestDepth asks how deep is searched when nobody, or not everybody, says.
func TestDepth(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	gomoku, tictactoe, connect4 := m(mnk.Gomoku(15)), m(mnk.TicTacToe(3, 3)), m(mnk.Connect4(7, 6, 4))
	tests := []struct {
		name string
		g    game.Game
		o    alphabeta.Options
		lim  search.Limits
		want int
	}{
		{"nobody", tictactoe, alphabeta.Options{}, search.Limits{}, 4},
		{"nobody, deepening", tictactoe, alphabeta.Options{Deepening: true}, search.Limits{}, 4},
		{"options", tictactoe, alphabeta.Options{Depth: 3}, search.Limits{}, 3},
		{"limits", tictactoe, alphabeta.Options{Depth: 3}, search.Limits{Depth: 2}, 2},
		{"until solved", tictactoe, alphabeta.Options{Deepening: true}, search.Limits{Nodes: 10_000_000}, 9},
		{"adaptive, the whole game", tictactoe, alphabeta.Options{AdaptiveDepth: true}, search.Limits{}, 9},
		{"adaptive, wide", gomoku, alphabeta.Options{AdaptiveDepth: true}, search.Limits{}, 2},
		{"adaptive, narrow", connect4, alphabeta.Options{AdaptiveDepth: true}, search.Limits{}, 6},
		{"adaptive, at most", connect4, alphabeta.Options{AdaptiveDepth: true, Depth: 5}, search.Limits{}, 5},
		{"adaptive, but limits", gomoku, alphabeta.Options{AdaptiveDepth: true}, search.Limits{Depth: 1}, 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			info, err := searcher(t, tc.g, tc.o).Search(t.Context(), tc.g.Start(), tc.lim, nil)
			if err != nil || info.Depth != tc.want {
				t.Errorf("depth %d, %v; want %d", info.Depth, err, tc.want)
			}
		})
	}
}

// TestDepthNeverFallsWithNodes stops a deepening search in every place and expects a depth that never falls as nodes grow.
func TestDepthNeverFallsWithNodes(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(4, 4, 4))
	o := all()
	o.Eval, o.TT = hash{values: 9}, 1<<14
	depth := 0
	for nodes := uint64(1); nodes < 3000; nodes += 7 {
		info, err := searcher(t, g, o).Search(t.Context(), g.Start(), search.Limits{Nodes: nodes}, nil)
		if err != nil || info.Depth < depth || info.Nodes > nodes || len(info.PV) > max(info.Depth, 1) {
			t.Fatalf("nodes %d: %+v, %v; depth was %d before", nodes, info, err, depth)
		}
		depth = info.Depth
	}
	if depth < 3 {
		t.Errorf("depth %d in the end", depth)
	}
}

func TestBadOptionsAreRefused(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	g := m(mnk.TicTacToe(3, 3))
	for _, o := range []alphabeta.Options{{Depth: -1}, {TT: -1}, {TT: 1 << 60}, {Aspiration: -1}, {Aspiration: eval.Infinity}} {
		if _, err := alphabeta.New(g, o); err == nil {
			t.Errorf("New took %+v", o)
		}
	}
	if _, err := searcher(t, g, alphabeta.Options{}).Search(t.Context(), m(mnk.Gomoku(15)).Start(), search.Limits{}, nil); err == nil {
		t.Error("a search for tic-tac-toe searched gomoku")
	}
}

// TestNodesDoNotAllocate: however many nodes, no memory is asked for at them.
func TestNodesDoNotAllocate(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Gomoku(9))
	o := all()
	o.Order = dice{}
	s, p := searcher(t, g, o), g.Start()
	allocs := testing.AllocsPerRun(3, func() {
		if _, err := s.Search(t.Context(), p, search.Limits{Nodes: 50_000}, nil); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 1000 {
		t.Errorf("%v allocations for 50000 nodes", allocs)
	}
}

// watcher counts what a tracer is told.
type watcher struct{ entered, depth, deepest, cuts int }

func (w *watcher) Enter(_ game.Move, alpha, beta eval.Score) {
	if alpha >= beta {
		panic("an empty window")
	}
	w.entered++
	w.depth++
	w.deepest = max(w.deepest, w.depth)
}
func (w *watcher) Leave(eval.Score) { w.depth-- }
func (w *watcher) Best()            {}
func (w *watcher) Cut(n int)        { w.cuts++ }

// TestTraceHoldsEveryNode watches searches with every switch on: they visit the same nodes, and tell of each.
func TestTraceHoldsEveryNode(t *testing.T) {
	for _, g := range games(t) {
		o := all()
		o.TT = 1 << 16
		want, _ := searcher(t, g, o).Search(t.Context(), g.Start(), search.Limits{Depth: 3}, nil)
		w := &watcher{}
		o.Trace = w
		got, err := searcher(t, g, o).Search(t.Context(), g.Start(), search.Limits{Depth: 3}, nil)
		if err != nil || got.Nodes != want.Nodes || got.Score != want.Score || uint64(w.entered) != got.Nodes || w.depth != 0 || w.deepest != 3 || w.cuts == 0 {
			t.Errorf("%s: watched %+v: %d nodes, score %d, %v; unwatched %d, %d", g, *w, got.Nodes, got.Score, err, want.Nodes, want.Score)
		}
	}
}
