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
	for _, tc := range []struct {
		name string
		o    Options
	}{
		{"default", Options{Hash: 1 << 20}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			newSearcher := func(g game.Game) search.Searcher {
				s, err := New(g, tc.o)
				if err != nil {
					return nil
				}
				return s
			}
			searchtest.Run(t, newSearcher)
			for _, g := range testGames(t) {
				searchtest.RunOn(t, newSearcher, g)
			}
		})
	}
}
