// SPDX-License-Identifier: Apache-2.0

package atarigo

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// put places a stone and joins it to its neighbours; it captures nothing.
func (p *Position) put(c int, s game.Stone) {
	p.cells[c] = s
	p.key ^= stoneKey(c, s)
	p.groups.add(int16(c), int32(p.room[c]))
	bit := uint64(1) << (c & 63)
	p.free[c>>6] &^= bit
	if p.room[c] > 0 {
		p.wide--
	}
	p.eyes[c>>6] &^= bit
	for _, n := range p.g.near[c] {
		p.room[n]--
		switch {
		case p.cells[n] != game.Empty:
			p.groups.liberties[p.groups.find(n)]--
		case p.room[n] == 0:
			p.eyes[n>>6] |= 1 << (n & 63)
			p.wide--
		}
	}
	for _, n := range p.g.near[c] {
		if p.cells[n] == s {
			p.groups.join(int16(c), n)
		}
	}
}

// lift undoes put, after which the forest had this many links.
func (p *Position) lift(c, links int) {
	p.groups.cut(links)
	p.cells[c] = game.Empty
	bit := uint64(1) << (c & 63)
	p.free[c>>6] |= bit
	if p.room[c] > 0 {
		p.wide++
	} else {
		p.eyes[c>>6] |= bit
	}
	for _, n := range p.g.near[c] {
		switch {
		case p.cells[n] != game.Empty:
			p.groups.liberties[p.groups.find(n)]++
		case p.room[n] == 0:
			p.eyes[n>>6] &^= 1 << (n & 63)
			p.wide++
		}
		p.room[n]++
	}
}

// capture takes the enemy groups next to the stone just put at c that have no liberty left. Only cells and
// key hear of it: the game is over.
func (p *Position) capture(c int, s game.Side) {
	enemy := s.Other().Stone()
	for _, n := range p.g.near[c] {
		if p.cells[n] == enemy && p.groups.liberties[p.groups.find(n)] == 0 {
			p.take(n, enemy)
		}
	}
	for i := 0; i < len(p.taken); i++ {
		for _, n := range p.g.near[p.taken[i]] {
			if p.cells[n] == enemy {
				p.take(n, enemy)
			}
		}
	}
}

func (p *Position) take(c int16, s game.Stone) {
	p.cells[c] = game.Empty
	p.key ^= stoneKey(int(c), s)
	p.taken = append(p.taken, c)
}

// lives says whether a stone of the side to move at c, where no point next to it is free, is no suicide: it
// joins a group that has another liberty, or takes the last one of an enemy group.
func (p *Position) lives(c int) bool {
	own := p.turn.Stone()
	for _, n := range p.g.near[c] {
		root := p.groups.find(n)
		here := int32(0) // liberties of the group that are c itself, once for each stone next to it
		for _, o := range p.g.near[c] {
			if p.groups.find(o) == root {
				here++
			}
		}
		elsewhere := p.groups.liberties[root] > here
		if elsewhere == (p.cells[n] == own) {
			return true
		}
	}
	return false
}

// anyEye says whether the side to move may play in some eye.
func (p *Position) anyEye() bool {
	for i, w := range p.eyes {
		for ; w != 0; w &= w - 1 {
			if p.lives(i<<6 | bits.TrailingZeros64(w)) {
				return true
			}
		}
	}
	return false
}
