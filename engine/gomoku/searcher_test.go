// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/searchtest"
)

// TestConformance runs the kit on the games of the kit that the engine plays, and on its own.
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
