// SPDX-License-Identifier: Apache-2.0

package atarigo

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// put places a stone on c and joins it to the neighbouring groups of its side. It does not capture.
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

// lift undoes put on c. links is the number of links in the forest before put.
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

// capture removes the enemy groups that are next to c and have no liberty; side s has just placed a stone on c. It changes the
// fields cells, key and taken, but not the field groups.
func (p *Position) capture(c int, s game.Side) {
	enemy := s.Other().Stone()
	for _, n := range p.g.near[c] {
		if p.cells[n] == enemy && p.groups.liberties[p.groups.find(n)] == 0 {
			p.captureStone(n, enemy)
		}
	}
	for i := 0; i < len(p.taken); i++ {
		for _, n := range p.g.near[p.taken[i]] {
			if p.cells[n] == enemy {
				p.captureStone(n, enemy)
			}
		}
	}
}

func (p *Position) captureStone(c int16, s game.Stone) {
	p.cells[c] = game.Empty
	p.key ^= stoneKey(int(c), s)
	p.taken = append(p.taken, c)
}

// lives reports whether the side to move may play on c, a point without a free point next to it. It may if the stone joins a
// group of its side that has a liberty other than c, or takes the last liberty of an enemy group.
func (p *Position) lives(c int) bool {
	own := p.turn.Stone()
	for _, n := range p.g.near[c] {
		root := p.groups.find(n)
		here := int32(0) // how often c counts as a liberty of the group: once for each stone of the group next to c
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

// forest stores each group as a tree of stones. At the root it stores the number of stones and the number of liberties. If
// several stones of the group are next to the same free point, this point counts as one liberty for each of these stones.
// Counted in this way, the number of liberties is easy to update, and it is zero only if the group has no liberty.
//
//	X X .      up: a2 -> b2 <- b1     root b2, stones 3
//	. X .      liberties: c2 (next to b2), c1 (next to b1), a1 (next to a2 and to b1): 4
//
// A join links the root of the smaller tree to the root of the larger one, so no path is longer than log2 of the number of
// stones. Paths are never compressed, because the method cut could not undo joins after a compression.
type forest struct {
	up        []int16 // by stone: its parent; a root is its own parent
	stones    []int16
	liberties []int32
	links     []int16 // the roots that were linked to other roots by joins, in order
}

func newForest(n int) forest {
	return forest{make([]int16, n), make([]int16, n), make([]int32, n), make([]int16, 0, n)}
}

func (f *forest) add(c int16, liberties int32) {
	f.up[c], f.stones[c], f.liberties[c] = c, 1, liberties
}

func (f *forest) find(c int16) int16 {
	for f.up[c] != c {
		c = f.up[c]
	}
	return c
}

func (f *forest) join(a, b int16) {
	a, b = f.find(a), f.find(b)
	if a == b {
		return
	}
	if f.stones[a] > f.stones[b] {
		a, b = b, a
	}
	f.up[a] = b
	f.stones[b] += f.stones[a]
	f.liberties[b] += f.liberties[a]
	f.links = append(f.links, a)
}

// cut removes the last links until n are left.
func (f *forest) cut(n int) {
	for len(f.links) > n {
		a := f.links[len(f.links)-1]
		f.links = f.links[:len(f.links)-1]
		b := f.up[a]
		f.stones[b] -= f.stones[a]
		f.liberties[b] -= f.liberties[a]
		f.up[a] = a
	}
}

func (f *forest) clone() forest {
	return forest{
		append([]int16(nil), f.up...), append([]int16(nil), f.stones...), append([]int32(nil), f.liberties...),
		append(make([]int16, 0, cap(f.links)), f.links...),
	}
}
