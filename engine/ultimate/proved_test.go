// SPDX-License-Identifier: Apache-2.0

package ultimate_test

import (
	"context"
	"math/rand/v2"
	"testing"

	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
)

// TestProved goes on, with the same searcher, from positions that the prover has told of: what is solved then is true, its
// distance no shorter than possible, and no line promises more than the one before it, or ends otherwise than is claimed.
func TestProved(t *testing.T) {
	solved := map[int]int{}
	for _, r := range variants {
		g := ultimate.New(r)
		for seed := range uint64(40) {
			rng := rand.New(rand.NewPCG(seed, 9))
			s := newSearcher(t, engine.Options{Hash: 1 << 20})(g)
			p := late(g, rng, 9)
			for range 3 {
				if p.Outcome() != game.Ongoing {
					break
				}
				last := map[int]search.Info{}
				lim := search.Limits{Nodes: 1 + rng.Uint64N(400), Lines: 3}
				info, err := s.Search(context.Background(), p, lim, func(i search.Info) { last[i.Line] = i })
				if err != nil {
					t.Fatal(err)
				}
				for i := 2; i <= len(last); i++ {
					if last[i].Score > last[i-1].Score {
						t.Errorf("after %v: line %d has %d, the one before %d", p.AppendHistory(nil), i, last[i].Score, last[i-1].Score)
					}
				}
				if info.Solved {
					solved[checkSolved(t, p, info)]++
				}
				p.Play(info.PV[0])
			}
		}
	}
	if min(solved[-1], solved[0], solved[1]) < 10 {
		t.Errorf("solved: %v", solved)
	}
}

// checkSolved compares what is called solved, and where its line ends, with the truth, which it returns.
func checkSolved(t *testing.T, p game.Position, info search.Info) int {
	want := truth(p)
	got := map[string]int{"win": 1, "draw": 0, "loss": -1}[info.Value()]
	plies, _ := info.Score.Distance()
	if got != want || want == 0 && info.Score != 0 || want != 0 && plies < len(info.PV) {
		t.Errorf("after %v: %s with %d (%d plies), want %d; line %v", p.AppendHistory(nil), info.Value(), info.Score, plies, want, info.PV)
	}
	q := p.Clone()
	for _, m := range info.PV {
		q.Play(m)
	}
	if q.Outcome() == game.Ongoing {
		return want
	}
	end := 0
	if w, won := q.Outcome().Winner(); won {
		end = map[bool]int{true: 1, false: -1}[w == p.Turn()]
	}
	if end != want {
		t.Errorf("after %v: the line %v ends with %d, want %d", p.AppendHistory(nil), info.PV, end, want)
	}
	return want
}
