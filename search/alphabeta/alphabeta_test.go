// SPDX-License-Identifier: Apache-2.0

package alphabeta_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
	"github.com/krow-lab/krow/search/minimax"
	"github.com/krow-lab/krow/search/searchtest"
)

// searcher returns a new Searcher.
func searcher(t testing.TB, g game.Game, o alphabeta.Options) *alphabeta.Searcher {
	t.Helper()
	s, err := alphabeta.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// all returns the options in which every switch is on, with a table of 16 MiB. Order has no default.
func all() alphabeta.Options {
	return alphabeta.Options{Deepening: true, TT: 16 << 20, Killer: true, Refutation: true, History: true, Aspiration: 16 * eval.Unit, PVS: true}
}

func TestConformance(t *testing.T) {
	for name, o := range map[string]alphabeta.Options{"plain": {}, "all": all()} {
		o.TT = min(o.TT, 1<<16)
		t.Run(name, func(t *testing.T) {
			searchtest.Run(t, func(g game.Game) search.Searcher { return searcher(t, g, o) })
		})
	}
	t.Run("adaptive", func(t *testing.T) {
		o := alphabeta.Options{AdaptiveDepth: true, Order: dice{}, Aspiration: 1}
		searchtest.RunOn(t, func(g game.Game) search.Searcher { return searcher(t, g, o) }, games(t)...)
	})
}

// games are small ones of every kind.
func games(t testing.TB) []game.Game {
	m := gametest.Must[*mnk.Game](t)
	return []game.Game{
		m(mnk.TicTacToe(3, 3)), m(mnk.MNK(4, 4, 3)), m(mnk.MNK(5, 2, 3)), m(mnk.Connect4(5, 4, 4)), m(mnk.Connect6(5)),
		m(mnk.New(mnk.Rules{Name: "pairs", Columns: 4, Rows: 3, K: 3, Turn: 2})),
		m(mnk.Pente(5)), m(mnk.New(mnk.Rules{Name: "captures", Columns: 5, Rows: 3, K: 4, Captures: 2})),
		ultimate.New(ultimate.Rules{}),
	}
}

// random plays a random game of g and stops at least one ply before its end.
func random(g game.Game, plies int, rng *rand.Rand) game.Position {
	p := g.Start()
	for range plies {
		moves := p.AppendMoves(nil)
		p.Play(moves[rng.IntN(len(moves))])
		if p.Outcome() != game.Ongoing {
			p.Undo()
			break
		}
	}
	return p
}

// The switches, a bit each.
const (
	deepening = 1 << iota
	order
	table
	killer
	refutation
	history
	aspiration
	pvs
	switches
)

// options returns those in which the switches on are on, with a table of one to many buckets.
func options(on int, rng *rand.Rand) alphabeta.Options {
	o := alphabeta.Options{
		Deepening: on&deepening != 0, Killer: on&killer != 0, Refutation: on&refutation != 0,
		History: on&history != 0, PVS: on&pvs != 0,
	}
	if on&order != 0 {
		o.Order = dice{}
	}
	if on&table != 0 {
		o.TT = 64 << (4 * rng.IntN(4))
	}
	if on&aspiration != 0 {
		o.Aspiration = 1 + eval.Score(rng.IntN(3))
	}
	return o
}

// heuristics are of few values, so that ties abound, and of odd ones.
var heuristics = map[string]eval.Evaluator{
	"none":      eval.None{},
	"hash":      hash{values: 4},
	"unequal":   hash{values: 7, unequal: true},
	"huge":      hash{values: 5, scale: 1 << 37, unequal: true},
	"beyond":    hash{values: 3, scale: 1 << 53, unequal: true},
	"last move": hash{values: 5, last: true},
}

// TestValueAndMoveOfMinimax is what this package promises: the value and the move of plain minimax under any switches.
func TestValueAndMoveOfMinimax(t *testing.T) {
	for _, g := range games(t) {
		for name, e := range heuristics {
			for seed := range uint64(6) {
				t.Run(fmt.Sprintf("%s/eval=%s/seed=%d", g, name, seed), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(seed, 11))
					p := random(g, rng.IntN(10), rng)
					terminal := alphabeta.Terminal(seed % 2)
					depth, want := affordable(t, p, minimax.Options{Eval: e, Terminal: terminal}, 1+rng.IntN(5))
					for range 16 {
						o := options(rng.IntN(switches), rng)
						o.Depth, o.Eval, o.Terminal = depth, e, terminal
						same(t, p, searcher(t, g, o), o, want)
					}
				})
			}
		}
	}
}

// TestAllSwitches tries every combination on a few positions.
func TestAllSwitches(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for i, g := range []game.Game{m(mnk.TicTacToe(3, 3)), m(mnk.Connect4(5, 4, 3)), m(mnk.MNK(4, 3, 3))} {
		rng := rand.New(rand.NewPCG(uint64(i), 13))
		for depth := 1; depth <= 5; depth++ {
			p := random(g, 4, rng)
			e, terminal := hash{values: 4, unequal: depth%2 == 0}, alphabeta.Terminal(depth/2%2)
			depth, want := affordable(t, p, minimax.Options{Eval: e, Terminal: terminal}, depth)
			for on := range switches {
				o := options(on, rng)
				o.Depth, o.Eval, o.Terminal = depth, e, terminal
				t.Run(fmt.Sprintf("%s/depth=%d/switches=%b", g, depth, on), func(t *testing.T) { same(t, p, searcher(t, g, o), o, want) })
			}
		}
	}
}

// TestTableStaysTrueInGames plays games with one Searcher, whose table must not mislead it later.
func TestTableStaysTrueInGames(t *testing.T) {
	for _, g := range games(t) {
		for seed := range uint64(6) {
			t.Run(fmt.Sprintf("%s/seed=%d", g, seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 17))
				o := options(switches-1, rng)
				o.Eval, o.Terminal, o.TT = hash{values: 3, unequal: true}, alphabeta.Terminal(seed%2), 1<<14
				s := searcher(t, g, o)
				for p := random(g, 6, rng); p.Outcome() == game.Ongoing; {
					depth, want := affordable(t, p, minimax.Options{Eval: o.Eval, Terminal: o.Terminal}, 1+rng.IntN(4))
					o.Depth = depth
					// A search that is stopped must leave nothing false behind.
					if _, err := s.Search(t.Context(), p, search.Limits{Depth: depth, Nodes: 1 + rng.Uint64N(200)}, nil); err != nil {
						t.Fatal(err)
					}
					same(t, p, s, o, want)
					moves := p.AppendMoves(nil)
					p.Play(moves[rng.IntN(len(moves))])
				}
			})
		}
	}
}

// affordable searches p by minimax to depth, or less deep where that would take too long.
func affordable(t *testing.T, p game.Position, o minimax.Options, depth int) (int, search.Info) {
	t.Helper()
	for ; ; depth-- {
		info, err := minimax.New(o).Search(t.Context(), p, search.Limits{Depth: depth, Nodes: 10_000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if info.Depth == depth && info.Bound == search.Exact {
			return depth, info
		}
	}
}

// same searches p and compares with what minimax says.
func same(t *testing.T, p game.Position, s *alphabeta.Searcher, o alphabeta.Options, want search.Info) {
	t.Helper()
	got, err := s.Search(t.Context(), p, search.Limits{Depth: o.Depth}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Score != want.Score || got.PV[0] != want.PV[0] || got.Bound != search.Exact {
		t.Fatalf("%+v\nhistory %v: score %d, line %v; minimax has %d, %v", o, p.AppendHistory(nil), got.Score, got.PV, want.Score, want.PV)
	}
	if want.Solved && !got.Solved || got.Solved && o.Terminal == alphabeta.Eval {
		t.Errorf("%+v\nhistory %v: solved %v, minimax says %v", o, p.AppendHistory(nil), got.Solved, want.Solved)
	}
	checkPV(t, p, o, got)
}

// checkPV plays the line; where it is whole, the score must come from its end.
func checkPV(t *testing.T, p game.Position, o alphabeta.Options, info search.Info) {
	t.Helper()
	q := p.Clone()
	path, follows := o.Eval.(*indicators.Path)
	if follows {
		path.Reset(q)
	}
	for _, m := range info.PV {
		if follows {
			path.Play(m)
		}
		if err := game.Play(q, m); err != nil {
			t.Fatalf("%+v\nline %v: %v", o, info.PV, err)
		}
	}
	var got eval.Score
	switch over := q.Outcome() != game.Ongoing; {
	case over && o.Terminal == alphabeta.Exact:
		got = eval.Outcome(q.Outcome(), p.Turn(), len(info.PV))
	case over:
		got = o.Eval.Evaluate(q, p.Turn()).Opinion()
	case len(info.PV) < info.Depth && o.TT > 0:
		return // cut short by the table
	case len(info.PV) < info.Depth:
		t.Fatalf("%+v\nthe line %v ends before depth %d", o, info.PV, info.Depth)
	default:
		got = o.Eval.Evaluate(q, p.Turn()).Opinion()
	}
	if got != info.Score {
		t.Errorf("%+v\nthe line %v ends in %d, the score is %d", o, info.PV, got, info.Score)
	}
}
