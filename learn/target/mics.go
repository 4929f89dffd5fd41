// SPDX-License-Identifier: Apache-2.0

package target

import (
	"errors"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/mics"
)

// The greatest branching and depth that are tried: the text's range of q with room around it.
const (
	maxBranching = 16
	maxDepth     = 20
)

// MICS returns the branching and the depth of the player mics, which depend on the game and on the nodes that it
// may search for each move. The start is what the player chooses by itself.
func MICS(g game.Game, nodes uint64) (*Target, error) {
	if nodes == 0 {
		return nil, errors.New("mics is learned with a number of nodes for each move")
	}
	own, err := mics.Plan(g, nodes)
	if err != nil {
		return nil, err
	}
	t := &Target{Name: "mics", Game: g, Settings: map[string]any{"nodes": nodes}}
	for _, p := range []struct {
		name       string
		start, top int
	}{{"branching", own.Branching, maxBranching}, {"depth", own.Depth, maxDepth}} {
		start := float64(p.start)
		t.Params = append(t.Params, Param{
			Name: p.name, Start: start, Unit: 1, Whole: true, Low: 1 - start, High: max(float64(p.top)-start, 0),
		})
	}
	fill := func(values []float64) mics.Weights {
		return mics.Weights{Branching: int(values[0]), Depth: int(values[1])}
	}
	t.player = func(values []float64) (player.Player, error) {
		w := fill(values)
		s, err := mics.New(g, mics.Options{Branching: w.Branching, Depth: w.Depth, Nodes: nodes})
		if err != nil {
			return nil, err
		}
		return player.FromSearcher("mics", s, search.Limits{Nodes: nodes}), nil
	}
	t.save = func(name string, values []float64, o weights.Origin) error { return fill(values).Save(name, o) }
	return t, nil
}
