// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/search"
)

// TestWeigh: of two new moves of a position, the move to which the network gives the higher value gets a smaller proof number and
// a greater disproof number, compared with the numbers without a network.
func TestWeigh(t *testing.T) {
	p := New(Options{Hash: 1 << 16})
	dice, compared := rng.Rand(3), 0
	for range 50 {
		b := ultimate.NewBoard(ultimate.Rules{})
		var moves [ultimate.Moves]uint8
		for b.Ply < 30 && b.Result == game.Ongoing {
			b.Play(moves[dice.Below(b.List(&moves))])
		}
		if b.Result != game.Ongoing {
			continue
		}
		p.Clear()
		q := p.asked[b.Turn]
		q.ask(new(newState(b)), search.NewBudget(t.Context(), search.Limits{}), 0)
		weighed := append([]child(nil), q.Expand(nil)...)
		e := q.eval
		q.eval = nil
		plain := q.Expand(nil)
		q.eval = e
		var values [ultimate.Moves]float32
		e.Children(&b, &values)
		like := map[uint8]float32{}
		for i, m := range moves[:b.List(&moves)] {
			like[m] = values[i]
		}
		for i := range plain {
			for j := range plain {
				x, y := weighed[i], weighed[j]
				if plain[i].Numbers != plain[j].Numbers || plain[i].Phi == 0 || plain[i].Delta == 0 || like[x.Move] <= like[y.Move] {
					continue
				}
				compared++
				if x.Phi < y.Phi || x.Delta > y.Delta {
					t.Errorf("moves %d and %d, liked %f and %f, count %v and %v", x.Move, y.Move, like[x.Move], like[y.Move], x.Numbers, y.Numbers)
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("%d pairs were compared: this tests too little", compared)
	}
}
