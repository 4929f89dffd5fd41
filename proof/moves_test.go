// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"math/rand/v2"
	"testing"
)

// reaches says whether the prover reaches his goal, turn to move, by trying every move of both sides.
func reaches(b *board, turn int, known map[[2]set]bool) bool {
	if holds, ok := known[b.stones]; ok {
		return holds
	}
	holds := turn != b.prover
	switch free := b.free; {
	case completes(b, b.stones[1-b.prover]):
		holds = false
	case !b.weak && completes(b, b.stones[b.prover]):
		holds = true
	case free.empty():
		holds = !b.wins
	default:
		for ; !free.empty() && holds != (turn == b.prover); holds = after(b, turn, free.pop(), known) {
		}
	}
	known[b.stones] = holds
	return holds
}

// after is reaches after a move.
func after(b *board, turn, cell int, known map[[2]set]bool) bool {
	before := b.state
	b.put(turn, cell)
	holds := reaches(b, 1-turn, known)
	b.state = before
	return holds
}

// TestMoves: the moves of the opponent that the walk tries are enough. Where one that it leaves out would stop the prover,
// so does one that it tries; and what is decided by a look, with no move tried, is decided rightly.
func TestMoves(t *testing.T) {
	left, decided := 0, 0
	for _, size := range [][3]int{{3, 3, 3}, {4, 3, 3}, {3, 4, 4}, {5, 2, 3}, {4, 4, 4}, {5, 3, 4}, {10, 1, 4}} {
		rng := rand.New(rand.NewPCG(uint64(size[0]), uint64(size[1])))
		for range 150 {
			b := newBoard(size[0], size[1], size[2], false)
			turn, over := 0, false
			for n := b.all.count() - rng.IntN(min(b.all.count(), 10)); n > 0; n-- {
				cells := b.free
				for range rng.IntN(cells.count()) {
					cells.pop()
				}
				c := cells.pop()
				over = over || b.gaps[turn].has(c)
				b.put(turn, c)
				turn = 1 - turn
			}
			if over || b.free.empty() {
				continue
			}
			for _, p := range []part{{wins: true}, {}, {weak: true}} {
				b.part = p
				b.prover = 1 - turn
				w := &walker{board: *b}
				known := map[[2]set]bool{}
				want := reaches(b, turn, known)
				if !w.gaps[0].empty() || !w.gaps[1].empty() {
					continue
				}
				sum := w.sum[turn]
				if p.wins {
					sum = w.sum[w.prover]
				}
				if !p.wins && (sum < whole/2 || w.paired()) || sum == 0 {
					decided++
					if want == (p.wins && sum == 0) {
						t.Fatalf("%v: prover %+v reaches his goal: %v, the look says otherwise: %x", size, w.part, want, b.stones)
					}
					continue
				}
				got, moves := true, w.moves()
				left += w.free.minus(moves).count()
				for !moves.empty() {
					got = after(b, turn, moves.pop(), known) && got
				}
				if got != want {
					t.Fatalf("%v: prover %+v reaches his goal: %v, by the moves tried %v: %x", size, w.part, want, got, b.stones)
				}
			}
		}
	}
	if left < 100 || decided < 100 {
		t.Errorf("%d moves were left out and %d positions decided by a look: nothing has been tested", left, decided)
	}
	t.Logf("%d moves left out, %d positions decided by a look", left, decided)
}
