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
		{Columns: 6, Rows: 5, K: 4},
		{Columns: 8, Rows: 16, K: 5},
		{Columns: 7, Rows: 6, K: 4, Gravity: true},
		{Columns: 1, Rows: 7, K: 1},
		{Columns: 3, Rows: 2, K: 3},
		{Columns: 9, Rows: 8, K: 6, Gravity: true},
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
	var free, wins set
	moves := p.AppendMoves(nil)
	turn := p.Turn()
	for _, m := range moves {
		c := p.Cell(m)
		free.add(c)
		p.Play(m)
		if w, won := p.Outcome().Winner(); won && w == turn {
			wins.add(c)
		}
		p.Undo()
	}
	if got := b.free(); got != free {
		t.Fatalf("%v: free %x, want %x", p.AppendHistory(nil), got, free)
	}
	if got := b.winning(turn, free); got != wins {
		t.Fatalf("%v: winning %x, want %x", p.AppendHistory(nil), got, wins)
	}
	m := moves[rng.IntN(len(moves))]
	b.stones[turn].add(p.Cell(m))
	p.Play(m)
	if _, won := p.Outcome().Winner(); won != b.won(turn) {
		t.Fatalf("%v: won %v, want %v", p.AppendHistory(nil), b.won(turn), won)
	}
}
