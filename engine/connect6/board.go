// SPDX-License-Identifier: Apache-2.0

package connect6

import (
	"cmp"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

const (
	maxSide = 22
	stride  = 32
	cells   = maxSide * stride
	length  = 6 // number of cells in a winning row and in a window
	hot     = 4 // number of stones of one side that make a window a threat
	noCell  = 1023
)

// steps are the differences between a cell and its neighbours in the four directions.
var steps = [4]int{1, stride, stride + 1, stride - 1}

// value contains the value of a window by its number of stones of one side, if the other side has no stone in it. It depends
// neither on the side to move nor on other threats.
var value = [length + 1]int32{0, 3, 14, 22, 60, 80, 0}

// gain contains the value of an empty cell in such a window, by the number of stones in the window. If the side of these
// stones places a stone on the cell, it gains this value; a stone of the enemy takes the value away. The bits from threeBit
// on count the windows with three stones.
var gain = [length + 1]int32{0, 10, 24, 30 + 1<<threeBit, 60, 80, 0}

const (
	threeBit = 20
	gainMask = 1<<threeBit - 1
)

// geometry contains the tables that all boards of one size share.
type geometry struct {
	columns, rows int
	order         []uint16 // the cells, from the center to the edge
	through       [cells][]uint16
}

// A window is represented by its first cell plus 1024 times its direction.
const (
	startMask = 1<<10 - 1
	windows   = 4 << 10
)

func newGeometry(columns, rows int) *geometry {
	g := &geometry{columns: columns, rows: rows}
	for y := range rows {
		for x := range columns {
			g.order = append(g.order, uint16(y*stride+x))
			for d, step := range steps {
				dx := [4]int{1, 0, 1, -1}[d] * (length - 1)
				dy := [4]int{0, 1, 1, 1}[d] * (length - 1)
				if x+dx < 0 || x+dx >= columns || y+dy >= rows {
					continue
				}
				for i := range length {
					c := y*stride + x + i*step
					g.through[c] = append(g.through[c], uint16(d<<10|y*stride+x))
				}
			}
		}
	}
	far := func(c uint16) int {
		x, y := 2*int(c%stride)-columns+1, 2*int(c/stride)-rows+1
		return x*x + y*y
	}
	slices.SortStableFunc(g.order, func(a, b uint16) int { return cmp.Compare(far(a), far(b)) })
	return g
}

// board is a position. Everything except stones and geometry can be computed from the stones:
//
//	counts   of a window: stones of the first side in bits 0 to 3, of the second in bits 4 to 7
//	value    of a side: the sum over its windows
//	gains    of a side and a cell: the sum over the side's windows through the cell
//	threats  of a side: its windows with four stones or more, in no order; place is the index of each in list
type board struct {
	*geometry
	stones  [cells]game.Stone
	counts  [windows]uint8
	place   [windows]uint16
	gains   [2][startMask + 1]int32
	value   [2]int32
	threats [2]threats
	empty   int
	turn    game.Side
	key     uint64
}

// threats is a list of windows. A side rarely has more than ten threats.
type threats struct {
	n    int
	list [windows]uint16
}

func (b *board) clear() {
	*b = board{geometry: b.geometry, empty: len(b.order)}
}

// set places a stone of side s on the empty cell c.
func (b *board) set(c uint16, s game.Side) { b.change(c, s, 1, false) }

// lift removes a stone of side s from c.
func (b *board) lift(c uint16, s game.Side) { b.change(c, s, -1, false) }

// change places a stone, or removes it if sign is -1. With threatsOnly it does not update value and gains, and takes a third of the
// time.
func (b *board) change(c uint16, s game.Side, sign int32, threatsOnly bool) {
	b.stones[c] = s.Stone()
	if sign < 0 {
		b.stones[c] = game.Empty
	}
	b.empty -= int(sign)
	b.key ^= rng.Nth(uint64(c)<<1 | uint64(s))
	foe, shift := s.Other(), 4*uint8(s)
	for _, w := range b.through[c] {
		n := b.counts[w]
		if sign < 0 {
			n -= 1 << shift
		}
		own, enemy := n>>shift&15, n>>(4-shift)&15 // numbers of own and enemy stones in the window w, without the changed stone
		b.counts[w] = n
		if sign > 0 {
			b.counts[w] += 1 << shift
		}
		if threatsOnly {
			if enemy == 0 && own == hot-1 {
				b.list(s, w, sign > 0)
			} else if own == 0 && enemy >= hot {
				b.list(foe, w, sign < 0)
			}
			continue
		}
		if enemy == 0 {
			b.value[s] += sign * (value[own+1] - value[own])
			b.spread(s, w, sign*(gain[own+1]-gain[own]))
			if own == hot-1 {
				b.list(s, w, sign > 0)
			}
		} else if own == 0 {
			b.value[foe] -= sign * value[enemy]
			b.spread(foe, w, -sign*gain[enemy])
			if enemy >= hot {
				b.list(foe, w, sign < 0)
			}
		}
	}
}

// spread adds n to the gains of the cells of a window.
func (b *board) spread(s game.Side, w uint16, n int32) {
	c, step := int(w&startMask), steps[w>>10]
	gains := &b.gains[s&1]
	for range length {
		gains[c&startMask] += n
		c += step
	}
}

// list adds a window to the threats of a side, or removes it.
func (b *board) list(s game.Side, w uint16, add bool) {
	t := &b.threats[s]
	if add {
		t.list[t.n], b.place[w] = w, uint16(t.n)
		t.n++
		return
	}
	t.n--
	last := t.list[t.n]
	t.list[b.place[w]], b.place[last] = last, b.place[w]
}

// play makes a turn of one or two stones, and undo takes it back.
func (b *board) play(p pair) {
	b.set(p.a, b.turn)
	if p.b != noCell {
		b.set(p.b, b.turn)
	}
	b.turn = b.turn.Other()
}

func (b *board) undo(p pair) {
	b.turn = b.turn.Other()
	if p.b != noCell {
		b.lift(p.b, b.turn)
	}
	b.lift(p.a, b.turn)
}

// coverAfter returns the number of stones that the enemy needs to stop all threats of the side to move, after this side has
// played the turn p. 3 means three or more stones.
func (b *board) coverAfter(p pair) int {
	b.change(p.a, b.turn, 1, true)
	if p.b != noCell {
		b.change(p.b, b.turn, 1, true)
	}
	n := b.cover(b.turn)
	if p.b != noCell {
		b.change(p.b, b.turn, -1, true)
	}
	b.change(p.a, b.turn, -1, true)
	return n
}

// hash returns the key of the position for the table. It may be called only at the beginning of a turn of two stones.
func (b *board) hash() uint64 { return rng.Spread(b.key ^ uint64(b.turn)) }

// needs returns the least number of stones with which the side completes a window. If the side has no threat, the result is
// more than 2.
func (b *board) needs(s game.Side) int {
	t, least := &b.threats[s], length
	for _, w := range t.list[:t.n] {
		least = min(least, length-int(b.counts[w]>>(4*uint8(s))&15))
	}
	return least
}

// gaps returns the one or two empty cells of a threat; if there is only one, first and last are equal.
func (b *board) gaps(w uint16) (first, last uint16) {
	c, step := int(w&startMask), steps[w>>10]
	first = noCell
	for range length {
		if b.stones[c] == game.Empty {
			if last = uint16(c); first == noCell {
				first = last
			}
		}
		c += step
	}
	return first, last
}
