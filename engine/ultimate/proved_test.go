// SPDX-License-Identifier: Apache-2.0

package ultimate_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/oracle"
)

// TestProved continues, with the same searcher, from positions that the prover has solved: solved results are true, and so are
// distances. No line has a better score than the line before it, or ends with another result than its score.
func TestProved(t *testing.T) {
	solved, measured := map[int]int{}, 0
	seeds := uint64(40)
	if os.Getenv("KROW_LONG") != "" {
		seeds = 420 // 5,000 positions
	}
	for _, r := range variants {
		g := ultimate.New(r)
		for seed := range seeds {
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
					if plies, _ := info.Score.Distance(); plies > 2 {
						measured++
					}
				}
				p.Play(info.PV[0])
			}
		}
	}
	if min(solved[-1], solved[0], solved[1]) < 10 {
		t.Errorf("solved: %v", solved)
	}
	if measured < 20 {
		t.Errorf("%d distances of more than two plies", measured)
	}
	t.Logf("solved, by value: %v; distances of more than two plies: %d", solved, measured)
}

// TestEngineFollowsProvedPlan: if won boards stay open, the engine at full strength plays the proved plan from the empty board,
// until the middle small board is full.
func TestEngineFollowsProvedPlan(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, draw := range []ultimate.DrawRule{ultimate.Plain, ultimate.Boards} {
		g := ultimate.New(ultimate.Rules{Open: true, Draw: draw})
		s, p := newSearcher(t, engine.Options{Hash: 1 << 20})(g), g.Start()
		for p.Ply() < 16 {
			info, err := s.Search(t.Context(), p, search.Limits{Time: time.Hour}, nil)
			if err != nil || info.Value() != "win" || !info.Solved || info.PV[0]%9 != 4 {
				t.Fatalf("%s: after %v: %+v, %v", g, p.AppendHistory(nil), info, err)
			}
			p.Play(info.PV[0])
			moves := p.AppendMoves(nil)
			p.Play(moves[rng.IntN(len(moves))])
		}
	}
}

// checkSolved compares a solved result and the end of its line with the true value, which it returns.
func checkSolved(t *testing.T, p game.Position, info search.Info) int {
	truth, err := oracle.Solve(p, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	distance, want := truth.Best.Score.Distance()
	plies, got := info.Score.Distance()
	if got != want || want == 0 && info.Score != 0 || want != 0 && plies != eval.Unknown && plies != distance {
		t.Errorf("after %v: %s with %d (%d plies), want %d in %d; line %v", p.AppendHistory(nil), info.Value(), info.Score, plies, want, distance, info.PV)
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

// TestGreatestDistanceFits searches a win that was once reported with the greatest distance that can be stored.
func TestGreatestDistanceFits(t *testing.T) {
	g := ultimate.New(ultimate.Rules{})
	p := g.Start()
	for m := range strings.FieldsSeq("99 94 44 48 83 36 68 82 26 69 97 72 21 16 61 11 19 93 39 96 67 73 35 56 63 34 45 55 57 79 95 59 98 88 86 65 58 87 76 64 47 75 52 22 23 38 81 15 54 49 85 51 12 29 46 62 27 77 13") {
		move, err := g.Parse(m)
		if err == nil {
			err = game.Play(p, move)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		nodes uint64
		want  eval.Score
	}{{2595, eval.Win(7)}, {100, 0}} {
		info, err := newSearcher(t, engine.Options{Hash: 1 << 20, Net: network.Default()})(g).Search(t.Context(), p, search.Limits{Nodes: tc.nodes}, nil)
		switch {
		case err != nil:
			t.Fatal(err)
		case tc.want != 0 && (info.Score != tc.want || !info.Solved):
			t.Errorf("%d nodes: %d, solved %t, want %d", tc.nodes, info.Score, info.Solved, tc.want)
		case tc.want == 0 && info.Solved && info.Score != eval.Won && info.Score != eval.Win(7):
			t.Errorf("%d nodes: solved with %d, want no distance or 7", tc.nodes, info.Score)
		}
	}
}
