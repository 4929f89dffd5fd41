// SPDX-License-Identifier: Apache-2.0

package ultimate_test

import (
	"testing"

	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/searchtest"
)

func newSearcher(t *testing.T, o engine.Options) func(game.Game) search.Searcher {
	return func(g game.Game) search.Searcher {
		if !engine.Plays(g) {
			return nil
		}
		s, err := engine.New(g, o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

func TestConformance(t *testing.T) {
	for name, o := range map[string]engine.Options{
		"heuristic": {Hash: 1 << 12},
		"network":   {Hash: 1 << 20, Net: network.Default()},
	} {
		t.Run(name, func(t *testing.T) { searchtest.Run(t, newSearcher(t, o)) })
	}
}
