// SPDX-License-Identifier: Apache-2.0

package ultimate_test

import (
	"os"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/ultimate"
)

// variants are all the rules there are.
var variants = []*ultimate.Game{
	ultimate.New(ultimate.Rules{}),
	ultimate.New(ultimate.Rules{Draw: ultimate.Boards}),
	ultimate.New(ultimate.Rules{Open: true}),
	ultimate.New(ultimate.Rules{Draw: ultimate.Boards, Open: true}),
}

func TestConformance(t *testing.T) {
	for _, g := range variants {
		gametest.Run(t, g)
	}
}

func TestSpec(t *testing.T) {
	want := []string{"ultimate", "ultimate:draw=boards", "ultimate:won=open", "ultimate:draw=boards,won=open"}
	for i, g := range variants {
		if got := g.String(); got != want[i] {
			t.Errorf("String() = %q, want %q", got, want[i])
		}
	}
}

// TestPerft counts to depth 6, and with KROW_LONG to depth 8. The rule for drawn games changes no count
// before ply 81.
func TestPerft(t *testing.T) {
	closed := []uint64{81, 720, 6336, 55080, 473256, 4020960, 33782544, 281067408}
	open := []uint64{81, 720, 6336, 55080, 473256, 4017888, 33702480, 279251280}
	depth := 6
	if os.Getenv("KROW_LONG") != "" {
		depth = 8
	}
	for i, nodes := range [][]uint64{closed, closed, open, open} {
		t.Run(variants[i].String(), func(t *testing.T) {
			for d, want := range nodes[:depth] {
				if got := game.Perft(variants[i].Start(), d+1); got != want {
					t.Errorf("Perft(%d) = %d, want %d", d+1, got, want)
				}
			}
		})
	}
}

func BenchmarkRandomGames(b *testing.B) {
	for _, g := range variants {
		b.Run("game="+g.String(), func(b *testing.B) { gametest.Bench(b, g) })
	}
}
