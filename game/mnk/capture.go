// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"github.com/krow-lab/krow/game"

	"github.com/krow-lab/krow/internal/rng"
)

// capture takes the enemy pairs that the stone just put at cell flanks. It returns the directions that had one: bit i
// for +steps[i], bit i+4 for -steps[i].
func (p *Position) capture(cell, at int, s game.Side) (pairs uint8) {
	own, enemy := s.Stone(), s.Other().Stone()
	for i := range 8 {
		d, c := p.direction(i)
		// In this order: behind the first the grid may end.
		if p.grid[at+d] != enemy || p.grid[at+2*d] != enemy || p.grid[at+3*d] != own {
			continue
		}
		pairs |= 1 << i
		for n := 1; n <= 2; n++ {
			p.lift(cell+n*c, at+n*d)
			p.key ^= stoneKey(cell+n*c, enemy)
		}
		p.setTaken(s, p.taken[s]+1)
	}
	return pairs
}

// restore puts the pairs back that the stone of u took; Undo restores the key.
func (p *Position) restore(cell, at int, u undo) {
	for i := range 8 {
		if u.pairs>>i&1 == 0 {
			continue
		}
		d, c := p.direction(i)
		for n := 1; n <= 2; n++ {
			p.put(cell+n*c, at+n*d, u.turn.Other().Stone())
		}
		p.taken[u.turn]--
	}
}

// direction returns the i-th of eight steps, on the grid and on the cells.
func (p *Position) direction(i int) (d, c int) {
	columns := p.g.r.Columns
	c = [4]int{1, columns, columns + 1, columns - 1}[i&3]
	d = p.g.steps[i&3]
	if i >= 4 {
		return -d, -c
	}
	return d, c
}

func (p *Position) setTaken(s game.Side, n uint8) {
	p.key ^= takenKey(s, p.taken[s]) ^ takenKey(s, n)
	p.taken[s] = n
}

func takenKey(s game.Side, n uint8) uint64 { return rng.Nth(keyTaken + uint64(s)<<8 + uint64(n)) }
