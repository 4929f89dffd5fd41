// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

// TestRootTreeProvesWins: the search proves wins that need moves other than threats, within its node limit, and the checker of
// certificates accepts their trees.
func TestRootTreeProvesWins(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	// Wins that Rapfi 0.43 announced, in app/puzzles/testdata/rapfi.jsonl.
	for _, moves := range []string{
		"h4 c8 f7 d3 e6 e5 c4 d5 d6 c6 f6 e4 f3 c7 f5 f4 c9 b7 a8 d9",
		"d13 h9 i13 h13 j12 g10 k11 h14 g11 f11 e12 f10 l10",
	} {
		g := zoneGame(t, "gomoku")
		p := g.Start()
		if err := notation.Play(p, moves); err != nil {
			t.Fatal(err)
		}
		const nodes = 300_000
		s, err := New(g, Options{Net: DefaultNet(g), Hash: 16 << 20})
		if err != nil {
			t.Fatal(err)
		}
		info, err := s.Search(t.Context(), p, search.Limits{Nodes: nodes}, nil)
		plies, sign := info.Score.Distance()
		if err != nil || !info.Solved || sign <= 0 || info.Nodes > nodes+nodes/10 {
			t.Fatalf("%+v, %v\n%s", info, err, gametest.Picture(p))
		}
		found := s.workers[0].tree.search
		if found == nil || found.root.tree == nil {
			t.Fatal("the win was proved without a tree")
		}
		z := zoneProver(t, g)
		z.load(p)
		z.searches[0] = found
		if r := verify(t, z, p, "win"); r.Plies != plies {
			t.Errorf("a win in %d plies, of which the checker says %d", plies, r.Plies)
		}
		for _, m := range info.PV {
			if err := game.Play(p, m); err != nil {
				t.Fatal(err)
			}
		}
		if w, won := p.Outcome().Winner(); !won || len(info.PV) > plies || len(info.PV)%2 == 0 {
			t.Errorf("the line of %d plies, of %d, ends with %v, %v\n%s", len(info.PV), plies, w, won, gametest.Picture(p))
		}
	}
}
