// SPDX-License-Identifier: Apache-2.0

package threat_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

// middle returns a position some plies into a random game among the 9 x 9 cells around the centre.
func middle(tb testing.TB, size, k, plies int) game.Lined {
	g, err := mnk.MNK(size, size, k)
	if err != nil {
		tb.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	p := g.Start().(game.Lined)
	for p.Ply() < plies {
		x, y := size/2-4+rng.IntN(9), size/2-4+rng.IntN(9)
		m := game.Move(x + y*size)
		if game.Legal(p, m) {
			if p.Play(m); p.Outcome() != game.Ongoing {
				p.Undo()
			}
		}
	}
	return p
}

// BenchmarkCounts counts the threats after each move that can be played, from scratch and by a counter.
func BenchmarkCounts(b *testing.B) {
	for _, size := range []int{9, 15, 19, 70} {
		k := 5
		if size == 70 {
			k = 10
		}
		for _, how := range []string{"full", "incremental"} {
			b.Run(fmt.Sprintf("size=%d/k=%d/how=%s", size, k, how), func(b *testing.B) {
				benchCounts(b, middle(b, size, k, 30), how == "full")
			})
		}
	}
}

func benchCounts(b *testing.B, p game.Lined, full bool) {
	var c threat.Counter
	c.Reset(p)
	moves := p.AppendMoves(nil)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		m := moves[i]
		if i++; i == len(moves) {
			i = 0
		}
		if full {
			p.Play(m)
			c.Reset(p)
			p.Undo()
			continue
		}
		c.Play(m)
		p.Play(m)
		c.Counts()
		p.Undo()
		c.Undo()
	}
}
