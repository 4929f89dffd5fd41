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
	n, err := p.Network("gomoku", "drawn", 1)
	if err != nil {
		panic(err)
	}
	return n
})

// checkSums holds the network's sums that the board keeps equal to those of its cells.
func checkSums(t *testing.T, b *board) {
	t.Helper()
	var cells []network.Cell
	b.each(func(c int) {
		if b.stones[c] == codeEmpty {
			code := literalCode(b, c)
			cells = append(cells, network.Cell{First: uint16(patternOf(code & 0xffff)), Second: uint16(patternOf(code >> 16))})
		}
	})
	if got, want := *b.sumsNow(), b.net.Sum(cells); got != want {
		t.Fatalf("after %d plies the sums are %v, want %v", b.plies, got, want)
	}
}

// TestSums: the sums of the network follow stones, passes and undos, however many of them come between two questions.
func TestSums(t *testing.T) {
	seeds := uint64(2)
	if os.Getenv("KROW_LONG") == "1" {
		seeds = 2000
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
							b.play(c)
						}
					}
					if rng.IntN(4) == 0 {
						checkSums(t, b)
					}
				}
			}
		})
	}
}

// TestNetwork: the engine searches with a network, and thinks otherwise than without. A second search of the same
// engine begins from another board.
func TestNetwork(t *testing.T) {
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
				checkSums(t, &s.workers[0].board)
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
