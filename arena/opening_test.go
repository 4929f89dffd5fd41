// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"testing"

	"github.com/krow-lab/krow/game"
)

// Random openings have their length, leave the game unfinished, and come back only when all were there:
// tic-tac-toe has 9 positions after 1 ply, 72 after 2, 252 after 3.
func TestRandomOpenings(t *testing.T) {
	for plies, positions := range map[int]int{1: 9, 2: 72, 3: 252} {
		b := newBook(Match{Game: tictactoe, RandomPlies: plies, Seed: 4})
		for range 3 {
			seen := map[uint64]bool{}
			for i := range positions {
				moves, err := b.opening(2 * i)
				if err != nil || len(moves) != plies {
					t.Fatalf("opening %v, %v", moves, err)
				}
				p, err := replay(tictactoe, moves)
				if err != nil {
					t.Fatal(err)
				}
				seen[p.Key()] = true
			}
			// A round ends when 1000 draws bring nothing new, which may be one or two too early.
			if len(seen) < positions-2 {
				t.Errorf("%d openings of %d plies, want %d", len(seen), plies, positions)
			}
		}
	}
}

func TestLongRandomOpenings(t *testing.T) {
	for _, g := range games() {
		b := newBook(Match{Game: g, RandomPlies: 3, Seed: 1})
		for i := range 20 {
			moves, err := b.opening(i)
			if err != nil {
				t.Fatalf("%s: %v", g, err)
			}
			if p, err := replay(g, moves); err != nil || p.Ply() != 3 {
				t.Fatalf("%s: opening %v: %v", g, moves, err)
			}
		}
	}
}

func TestPlayerSeeds(t *testing.T) {
	seen := map[uint64]bool{}
	for match := range uint64(20) {
		for i := range 200 {
			seen[playerSeed(match, i, game.First)] = true
			seen[playerSeed(match, i, game.Second)] = true
		}
	}
	if len(seen) != 8000 {
		t.Errorf("%d seeds, want 8000", len(seen))
	}
}
