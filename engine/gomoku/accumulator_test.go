// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// drawnNet is a network of random weights.
var drawnNet = sync.OnceValue(func() *network.Network {
	r := rand.New(rand.NewPCG(20, 1))
	p := &network.Parameters{Share: 1}
	for i := range p.Rows {
		for j := range p.Rows[i] {
			p.Rows[i][j] = float32(r.NormFloat64() * 0.3)
		}
	}
	for i := range p.Hidden {
		for j := range p.Hidden[i] {
			p.Hidden[i][j] = float32(r.NormFloat64() * 0.01)
		}
	}
	for j := range p.Out {
		p.Out[j] = float32(r.NormFloat64() * 0.3)
	}
	for i := range p.Query {
		for j := range p.Query[i] {
			p.Query[i][j], p.Base[j] = float32(r.NormFloat64()*0.1), float32(r.NormFloat64()*0.1)
		}
	}
	for i := range p.Near {
		p.Near[i] = float32(r.NormFloat64())
	}
	p.Looks = 0.5
	n, err := p.Network("gomoku", "drawn", 1)
	if err != nil {
		panic(err)
	}
	return n
})

// checkAccumulator compares the network's sums that the board keeps with sums computed from its cells.
func checkAccumulator(t *testing.T, b *board) {
	t.Helper()
	var cells []network.Cell
	b.each(func(c int) {
		if b.stones[c] == codeEmpty {
			code := literalCode(b, c)
			cells = append(cells, network.Cell{First: uint16(patternOf(code & 0xffff)), Second: uint16(patternOf(code >> 16))})
		}
	})
	if got, want := *b.accumulator(), b.net.Sum(cells); got != want {
		t.Fatalf("after %d plies the sums are %v, want %v", b.plies, got, want)
	}
}

// TestAccumulatorFollowsMoves: the sums of the network follow stones, passes and undos, however many of them come between two
// evaluations.
func TestAccumulatorFollowsMoves(t *testing.T) {
	seeds := uint64(2)
	if os.Getenv("KROW_LONG") == "1" {
		seeds = 4500 // a million positions
	}
	for _, g := range testGames(t) {
		t.Run(g.String(), func(t *testing.T) {
			r := ruleOf(t, g)
			b := newBoard(r, nil)
			b.use(drawnNet())
			for seed := range seeds {
				b.clear()
				rng := rand.New(rand.NewPCG(seed, 7))
				for range 90 {
					switch n := rng.IntN(12); {
					case n == 0:
						b.pass()
					case n < 4 && b.plies > 0:
						b.undo()
					default:
						if c := b.cellAt(rng.IntN(r.columns), rng.IntN(r.rows)); b.stones[c] == codeEmpty {
							b.playStone(c)
						}
					}
					if rng.IntN(4) == 0 {
						checkAccumulator(t, b)
					}
				}
			}
		})
	}
}

// TestSearchUsesNetwork: a search with a network has other results than a search without one. A second search of the same engine
// begins from another board.
func TestSearchUsesNetwork(t *testing.T) {
	g := testGames(t)[0]
	nodes := map[bool]uint64{}
	for _, with := range []bool{false, true} {
		o := Options{Hash: 1 << 20}
		if with {
			o.Net = drawnNet()
		}
		s, err := New(g, o)
		if err != nil {
			t.Fatal(err)
		}
		p := g.Start()
		for range 3 {
			info, err := s.Search(context.Background(), p, search.Limits{Depth: 5}, nil)
			if err != nil {
				t.Fatal(err)
			}
			nodes[with] += info.Nodes
			p.Play(info.PV[0])
			if with {
				s.workers[0].load(p.(game.Board), p)
				checkAccumulator(t, &s.workers[0].board)
			}
		}
	}
	if nodes[false] == nodes[true] {
		t.Error("the network changes nothing")
	}
}

// TestDefaultNet: each game of five in a row has the network of its rule, and other m,n,k games have none.
func TestDefaultNet(t *testing.T) {
	for _, g := range testGames(t) {
		n, family := DefaultNet(g), strings.Split(g.String(), ":")[0]
		switch five := ruleOf(t, g).side[0].k == 5; {
		case (n != nil) != five:
			t.Errorf("%s has a network: %v, want %v", g, n != nil, five)
		case five && family != "mnk" && n.Game() != family:
			t.Errorf("%s has the network of %s", g, n.Game())
		}
	}
}

// TestSearchAsksPolicyAsTrained: the search asks the policy about the cells and places that it was trained on.
func TestSearchAsksPolicyAsTrained(t *testing.T) {
	for _, g := range testGames(t)[:4] {
		f, err := NewFeatures(g)
		if err != nil {
			t.Fatal(err)
		}
		w, r := ready(t, g, benchPositions[4]), rand.New(rand.NewPCG(1, 23))
		w.use(drawnNet())
		p := g.Start()
		for range 30 {
			moves := game.AppendSound(nil, p)
			if p.Play(moves[r.IntN(len(moves))]); p.Outcome() != game.Ongoing {
				break
			}
			f.Load(p)
			w.load(p.(game.Board), p)
			n := w.generate(&w.lists[0])
			w.scoreByPolicy(w.lists[0][:n])
			got := map[uint16]int32{}
			for _, m := range w.lists[0][:n] {
				if w.mayPlay(int(m.cell)) {
					got[m.cell] = m.score
				}
			}
			cells, mask, _ := f.Cells(nil)
			places := f.Places(nil)
			sums := drawnNet().Sum(cells)
			var q network.PolicyHead
			drawnNet().PolicyHead(&q, &sums, 0, uint32(mask))
			judged := make([]int32, len(cells))
			drawnNet().ScoreCells(judged, &q, cells)
			i := 0
			f.each(func(c int) {
				if f.stones[c] != codeEmpty {
					return
				}
				x, ok := got[uint16(c)]
				if want := places[i] != 0; ok != want {
					t.Fatalf("%s: cell %d is a move: %v, want %v", g, c, ok, want)
				}
				if ok {
					if want := drawnNet().Score(judged[i], int32(f.Looking(f.turn, cells[i])), places[i]-1); x != want {
						t.Fatalf("%s: the score of cell %d is %d, want %d", g, c, x, want)
					}
				}
				i++
			})
		}
	}
}

// TestPolicyOff: a search with the policy switched off equals a search with the same network without a policy.
func TestPolicyOff(t *testing.T) {
	g := testGames(t)[0]
	p := drawnNet().Parameters()
	p.Policy = network.Policy{}
	plain, err := p.Network("gomoku", "drawn", 1)
	if err != nil {
		t.Fatal(err)
	}
	score := func(n *network.Network, off technique) (int32, uint64) {
		w := ready(t, g, benchPositions[4])
		w.o.off = off
		w.use(n)
		return w.search(-infinity, infinity, 6, 1, false), w.visited
	}
	want, nodes := score(plain, 0)
	if got, n := score(drawnNet(), techPolicy); got != want || n != nodes {
		t.Errorf("score %d with %d nodes, want %d with %d", got, n, want, nodes)
	}
	if _, n := score(drawnNet(), 0); n == nodes {
		t.Error("the policy changes nothing")
	}
}
