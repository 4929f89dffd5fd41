// SPDX-License-Identifier: Apache-2.0

package alphabeta_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/lines"
	"github.com/krow-lab/krow/eval/mics"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search/alphabeta"
	"github.com/krow-lab/krow/search/minimax"
)

// TestPublishedHeuristicsEqualMinimax holds the search to minimax under the published heuristics, each of which has its own way of
// following a position and of taking sides.
func TestPublishedHeuristicsEqualMinimax(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	type heuristic struct {
		name string
		g    game.Game
		e    eval.Evaluator
	}
	var all []heuristic
	add := func(name string, g game.Game) func(e eval.Evaluator, err error) {
		return func(e eval.Evaluator, err error) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, heuristic{name, g, e})
		}
	}
	for _, g := range []game.Game{m(mnk.MNK(5, 4, 4)), m(mnk.Connect4(6, 5, 4)), m(mnk.Pente(5)), m(mnk.Connect6(6))} {
		k, err := generic.K(g)
		if err != nil {
			t.Fatal(err)
		}
		add("generic", g)(generic.New(g, generic.Fixed(k)))
		add("lines", g)(lines.New(g, lines.Options{}))
		add("mics", g)(mics.New(g, mics.Default()))
	}
	g := ultimate.New(ultimate.Rules{})
	add("indicators", g)(indicators.New(g, indicators.Options{}))
	add("path", g)(indicators.NewPath(g, indicators.Options{}))
	for _, h := range all {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("eval=%s/%s/seed=%d", h.name, h.g, seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 29))
				p := random(h.g, rng.IntN(16), rng)
				terminal := alphabeta.Terminal(seed % 2)
				depth, want := affordable(t, p, minimax.Options{Eval: h.e, Terminal: terminal}, 4)
				for range 4 {
					o := options(rng.IntN(switches), rng)
					o.Depth, o.Eval, o.Terminal = depth, h.e, terminal
					if h.name == "path" {
						o.TT = 0
					}
					if scorer, ok := h.e.(eval.MoveScorer); ok && o.Order != nil {
						o.Order = scorer
					}
					same(t, p, searcher(t, h.g, o), o, want)
				}
			})
		}
	}
}

// TestPathAndTable refuses a table to a heuristic that values the way to a position.
func TestPathAndTable(t *testing.T) {
	g := ultimate.New(ultimate.Rules{})
	e, err := indicators.NewPath(g, indicators.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const want = "the heuristic depends on the path to a position, so the search needs hash=0"
	if _, err := alphabeta.New(g, alphabeta.Options{Eval: e, TT: 1 << 16}); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
