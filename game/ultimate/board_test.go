// SPDX-License-Identifier: Apache-2.0

package ultimate_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
)

// sameBoard holds b equal to p in everything that a player can see.
func sameBoard(t *testing.T, b *ultimate.Board, p *ultimate.Position) {
	t.Helper()
	if want := p.Board(); *b != want {
		t.Fatalf("after %v\n got %+v\nwant %+v", p.AppendHistory(nil), *b, want)
	}
	var moves [ultimate.Moves]uint8
	n := b.List(&moves)
	want := p.AppendMoves(nil)
	if n != len(want) || b.Count() != n {
		t.Fatalf("after %v: %d moves, %d counted, want %d", p.AppendHistory(nil), n, b.Count(), len(want))
	}
	legal := map[int]bool{}
	for i, m := range want {
		if game.Move(moves[i]) != m {
			t.Fatalf("after %v: moves %v, want %v", p.AppendHistory(nil), moves[:n], want)
		}
		legal[int(m)] = true
	}
	for m := -1; m <= ultimate.Moves; m++ {
		if b.Legal(m) != legal[m] {
			t.Fatalf("after %v: Legal(%d) = %v", p.AppendHistory(nil), m, b.Legal(m))
		}
	}
	if b.Result != p.Outcome() || int(b.Ply) != p.Ply() {
		t.Fatalf("after %v: %v at ply %d, want %v at %d", p.AppendHistory(nil), b.Result, b.Ply, p.Outcome(), p.Ply())
	}
}

// follow plays the moves that choose picks on a board and by the rules, side by side.
func follow(t *testing.T, r ultimate.Rules, choose func(n int) int) {
	t.Helper()
	p := ultimate.New(r).Start().(*ultimate.Position)
	b := ultimate.NewBoard(r)
	for {
		sameBoard(t, &b, p)
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			return
		}
		m := moves[choose(len(moves))]
		p.Play(m)
		b.Play(uint8(m))
	}
}

func TestBoardAgrees(t *testing.T) {
	for _, g := range variants {
		r := g.Rules()
		for seed := range uint64(100) {
			rng := rand.New(rand.NewPCG(seed, 1))
			follow(t, r, rng.IntN)
		}
	}
}

func FuzzBoardAgrees(f *testing.F) {
	f.Add(uint8(0), []byte{40, 0, 1, 2, 3})
	f.Add(uint8(3), []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, variant uint8, choices []byte) {
		follow(t, variants[variant&3].Rules(), func(n int) int {
			if len(choices) == 0 {
				return 0
			}
			k := int(choices[0]) % n
			choices = choices[1:]
			return k
		})
	})
}

// TestBoardPerft compares with published counts, the deepest that take a moment; KROW_LONG goes to depth 9.
func TestBoardPerft(t *testing.T) {
	plain := []uint64{1, 81, 720, 6336, 55080, 473256, 4020960, 33782544, 281067408, 2317018992}
	open := []uint64{1, 81, 720, 6336, 55080, 473256, 4017888, 33702480, 279251280, 2285233776}
	for _, g := range variants {
		r := g.Rules()
		want := plain
		if r.Open {
			want = open
		}
		if os.Getenv("KROW_LONG") == "" {
			want = want[:8]
		}
		for depth, n := range want[1:] {
			if got := perft(ultimate.NewBoard(r), depth+1); got != n {
				t.Errorf("%s: %d sequences of %d moves, want %d", ultimate.New(r), got, depth+1, n)
			}
		}
	}
}

// perft returns the number of sequences of depth moves, 1 at least.
func perft(b ultimate.Board, depth int) (n uint64) {
	if depth == 1 {
		return uint64(b.Count())
	}
	var moves [ultimate.Moves]uint8
	for _, m := range moves[:b.List(&moves)] {
		next := b
		next.Play(m)
		n += perft(next, depth-1)
	}
	return n
}

// TestBoardRandomGames holds the results of random games to what 5 million of them, plain, and 3 million with won
// boards open gave elsewhere: first, second, draw in per cent, and the mean number of plies.
func TestBoardRandomGames(t *testing.T) {
	tests := []struct {
		rules               ultimate.Rules
		first, second, draw float64
		plies               float64
	}{
		{ultimate.Rules{}, 41.13, 36.63, 22.24, 58.91},
		{ultimate.Rules{Draw: ultimate.Boards}, 41.13 + .3600*22.24, 36.63 + .313*22.24, .327 * 22.24, 58.91},
		{ultimate.Rules{Open: true}, 42.92, 37.26, 19.81, 70.27},
	}
	const games = 100_000
	for _, tc := range tests {
		dice := rng.Rand(7)
		var moves [ultimate.Moves]uint8
		var results [4]float64
		plies := 0
		for range games {
			b := ultimate.NewBoard(tc.rules)
			for b.Result == game.Ongoing {
				b.Play(moves[dice.Below(b.List(&moves))])
			}
			results[b.Result] += 100.0 / games
			plies += int(b.Ply)
		}
		got := fmt.Sprintf("%.2f %.2f %.2f %.2f", results[1], results[2], results[3], float64(plies)/games)
		for i, want := range []float64{tc.first, tc.second, tc.draw} {
			// Five standard deviations of a share near 0.4.
			if d := results[i+1] - want; d > .8 || d < -.8 {
				t.Errorf("%s: %s, want %v", ultimate.New(tc.rules), got, tc)
			}
		}
		if d := float64(plies)/games - tc.plies; d > .2 || d < -.2 {
			t.Errorf("%s: %s, want %v", ultimate.New(tc.rules), got, tc)
		}
	}
}

// BenchmarkBoardRandomGames measures the board: list the moves, play one of them.
func BenchmarkBoardRandomGames(b *testing.B) {
	for _, r := range []ultimate.Rules{{}, {Open: true}} {
		b.Run(fmt.Sprintf("game=%s", ultimate.New(r)), func(b *testing.B) {
			dice := rng.Rand(1)
			var moves [ultimate.Moves]uint8
			for b.Loop() {
				for p := ultimate.NewBoard(r); p.Result == game.Ongoing; {
					p.Play(moves[dice.Below(p.List(&moves))])
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e3, "kgames/s")
		})
	}
}
