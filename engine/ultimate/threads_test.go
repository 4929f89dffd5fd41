// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/search"
)

// TestThreadsKeepDistances has many threads search small trees at the end of games: proved wins take an even number of plies for
// the side that moved there, proved losses an odd number, whichever thread proved them first.
func TestThreadsKeepDistances(t *testing.T) {
	g := ultimate.New(ultimate.Rules{})
	s, err := New(g, Options{Threads: 8, Hash: 1 << 20, NoProof: true})
	if err != nil {
		t.Fatal(err)
	}
	dice := rng.Rand(7)
	proved := 0
	for range 20_000 {
		p := g.Start()
		for p.Outcome() == game.Ongoing && p.Ply() < 62 {
			moves := p.AppendMoves(nil)
			p.Play(moves[dice.Below(len(moves))])
		}
		if p.Outcome() != game.Ongoing {
			continue
		}
		if _, err := s.Search(t.Context(), p, search.Limits{Nodes: 100}, nil); err != nil {
			t.Fatal(err)
		}
		for at := uint32(1); at < s.tree.next.Load(); at++ {
			l := s.tree.nodes[at].loadLink()
			if !l.proved() || l.low() == drawn || l == 0 {
				continue
			}
			proved++
			if odd := l.dist()%2 == 1; odd != (l.low() == lost) || l.dist() == 255 {
				t.Fatalf("after %v: %d is proved in %d plies", p.AppendHistory(nil), l.low(), l.dist())
			}
		}
	}
	if proved < 1000 {
		t.Errorf("%d nodes proved", proved)
	}
}
