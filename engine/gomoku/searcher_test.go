// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"slices"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
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

// TestHopeless: where the enemy makes five whatever is played, the loss is called solved, and one five is stopped all the
// same, that which is not forbidden.
func TestHopeless(t *testing.T) {
	games := testGames(t)
	for _, tc := range []struct {
		g            game.Game
		stones, turn string
		want         []string
	}{
		{games[0], "h8 h9 h10 h11 / a1 c3 e1", "second", []string{"h7", "h12"}},
		{games[1], "h8 h9 h10 h11 / a1 c3 e1", "second", []string{"h7", "h12"}},
		{games[2], "a1 c3 e1 g15 / h8 h9 h10 h11", "first", []string{"h7", "h12"}},
		{games[2], "e7 f7 g7 i7 j7 / h8 h9 h10 h11 a1", "first", []string{"h12"}}, // h7 is an overline
	} {
		p, err := notation.ParseStones(tc.g, tc.stones, notation.StonesOptions{Turn: tc.turn})
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(tc.g, Options{Hash: 1 << 16})
		if err != nil {
			t.Fatal(err)
		}
		info, err := s.Search(t.Context(), p, search.Limits{Nodes: 100}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if plies, sign := info.Score.Distance(); !info.Solved || sign >= 0 || plies != 2 {
			t.Errorf("%s %s: %v, solved %v, want a loss in 2", tc.g, tc.stones, info.Score, info.Solved)
		}
		if m := tc.g.Format(info.PV[0]); !slices.Contains(tc.want, m) {
			t.Errorf("%s %s: %s, want one of %s", tc.g, tc.stones, m, tc.want)
		}
	}
}
