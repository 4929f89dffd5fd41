// SPDX-License-Identifier: Apache-2.0

package mnk_test

import (
	"testing"

	"github.com/krow-lab/krow/engine/mnk"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	rules "github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/searchtest"
)

func TestConformance(t *testing.T) {
	searchtest.Run(t, func(g game.Game) search.Searcher {
		s, err := mnk.NewSearcher(g, mnk.Options{Hash: 1 << 20})
		if err != nil {
			return nil
		}
		return s
	})
}

func TestNew(t *testing.T) {
	m := gametest.Must[*rules.Game](t)
	tests := []struct {
		g    game.Game
		o    mnk.Options
		want string
	}{
		{m(rules.MNK(12, 11, 5)), mnk.Options{}, "the m,n,k solver takes boards of up to 128 cells, not 12 x 11"},
		{m(rules.Connect4(4, 4, 4)), mnk.Options{}, "the m,n,k solver does not play connect4:4x4"},
		{m(rules.Caro(9)), mnk.Options{}, "the m,n,k solver does not play caro:9"},
		{m(rules.MNK(3, 3, 3)), mnk.Options{Hash: -1}, "the table of the m,n,k solver cannot have -1 bytes"},
	}
	for _, tc := range tests {
		if _, err := mnk.New(tc.g, tc.o); err == nil || err.Error() != tc.want {
			t.Errorf("New(%s) = %v, want %q", tc.g, err, tc.want)
		}
	}
}

// TestSame: the same position under the same limits gets the same answer, solved or not.
func TestSame(t *testing.T) {
	g := board(t, 7, 7, 5)
	for _, nodes := range []uint64{1, 100, 30_000} {
		lim := search.Limits{Nodes: nodes}
		a, _ := solver(t, g, mnk.Options{}).Solve(t.Context(), g.Start(), lim)
		b, _ := solver(t, g, mnk.Options{}).Solve(t.Context(), g.Start(), lim)
		a.Time, b.Time = 0, 0
		if a != b || a.Low != 0 {
			t.Errorf("%+v, then %+v", a, b)
		}
		if a.Nodes > nodes+200 {
			t.Errorf("%d nodes, limit %d", a.Nodes, nodes)
		}
	}
}
