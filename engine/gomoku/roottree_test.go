// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

// TestRootTreeProvesWins: the search proves wins that need moves other than threats, within its node limit, and the checker of
// certificates accepts their trees. The long test takes all wins that Rapfi 0.43 announced, and the other tests two of them.
func TestRootTreeProvesWins(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	type position struct{ Game, Moves string }
	all, least := []position{
		{"gomoku", "h4 c8 f7 d3 e6 e5 c4 d5 d6 c6 f6 e4 f3 c7 f5 f4 c9 b7 a8 d9"},
		{"gomoku", "d13 h9 i13 h13 j12 g10 k11 h14 g11 f11 e12 f10 l10"},
	}, 2
	if os.Getenv("KROW_LONG") == "1" {
		data, err := os.ReadFile("../../app/puzzles/testdata/rapfi.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		all, least = nil, 15
		for line := range bytes.Lines(data) {
			var p position
			if err := json.Unmarshal(line, &p); err != nil {
				t.Fatal(err)
			}
			if p.Game != "renju" { // trees do not support renju
				all = append(all, p)
			}
		}
	}
	solved, trees := 0, 0
	for _, start := range all {
		g := zoneGame(t, start.Game)
		p := g.Start()
		if err := notation.Play(p, start.Moves); err != nil {
			t.Fatal(err)
		}
		const nodes = 400_000
		s, err := New(g, Options{Net: DefaultNet(g), Hash: 16 << 20})
		if err != nil {
			t.Fatal(err)
		}
		info, err := s.Search(t.Context(), p, search.Limits{Nodes: nodes}, nil)
		if err != nil || info.Nodes > nodes+nodes/10 {
			t.Fatalf("%+v, %v\n%s", info, err, gametest.Picture(p))
		}
		plies, sign := info.Score.Distance()
		if !info.Solved || sign <= 0 {
			continue
		}
		solved++
		found := s.workers[0].tree.search
		if found == nil || found.root.tree == nil {
			continue
		}
		trees++
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
	t.Logf("%d positions, %d solved, %d of them by a tree", len(all), solved, trees)
	if trees < least {
		t.Errorf("%d wins were proved by a tree, want at least %d", trees, least)
	}
}
