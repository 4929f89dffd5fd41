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

// capture takes the enemy groups next to the stone just put at c that have no liberty left. Only cells and key change.
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

// lives reports whether a stone of the side to move at c, with no free point next to it, is no suicide: it joins a
// group with another liberty, or takes the last one of an enemy group.
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

// forest is the groups as trees of stones. The root of a group holds its size and its liberties. A free point counts
// once for each stone of the group next to it: that is easy to keep, and zero exactly when there is no liberty.
//
//	X X .      up: a2 -> b2 <- b1     root b2, stones 3
//	. X .      liberties: c2 (next to b2), c1 (next to b1), a1 (next to a2 and to b1): 4
//
// Links lead from the smaller tree to the larger, so that no path is longer than log2 of the stones. They are never
// shortened, so that cut can undo them.
type forest struct {
	up        []int16 // towards the root, which points to itself
	stones    []int16
	liberties []int32
	links     []int16 // the roots that were linked to other ones, in order
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

// cut takes back the links made last, down to n.
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
