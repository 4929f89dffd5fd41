// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/mnk"
)

// TestBoard holds the checker's copy of the rules to the rules, along random games.
func TestBoard(t *testing.T) {
	for _, r := range []rules.Rules{
		{Columns: 3, Rows: 3, K: 3},
		{Columns: 7, Rows: 6, K: 4, Gravity: true},
		{Columns: 9, Rows: 14, K: 5, Gravity: true},
		{Columns: 6, Rows: 5, K: 4},
		{Columns: 8, Rows: 16, K: 5},
		{Columns: 1, Rows: 7, K: 1},
		{Columns: 3, Rows: 2, K: 3},
		{Columns: 9, Rows: 8, K: 6},
		{Columns: 2, Rows: 2, K: 3},
	} {
		g, err := rules.New(r)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(uint64(r.Columns), uint64(r.Rows)))
		for range 30 {
			p := g.Start().(*rules.Position)
			b := newBoard(r.Columns, r.Rows, r.K, r.Gravity)
			for p.Outcome() == game.Ongoing {
				play(t, b, p, rng)
			}
		}
	}
}

// play compares a position with the board and plays a random move on both.
func play(t *testing.T, b *board, p *rules.Position, rng *rand.Rand) {
	t.Helper()
	var free set
	var wins [2]set
	moves := p.AppendMoves(nil)
	turn := p.Turn()
	for _, m := range moves {
		c := one(p.Cell(m))
		free = free.or(c)
		for side, stones := range b.stones {
			if completes(b, stones.or(c)) {
				wins[side] = wins[side].or(c)
			}
		}
		p.Play(m)
		if w, won := p.Outcome().Winner(); (won && w == turn) != !wins[turn].and(c).empty() {
			t.Fatalf("%v: won %v, want %v", p.AppendHistory(nil), !won, won)
		}
		p.Undo()
	}
	if b.free != free || b.gaps[0].and(free) != wins[0] || b.gaps[1].and(free) != wins[1] {
		t.Fatalf("%v: free %x gaps %x, want %x and %x", p.AppendHistory(nil), b.free, b.gaps, free, wins)
	}
	for s := range b.sum {
		want := uint64(0)
		for _, l := range b.lines {
			if l.and(b.stones[1-s]).empty() {
				want += b.weight(l.minus(b.stones[s]).count())
			}
		}
		if b.sum[s] != want {
			t.Fatalf("%v: the open lines of %d count %d, want %d", p.AppendHistory(nil), s, b.sum[s], want)
		}
	}
	m := moves[rng.IntN(len(moves))]
	b.put(int(turn), p.Cell(m))
	p.Play(m)
}

// completes says whether stones hold a line.
func completes(b *board, stones set) bool {
	for _, l := range b.lines {
		if l.minus(stones).empty() {
			return true
		}
	}
	return false
}
