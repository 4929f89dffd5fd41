// SPDX-License-Identifier: Apache-2.0

package atarigo_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/gametest"
)

func newGame(t testing.TB, size int) *atarigo.Game {
	t.Helper()
	g, err := atarigo.New(size)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestConformance(t *testing.T) {
	for _, size := range []int{2, 3, 5, 9, 19} {
		gametest.Run(t, newGame(t, size))
	}
}

func TestNew(t *testing.T) {
	for size, want := range map[int]string{2: "atarigo:2", 9: "atarigo", 19: "atarigo:19", 128: "atarigo:128"} {
		if got := newGame(t, size).String(); got != want {
			t.Errorf("New(%d) is %q, want %q", size, got, want)
		}
	}
	for _, size := range []int{-1, 0, 1, 129} {
		if _, err := atarigo.New(size); err == nil {
			t.Errorf("New(%d) gave no error", size)
		}
	}
}

// TestAgainstReference plays random games, with steps back, beside the flood fill.
func TestAgainstReference(t *testing.T) {
	for _, tc := range []struct{ size, games int }{{2, 50}, {3, 300}, {4, 200}, {5, 100}, {7, 20}, {9, 10}} {
		for seed := range uint64(tc.games) {
			t.Run(fmt.Sprintf("size=%d/seed=%d", tc.size, seed), func(t *testing.T) {
				compare(t, newGame(t, tc.size).Start(), newReference(tc.size), rand.New(rand.NewPCG(seed, 2)))
			})
		}
	}
}

func compare(t *testing.T, p game.Position, r *reference, rng *rand.Rand) {
	past := []*reference{r}
	for {
		r = past[len(past)-1]
		moves := p.AppendMoves(nil)
		if want := r.moves(); !slices.Equal(moves, want) || p.Outcome() != r.outcome {
			t.Fatalf("moves %v, outcome %v, want %v, %v\nafter %v", moves, p.Outcome(), want, r.outcome, p.AppendHistory(nil))
		}
		if got := p.(game.Board).Cells(); !slices.Equal(got, r.cells) {
			t.Fatalf("cells %v, want %v\nafter %v", got, r.cells, p.AppendHistory(nil))
		}
		if r.outcome != game.Ongoing && rng.IntN(3) == 0 {
			return
		}
		if len(past) > 1 && (r.outcome != game.Ongoing || rng.IntN(4) == 0) {
			p.Undo()
			past = past[:len(past)-1]
			continue
		}
		m := moves[rng.IntN(len(moves))]
		p.Play(m)
		r = r.clone()
		r.play(m)
		past = append(past, r)
	}
}

// TestLargestBoardPlaysToTheEnd plays on the largest board to the end and back.
func TestLargestBoardPlaysToTheEnd(t *testing.T) {
	p := newGame(t, game.MaxSide).Start()
	rng := rand.New(rand.NewPCG(1, 6))
	var moves []game.Move
	for p.Outcome() == game.Ongoing {
		moves = p.AppendMoves(moves[:0])
		p.Play(moves[rng.IntN(len(moves))])
	}
	plies := p.Ply()
	for range plies {
		p.Undo()
	}
	if n := len(p.AppendMoves(nil)); p.Key() != 0 || n != game.MaxSide*game.MaxSide || plies < 100 {
		t.Errorf("after %d plies and back: key %x, %d moves", plies, p.Key(), n)
	}
}

func TestPerftAgreesWithReference(t *testing.T) {
	for _, tc := range []struct{ size, depth int }{{2, 4}, {3, 5}, {4, 4}} {
		for d := 1; d <= tc.depth; d++ {
			got, want := game.Perft(newGame(t, tc.size).Start(), d), newReference(tc.size).perft(d)
			if got != want {
				t.Errorf("size %d: Perft(%d) = %d, want %d", tc.size, d, got, want)
			}
		}
	}
}

// TestSmallBoardsAreKnown searches small boards to the end. 4 x 4 takes a few seconds, and is left to KROW_LONG.
func TestSmallBoardsAreKnown(t *testing.T) {
	for size, want := range map[int]bool{2: false, 3: true, 4: false} {
		if size > 3 && os.Getenv("KROW_LONG") == "" {
			continue
		}
		if got := wins(newGame(t, size).Start(), map[uint64]bool{}); got != want {
			t.Errorf("the first side wins on %d x %d: %v, want %v", size, size, got, want)
		}
	}
}

// wins says whether the side to move in p, which is ongoing, wins. There are no draws.
func wins(p game.Position, known map[uint64]bool) bool {
	if w, ok := known[p.Key()]; ok {
		return w
	}
	won, me := false, p.Turn()
	for _, m := range p.AppendMoves(nil) {
		p.Play(m)
		if won = p.Outcome() == game.WinFor(me); p.Outcome() == game.Ongoing {
			won = !wins(p, known)
		}
		p.Undo()
		if won {
			break
		}
	}
	known[p.Key()] = won
	return won
}

func BenchmarkRandomGames(b *testing.B) {
	for _, size := range []int{9, 19} {
		g := newGame(b, size)
		b.Run("game="+g.String(), func(b *testing.B) { gametest.Bench(b, g) })
	}
}
