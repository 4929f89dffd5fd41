// SPDX-License-Identifier: Apache-2.0

package searchtest

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/oracle"
)

// checkSolved compares what a search calls solved with what the oracle finds.
func checkSolved(t *testing.T, g game.Game, newSearcher func(game.Game) search.Searcher) {
	solved, all := 0, 0
	for i, p := range positions(t, g, 5) {
		truth := solve(t, p)
		var reports []search.Info
		lim := search.Limits{Depth: g.Moves() * 2, Nodes: 20_000, Lines: i % 3}
		info, err := newSearcher(g).Search(t.Context(), p, lim, func(info search.Info) {
			info.PV = slices.Clone(info.PV)
			reports = append(reports, info)
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range append(reports, info) {
			if info.Solved {
				checkValue(t, p, info, truth)
			}
		}
		if all++; info.Solved {
			solved++
		}
	}
	t.Logf("%d of %d solved", solved, all)
}

// truths are the oracle's results by position, since a test may run the kit several times.
var truths sync.Map

func solve(t *testing.T, p game.Position) oracle.Result {
	t.Helper()
	key := fmt.Sprint(p.Game(), p.Key())
	if r, ok := truths.Load(key); ok {
		return r.(oracle.Result)
	}
	r, err := oracle.Solve(p, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	truths.Store(key, r)
	return r
}

// checkValue looks at one solved answer: the score is right for its move and, in the first line, the move
// is as good as any.
func checkValue(t *testing.T, p game.Position, info search.Info, truth oracle.Result) {
	t.Helper()
	of, ok := truth.Of(info.PV[0])
	if !ok {
		t.Fatalf("illegal move %d", info.PV[0])
	}
	plies, sign := info.Score.Distance()
	fewest, want := of.Distance()
	if sign != want || sign == 0 && info.Score != 0 {
		t.Errorf("%s\nthe oracle says %d: %s", gametest.Picture(p), of, answer(info))
	}
	if sign > 0 && plies != eval.Unknown && plies < fewest {
		t.Errorf("%s\nwon in %d, the oracle needs %d: %s", gametest.Picture(p), plies, fewest, answer(info))
	}
	if _, best := truth.Best.Score.Distance(); info.Line <= 1 && best != want {
		t.Errorf("%s\nthe oracle plays %d for %d: %s", gametest.Picture(p), truth.Best.Move, truth.Best.Score, answer(info))
	}
}
