// SPDX-License-Identifier: Apache-2.0

package gomoku

import "math/bits"

// scored is a move and how good it looks.
type scored struct {
	score int32
	cell  uint16
}

// moveList is the moves of a node.
type moveList [maxSide * maxSide]scored

// pick brings the best of moves i to n-1 to place i and returns it.
func (l *moveList) pick(i, n int) scored {
	best := i
	for j := i + 1; j < n; j++ {
		if l[j].score > l[best].score {
			best = j
		}
	}
	l[i], l[best] = l[best], l[i]
	return l[i]
}

// Scores that put a move before all that only look good.
const (
	scoreTable   = 1 << 20
	scoreCounter = 60
)

// appearance is how good a move looks to the side to move.
func (b *board) appearance(c int) int32 {
	q := &b.cells[c&cellMask]
	first, second := &b.kinds[0][q.code&0xffff], &b.kinds[1][q.code>>16]
	if b.turn == 0 {
		return int32(first.attack) + int32(second.defend)
	}
	return int32(second.attack) + int32(first.defend)
}

// generate fills l with the moves worth a look, and returns how many there are. Where the enemy threatens to win
// with his next stone but one, only answers to that are.
func (b *board) generate(l *moveList) int {
	foe := b.turn.Other()
	switch counts := &b.counts[foe]; {
	case counts[openFours] > 0:
		return b.defences(l, openFours)
	case counts[fourThree] > 0:
		return b.defences(l, fourThree)
	}
	n := 0
	for y := margin; y < margin+b.rule.rows; y++ {
		for row := (b.near[y] | b.hot[0][y] | b.hot[1][y]) & b.free[y]; row != 0; row &= row - 1 {
			c := y*stride + bits.TrailingZeros32(row)
			l[n] = scored{b.appearance(c), uint16(c)}
			n++
		}
	}
	if n == 0 {
		return b.anywhere(l)
	}
	return n
}

// anywhere fills l with all empty cells, or with the middle of an empty board.
func (b *board) anywhere(l *moveList) int {
	if mid := b.cellAt(b.rule.columns/2, b.rule.rows/2); b.stones[mid] == codeEmpty {
		l[0] = scored{b.appearance(mid), uint16(mid)}
		return 1
	}
	n := 0
	for y := margin; y < margin+b.rule.rows; y++ {
		for row := b.free[y]; row != 0; row &= row - 1 {
			c := y*stride + bits.TrailingZeros32(row)
			l[n] = scored{b.appearance(c), uint16(c)}
			n++
		}
	}
	return n
}

// fours fills l with the cells on which the side to move makes a four or better, and returns how many there are.
func (b *board) fours(l *moveList) int {
	me, n := b.turn, 0
	for y := margin; y < margin+b.rule.rows; y++ {
		for row := b.hot[me&1][y] & b.free[y]; row != 0; row &= row - 1 {
			c := y*stride + bits.TrailingZeros32(row)
			if b.cells[c&cellMask].class[me&1] >= makesFour {
				l[n] = scored{b.appearance(c), uint16(c)}
				n++
			}
		}
	}
	return n
}

// blocks fills l with the moves after which the enemy, who has a cell o that makes five, has none, and returns how many
// there are: that cell, and in caro the ends of the row as well. Renju's black's forbidden points are not among them.
//
//	O X X o X X .
func (b *board) blocks(l *moveList) int {
	me, foe := b.turn, b.turn.Other()
	o := b.find(foe, makesFive)
	if !b.rule.side[0].blocked {
		if b.counts[foe][makesFive] > 1 || !b.mayPlay(o) {
			return 0
		}
		l[0] = scored{0, uint16(o)}
		return 1
	}
	n := 0
	try := func(c int) {
		if b.stones[c&cellMask] != codeEmpty {
			return
		}
		b.play(c)
		if b.counts[foe][makesFive] == 0 {
			l[n].cell = uint16(c)
			n++
		}
		b.undo()
	}
	try(o)
	code := b.cells[o&cellMask].code >> (16 * uint(foe))
	for d, step := range &steps {
		if shape(code>>(4*d)&15) == five {
			try(b.beyond(o, step))
			try(b.beyond(o, -step))
		}
	}
	for i := range n {
		l[i].score = int32(b.kinds[me&1][b.cells[l[i].cell&cellMask].code>>(16*uint(me))&0xffff].attack)
	}
	return n
}

// beyond returns the first cell from the empty cell o in a direction that does not hold a stone of the enemy.
func (b *board) beyond(o, step int) int {
	stone := uint8(b.turn.Other()) + 1
	for o += step; b.stones[o&cellMask] == stone; o += step {
	}
	return o & cellMask
}
