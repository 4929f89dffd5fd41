// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// defences fills l with what may stop the enemy, who has cells of class threat, from winning by them.
func (b *board) defences(l *moveList, threat class) int {
	if threat == openFours && !b.loose && !b.rule.side[0].blocked {
		return b.exactDefences(l)
	}
	return b.lineDefences(l, threat)
}

// exactDefences fills l with what stops an enemy who could make open fours: the stones that take that class from each of the
// cells where he could, and one's own fours. No other stone does, for it changes none of his fives and gains no time. Only
// against renju's black may one that is listed not be enough: it may make a cell allowed to him. Where nothing stops him, l
// has the first of the cells.
//
// In caro it would not do: there a stone elsewhere may keep a row from winning. A four and a three is answered by lines:
// lists of what stops it, with all threes of one's own, were tried and lost 32 ± 30 Elo (60 pairs, 4000 nodes a move).
func (b *board) exactDefences(l *moveList) int {
	me, n := b.turn, 0
	stops, first := b.stoppers(b.turn.Other(), openFours)
	for y := margin; y < margin+b.rule.rows; y++ {
		for row := (stops[y] | b.hot[me&1][y]) & b.free[y]; row != 0; row &= row - 1 {
			c := y*stride + bits.TrailingZeros32(row)
			if stops.has(c) || b.cells[c&cellMask].class[me&1] >= makesFour {
				l[n] = scored{b.appearance(c), uint16(c)}
				n++
			}
		}
	}
	if n == 0 {
		l[0] = scored{0, uint16(first)}
		return 1
	}
	return n
}

// stoppers returns the cells on which an enemy of s keeps it from making the class threat, or a better one, on every cell
// where it could, and the first of those cells.
func (b *board) stoppers(s game.Side, threat class) (all zone, first int) {
	all.fill()
	for y := margin; y < margin+b.rule.rows; y++ {
		for row := b.hot[s&1][y] & b.free[y]; row != 0; row &= row - 1 {
			o := y*stride + bits.TrailingZeros32(row)
			if b.cells[o&cellMask].class[s&1] != threat {
				continue
			}
			if first == 0 {
				first = o
			}
			z := b.stopping(s, o, threat)
			for i := range all {
				all[i] &= z[i]
			}
		}
	}
	return all, first
}

// stopping returns the cells on which an enemy of s keeps it from making the class threat, or a better one, on o. The table
// of shapes knows: it is asked what the line of o would be with the stone in it.
//
//	. . X X o X . .     the key of o, with an enemy stone put on each empty cell in turn
func (b *board) stopping(s game.Side, o int, threat class) (z zone) {
	z.add(o)
	code := b.cells[o&cellMask].code >> (16 * uint(s&1)) & 0xffff
	for d, step := range &steps {
		if shape(code>>(4*d)&15) < four {
			continue
		}
		line, at := lineOf(d, o)
		key := b.keyAt(b.lines[d][line], at)
		for i := range 2 * b.reach {
			if key>>(2*i)&3 != codeEmpty {
				continue
			}
			pair := b.tables[(key|uint32(s.Other()+1)<<(2*i))&keyMask]
			made := uint32(pair >> (4 * uint(s&1)) & 15)
			if b.kinds[s&1][code&^(15<<(4*d))|made<<(4*d)].class < threat {
				z.add(o + (i-b.reach+i/b.reach)*step)
			}
		}
	}
	return z
}

// lineDefences fills l with the cells of the lines in which the enemy, on the first cell where he can, would carry out his
// threat, and one's own fours. Against a four and a three, own threes too.
func (b *board) lineDefences(l *moveList, threat class) int {
	me, foe, n := b.turn, b.turn.Other(), 0
	o := b.find(foe, threat)
	least, line := makesFour, four
	if threat == fourThree {
		least, line = makesThree, openThree
	}
	var seen [stride]uint32
	add := func(c int) {
		if bit := uint32(1) << (uint(c) % stride); seen[c/stride&(stride-1)]&bit == 0 {
			seen[c/stride&(stride-1)] |= bit
			l[n] = scored{b.appearance(c), uint16(c)}
			n++
		}
	}
	code := b.cells[o&cellMask].code >> (16 * uint(foe)) & 0xffff
	add(o)
	for d, step := range &steps {
		if shape(code>>(4*d)&15) < line {
			continue
		}
		for i := 1; i <= b.reach; i++ {
			if b.stones[(o+i*step)&cellMask] == codeEmpty {
				add(o + i*step)
			}
			if b.stones[(o-i*step)&cellMask] == codeEmpty {
				add(o - i*step)
			}
		}
	}
	for y := margin; y < margin+b.rule.rows; y++ {
		for row := b.hot[me&1][y] & b.free[y]; row != 0; row &= row - 1 {
			c := y*stride + bits.TrailingZeros32(row)
			if b.cells[c&cellMask].class[me&1] >= least {
				add(c)
			}
		}
	}
	return n
}
