// SPDX-License-Identifier: Apache-2.0

package ultimate_test

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
)

// truth returns the value of a position for the side to move, 1, 0 or -1, by a search of all moves.
func truth(p game.Position) int {
	if w, won := p.Outcome().Winner(); won {
		if w == p.Turn() {
			return 1
		}
		return -1
	}
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		return 0
	}
	best := -1
	for _, m := range moves {
		p.Play(m)
		best = max(best, -truth(p))
		if p.Undo(); best == 1 {
			break
		}
	}
	return best
}

// late returns a position of a random game in which few cells can still be played.
func late(g game.Game, rng *rand.Rand, cells int) game.Position {
	for {
		p := g.Start()
		for p.Outcome() == game.Ongoing {
			if b := p.(*ultimate.Position).Board(); left(&b) <= cells {
				return p
			}
			moves := p.AppendMoves(nil)
			p.Play(moves[rng.IntN(len(moves))])
		}
	}
}

// left returns the number of free cells in open boards.
func left(b *ultimate.Board) (n int) {
	for i := range 9 {
		if b.Closed>>i&1 == 0 {
			n += bits.OnesCount16(b.Free(i))
		}
	}
	return n
}

var variants = []ultimate.Rules{{}, {Draw: ultimate.Boards}, {Open: true}, {Draw: ultimate.Boards, Open: true}}

// TestSolvedValuesAreTrue compares the engine's solved values, and its moves, with the truth.
func TestSolvedValuesAreTrue(t *testing.T) {
	for _, r := range variants {
		g := ultimate.New(r)
		for name, o := range map[string]engine.Options{
			"tree": {Hash: 1 << 20, NoProof: true}, "small": {Hash: 1 << 13, NoProof: true, Net: network.Default()},
			"prover": {Hash: 1 << 20, Net: network.Default()},
		} {
			t.Run(name+"/"+g.String(), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(11, 11))
				solved, values := 0, map[int]int{}
				for range 25 {
					p := late(g, rng, 9)
					info, err := newSearcher(t, o)(g).Search(context.Background(), p, search.Limits{Nodes: 20_000}, nil)
					if err != nil {
						t.Fatal(err)
					}
					if !info.Solved {
						continue
					}
					want := truth(p)
					values[want]++
					got := map[string]int{"win": 1, "draw": 0, "loss": -1}[info.Value()]
					if got != want || want == 0 && info.Score != 0 {
						t.Errorf("after %v: %s with %d, want %d", p.AppendHistory(nil), info.Value(), info.Score, want)
					}
					p.Play(info.PV[0])
					if after := -truth(p); after != want {
						t.Errorf("after %v: worth %d, and %d was to be had", p.AppendHistory(nil), after, want)
					}
					solved++
				}
				if solved < 10 || values[1] == 0 {
					t.Errorf("%d of 25 solved: %v", solved, values)
				}
			})
		}
	}
}

// TestThreadsInSmallTree searches with three threads in a tree that is too small, move after move.
func TestThreadsInSmallTree(t *testing.T) {
	g := ultimate.New(ultimate.Rules{})
	s := newSearcher(t, engine.Options{Hash: 1 << 17, Threads: 3, Net: network.Default()})(g)
	p := g.Start()
	for p.Outcome() == game.Ongoing {
		info, err := s.Search(context.Background(), p, search.Limits{Nodes: 3000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range info.PV {
			q := p.Clone()
			for _, m := range info.PV[:i] {
				q.Play(m)
			}
			if err := game.Play(q, m); err != nil {
				t.Fatalf("the line %v: %v", info.PV, err)
			}
		}
		p.Play(info.PV[0])
	}
}

// TestReusedTreeKeepsNodeLimit: a search that continues from its own tree adds no more nodes than its limit, and its line is
// longer than the line of a new search.
func TestReusedTreeKeepsNodeLimit(t *testing.T) {
	g := ultimate.New(ultimate.Rules{})
	s := newSearcher(t, engine.Options{Net: network.Default()})(g)
	p := g.Start()
	lim := search.Limits{Nodes: 20_000}
	first, err := s.Search(context.Background(), p, lim, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range first.PV[:2] {
		p.Play(m)
	}
	lim.Nodes = 1
	again, err := s.Search(context.Background(), p, lim, nil)
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := newSearcher(t, engine.Options{Net: network.Default()})(g).Search(context.Background(), p, lim, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.PV) <= len(fresh.PV) || again.PV[0] != first.PV[2] {
		t.Errorf("line %v after %v; a new search has %v", again.PV, first.PV, fresh.PV)
	}
}
