// SPDX-License-Identifier: Apache-2.0

package ultimate_test

import (
	"math"
	"math/rand/v2"
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

func TestSpecsOfVariants(t *testing.T) {
	want := []string{"ultimate", "ultimate:draw=boards", "ultimate:won=open", "ultimate:draw=boards,won=open"}
	for i, g := range variants {
		if got := g.String(); got != want[i] {
			t.Errorf("String() = %q, want %q", got, want[i])
		}
	}
}

// TestPerftIsKnown counts to depth 6, and with KROW_LONG to depth 8. The rule for drawn games changes no count
// before ply 81.
func TestPerftIsKnown(t *testing.T) {
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

// TestRandomGames compares evenly random games with the frequencies of five million (three million with open
// boards). With 60000 games three standard errors are 0.6 % of the games.
func TestRandomGames(t *testing.T) {
	const games, tolerance = 60_000, 0.7
	tests := []struct {
		first, second, draw float64 // in a hundred games
		plies               float64 // mean
	}{
		{41.13, 36.63, 22.24, 58.91},
		{49.14, 43.59, 7.27, 58.91}, // of 22.24 draws 36.0 % are First's by boards, 31.3 % Second's
		{42.92, 37.26, 19.81, 70.27},
	}
	for i, want := range tests {
		t.Run(variants[i].String()+"/seed=1", func(t *testing.T) {
			count, plies := random(variants[i], games)
			percent := func(o game.Outcome) float64 { return 100 * float64(count[o]) / games }
			mean := float64(plies) / games
			if math.Abs(percent(game.FirstWins)-want.first) > tolerance || math.Abs(percent(game.SecondWins)-want.second) > tolerance ||
				math.Abs(percent(game.Draw)-want.draw) > tolerance || math.Abs(mean-want.plies) > 0.15 {
				t.Errorf("%.2f / %.2f / %.2f %%, %.2f plies, want %v", percent(game.FirstWins),
					percent(game.SecondWins), percent(game.Draw), mean, want)
			}
		})
	}
}

// random plays evenly random games, and returns how often each outcome came and how many plies there were.
func random(g game.Game, games int) (count [4]int, plies int) {
	rng := rand.New(rand.NewPCG(1, 4))
	var moves []game.Move
	for range games {
		p := g.Start()
		for p.Outcome() == game.Ongoing {
			moves = p.AppendMoves(moves[:0])
			p.Play(moves[rng.IntN(len(moves))])
		}
		count[p.Outcome()]++
		plies += p.Ply()
	}
	return count, plies
}

func BenchmarkRandomGames(b *testing.B) {
	for _, g := range variants {
		b.Run("game="+g.String(), func(b *testing.B) { gametest.Bench(b, g) })
	}
}
