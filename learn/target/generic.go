// SPDX-License-Identifier: Apache-2.0

package target

import (
	"fmt"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
	"github.com/krow-lab/krow/search/minimax"
	"github.com/krow-lab/krow/threat"
)

// doublings is how many times a weight of a threat may be doubled or halved. The heaviest stays below what the
// heuristic allows.
const doublings = 10

// place is where a parameter stands in the weights.
type place struct {
	enemy bool
	kind  threat.Kind
}

// Generic returns the weights of the generic threat heuristic, own and enemy's, but for those of rows of k and of
// closed threats. They may come out of their order of importance, and stay above 0. The player is alpha-beta of
// a depth, by which a finished game is what it is.
func Generic(g game.Game, depth int) (*Target, error) {
	k, err := generic.K(g)
	if err != nil {
		return nil, err
	}
	if depth < 1 || depth > minimax.MaxDepth {
		return nil, fmt.Errorf("a depth of %d, not 1 to %d", depth, minimax.MaxDepth)
	}
	fixed := generic.Fixed(k)
	t := &Target{Name: "generic", Game: g, Settings: map[string]any{"depth": depth}}
	var places []place
	for side, v := range []generic.Vector{fixed.Own, fixed.Enemy} {
		for kind, start := range v {
			if kind := threat.Kind(kind); kind.Class(k) == threat.HalfOpen || kind.Class(k) == threat.Open {
				name := fmt.Sprintf("%s-%s-%d", [...]string{"own", "enemy"}[side], kind.Class(k), kind.Size())
				t.Params = append(t.Params, Param{Name: name, Start: start, Unit: 2, Log: true, Low: -doublings, High: doublings})
				places = append(places, place{side == 1, kind})
			}
		}
	}
	if len(places) == 0 {
		return nil, fmt.Errorf("%s has no threat but a row of %d, and so nothing to learn", g, k)
	}
	fill := func(values []float64) generic.Weights {
		w := generic.Fixed(k)
		for i, at := range places {
			v := w.Own
			if at.enemy {
				v = w.Enemy
			}
			v[at.kind] = values[i]
		}
		return w
	}
	t.player = func(values []float64) (player.Player, error) {
		e, err := generic.New(g, fill(values))
		if err != nil {
			return nil, err
		}
		a, err := alphabeta.New(g, alphabeta.Options{
			Depth: depth, Eval: e, Terminal: alphabeta.Exact,
			Deepening: depth > 2, Killer: true, Refutation: true, History: true, PVS: true,
		})
		if err != nil {
			return nil, err
		}
		return player.FromSearcher("alphabeta", a, search.Limits{}), nil
	}
	t.save = func(name string, values []float64, o weights.Origin) error { return fill(values).Save(name, o) }
	return t, nil
}
