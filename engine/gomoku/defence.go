// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// exactDefences fills l with what stops an enemy who could make open fours: the stones that take that class from every
// such cell, and one's own fours. Any other stone leaves him a five. Against renju's black a stone in l may not be
// enough, since it may make a forbidden cell an allowed one. Where nothing stops him, l holds his first cell.
//
// Caro needs more: there a stone elsewhere may keep a row from winning.
func (b *board) exactDefences(l *moveList) int {
	stops, first := b.stoppers(b.turn.Other(), openFours)
	fours := b.making(b.turn, makesFour)
	stops.join(&fours)
	if n := b.list(l, &stops); n > 0 {
		return n
	}
	l[0] = scored{0, uint16(first)}
	return 1
}

// stoppers returns the cells on which the enemy of s keeps it from making the class threat or better anywhere, and the
// first cell where s could make it.
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

// stopping returns the cells on which the enemy of s keeps it from making the class threat or better on o.
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

// lineDefences fills l with the cells of the lines in which the enemy would carry out his threat, on the first cell
// where he can, and with one's own fours; against a four and a three with own threes too.
func (b *board) lineDefences(l *moveList, threat class) int {
	foe := b.turn.Other()
	o := b.find(foe, threat)
	least, line := makesFour, four
	if threat == fourThree {
		least, line = makesThree, openThree
	}
	z := b.making(b.turn, least)
	z.add(o)
	code := b.cells[o&cellMask].code >> (16 * uint(foe)) & 0xffff
	for d, step := range &steps {
		if shape(code>>(4*d)&15) < line {
			continue
		}
		for i := -b.reach; i <= b.reach; i++ {
			z.add((o + i*step) & cellMask)
		}
	}
	return b.list(l, &z)
}
