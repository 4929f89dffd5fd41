// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/game"
)

// reaches says whether hero reaches his goal, turn to move, by trying every move of both sides.
func reaches(b *board, p part, turn game.Side, known map[[2]set]bool) bool {
	if holds, ok := known[b.stones]; ok {
		return holds
	}
	holds := turn != p.hero
	switch free := b.free(); {
	case completes(b, b.stones[p.hero.Other()]):
		holds = false
	case !p.weak && completes(b, b.stones[p.hero]):
		holds = true
	case free.empty():
		holds = !p.wins
	default:
		for ; !free.empty() && holds != (turn == p.hero); holds = after(b, p, turn, free.pop(), known) {
		}
	}
	known[b.stones] = holds
	return holds
}

// after is reaches after a move.
func after(b *board, p part, turn game.Side, cell int, known map[[2]set]bool) bool {
	before := b.stones[turn]
	b.stones[turn] = before.or(one(cell))
	holds := reaches(b, p, turn.Other(), known)
	b.stones[turn] = before
	return holds
}

// TestMoves: the moves of the villain that the walk tries are enough. Where one that it leaves out would stop hero,
// so does one that it tries; and what is decided by a look, with no move tried, is decided rightly.
func TestMoves(t *testing.T) {
	left, decided := 0, 0
	for _, size := range [][3]int{{3, 3, 3}, {4, 3, 3}, {3, 4, 4}, {5, 2, 3}, {4, 4, 4}, {5, 3, 4}, {10, 1, 4}} {
		rng := rand.New(rand.NewPCG(uint64(size[0]), uint64(size[1])))
		for range 150 {
			b := newBoard(size[0], size[1], size[2], false)
			turn := game.First
			for n := b.all.count() - rng.IntN(min(b.all.count(), 10)); n > 0; n-- {
				cells := b.free()
				for range rng.IntN(cells.count()) {
					cells.pop()
				}
				b.stones[turn] = b.stones[turn].or(one(cells.pop()))
				turn = turn.Other()
			}
			if b.won() || b.free().empty() {
				continue
			}
			for _, p := range []part{{wins: true}, {}, {weak: true}} {
				p.hero = turn.Other()
				w := &walker{board: b, part: p}
				v := w.look()
				known := map[[2]set]bool{}
				want := reaches(b, p, turn, known)
				if !v.wins[0].empty() || !v.wins[1].empty() {
					continue
				}
				if !p.wins && (v.sum < whole/2 || v.paired(turn)) || v.sum == 0 {
					decided++
					if want == (p.wins && v.sum == 0) {
						t.Fatalf("%v: hero %+v reaches his goal: %v, the look says otherwise: %x", size, p, want, b.stones)
					}
					continue
				}
				got, moves := true, v.moves()
				left += v.free.minus(moves).count()
				for !moves.empty() {
					got = after(b, p, turn, moves.pop(), known) && got
				}
				if got != want {
					t.Fatalf("%v: hero %+v reaches his goal: %v, by the moves tried %v: %x", size, p, want, got, b.stones)
				}
			}
		}
	}
	if left < 100 || decided < 100 {
		t.Errorf("%d moves were left out and %d positions decided by a look: nothing has been tested", left, decided)
	}
	t.Logf("%d moves left out, %d positions decided by a look", left, decided)
}
