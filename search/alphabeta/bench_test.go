// SPDX-License-Identifier: Apache-2.0

package alphabeta_test

import (
	"fmt"
	"testing"

	"github.com/krow-lab/krow/eval/lines"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
	"github.com/krow-lab/krow/search/minimax"
)

// BenchmarkSearch searches the start with a new Searcher each time: what a switch is worth, alone and among
// the others.
func BenchmarkSearch(b *testing.B) {
	m := gametest.Must[*mnk.Game](b)
	for _, tc := range []struct {
		g     game.Game
		depth int
	}{{m(mnk.MNK(5, 5, 4)), 5}, {m(mnk.Connect4(7, 6, 4)), 8}, {m(mnk.Gomoku(9)), 4}} {
		e, err := lines.New(tc.g, lines.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, s := range []struct {
			name string
			o    alphabeta.Options
		}{
			{"none", alphabeta.Options{}},
			{"deepening", alphabeta.Options{Deepening: true}},
			{"order", alphabeta.Options{Order: e}},
			{"tt", alphabeta.Options{TT: 16 << 20}},
			{"killer", alphabeta.Options{Killer: true}},
			{"refutation", alphabeta.Options{Refutation: true}},
			{"history", alphabeta.Options{History: true}},
			{"aspiration", alphabeta.Options{Deepening: true, Aspiration: all().Aspiration}},
			{"pvs", alphabeta.Options{PVS: true}},
			{"all", all()},
			{"all+order", func() alphabeta.Options { o := all(); o.Order = e; return o }()},
		} {
			s.o.Eval, s.o.TT = e, min(s.o.TT, 1<<20)
			b.Run(fmt.Sprintf("game=%s/switches=%s/depth=%d", tc.g, s.name, tc.depth), func(b *testing.B) {
				bench(b, tc.g, tc.depth, func() search.Searcher { return searcher(b, tc.g, s.o) })
			})
		}
		if tc.depth < 5 {
			continue // too wide for minimax
		}
		b.Run(fmt.Sprintf("game=%s/switches=minimax/depth=%d", tc.g, tc.depth-1), func(b *testing.B) {
			bench(b, tc.g, tc.depth-1, func() search.Searcher { return minimax.New(minimax.Options{Eval: e}) })
		})
	}
}

// bench searches the start of g and reports nodes.
func bench(b *testing.B, g game.Game, depth int, newSearcher func() search.Searcher) {
	nodes := uint64(0)
	for b.Loop() {
		info, err := newSearcher().Search(b.Context(), g.Start(), search.Limits{Depth: depth}, nil)
		if err != nil {
			b.Fatal(err)
		}
		nodes += info.Nodes
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
}
