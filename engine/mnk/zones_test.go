// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
	"github.com/krow-lab/krow/search/tt"
)

// TestZones checks the zones of refuted positions: the attacker gets stones on all cells outside a zone, and still cannot make k
// in a row.
func TestZones(t *testing.T) {
	refuted, small := 0, 0
	for _, size := range [][3]int{{4, 3, 3}, {6, 2, 3}, {11, 1, 3}, {5, 2, 4}, {3, 3, 3}, {5, 4, 4}, {6, 5, 5}, {5, 5, 4}, {7, 3, 4}, {10, 6, 3}} {
		g := newGeometry(size[0], size[1], size[2])
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			p := newProver(g, true, tt.New(1<<16)) // one table for all, so that zones come from it, too
			if p.zones == nil {
				p.withZones()
			}
			tr := tree{g, true, map[uint64]dfpn.Verdict{}}
			for seed := range uint64(400) {
				cells, s := lateWeak(&tr, rand.New(rand.NewPCG(seed, 4)))
				p.load(cells, game.First)
				if p.turn = s; p.judge(s) != dfpn.Unknown {
					continue
				}
				clear(tr.known)
				v := p.Ask(p, search.NewBudget(t.Context(), search.Limits{}), math.MaxUint64).Verdict(s == attacker)
				if want := tr.verdict(cells, s); v != want {
					t.Fatalf("seed %d: %v, side %d to move: %d, want %d", seed, cells, s, v, want)
				}
				if v != dfpn.Refuted {
					continue
				}
				refuted++
				given := false
				for c := range cells {
					if cells[c] == game.Empty && !p.zones.cells[0].has(c) {
						cells[c], given = stoneOf(attacker), true
					}
				}
				if given {
					small++
				}
				clear(tr.known)
				if tr.line(cells, attacker) || tr.verdict(cells, s) != dfpn.Refuted {
					t.Fatalf("seed %d: zone %v is too small: %v, side %d to move", seed, p.zones.cells[0], cells, s)
				}
			}
		})
	}
	if small < 100 {
		t.Errorf("%d positions refuted, %d with cells outside the zone: this tests too little", refuted, small)
	}
}

// lateWeak returns a position of at most 11 free cells in which the attacker has no line, and the side to move.
func lateWeak(tr *tree, rng *rand.Rand) ([]game.Stone, side) {
	cells, s, free := make([]game.Stone, tr.g.cells), side(rng.IntN(2)), 4+rng.IntN(8)
	for i, c := range rng.Perm(len(cells)) {
		if len(cells)-i <= free {
			break
		}
		if cells[c] = stoneOf(s); tr.line(cells, attacker) {
			cells[c] = stoneOf(defender)
		}
		s ^= 1
	}
	return cells, s
}
