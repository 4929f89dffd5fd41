// SPDX-License-Identifier: Apache-2.0

package connect6

import (
	"cmp"
	"encoding/binary"
	"math/bits"
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
	noCell  = cellMask

	cellMask = 1<<10 - 1 // an index that is masked with cellMask needs no check of its range
)

// steps are the differences between a cell and its neighbours in the four directions.
var steps = [4]int{1, stride, stride + 1, stride - 1}

// value contains the value of a window by its number of stones of one side, if the other side has no stone in it. It depends
// neither on the side to move nor on other threats.
var value = [length + 1]int32{0, 3, 14, 22, 60, 80, 0}

// gain contains the value of an empty cell in such a window, by the number of stones in the window. If the side of these
// stones places a stone on the cell, it gains this value; a stone of the enemy takes the value away.
var gain = [length + 1]int32{0, 6, 24, 80, 80, 80, 0}

// geometry contains the tables that all boards of one size share.
type geometry struct {
	columns, rows int
	order         []uint16 // the cells, from the center to the edge
	counts        [windows]uint8
}

// The number of a window is 1024 times its direction, plus 32 times the number of its line, plus its place in the line. So the
// six windows of a direction that contain a cell have consecutive numbers, and one addition counts a stone in all of them. Two
// diagonals of different length may have the same number, but their windows have different places.
const windows = 4 << 10

// starting contains, for each cell, the numbers of the windows of the four directions of which it is the first cell, on the
// board or not. starts contains the first cell of each window.
var starting, starts = func() (numbers [cells][len(steps)]uint16, first [windows]uint16) {
	for c := range numbers {
		x, y := c%stride, c/stride
		for d, at := range [...][2]int{{y, x}, {x, y}, {x - y, y}, {x + y, y}} {
			w := d<<10 | at[0]&(stride-1)<<5 | at[1] + length - 1
			numbers[c][d] = uint16(w)
			if x < maxSide {
				first[w] = uint16(c)
			}
		}
	}
	return numbers, first
}()

// dead is the count of a window that is not completely on the board. Both sides have a stone in it, so it has no value.
const dead = 0x11

func newGeometry(columns, rows int) *geometry {
	g := &geometry{columns: columns, rows: rows}
	for w := range g.counts {
		g.counts[w] = dead
	}
	for y := range rows {
		for x := range columns {
			g.order = append(g.order, uint16(y*stride+x))
			for d := range steps {
				dx := [4]int{1, 0, 1, -1}[d] * (length - 1)
				dy := [4]int{0, 1, 1, 1}[d] * (length - 1)
				if x+dx >= 0 && x+dx < columns && y+dy < rows {
					g.counts[starting[y*stride+x][d]] = 0
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
//	filled   of a line: its cells with stones, as bits, each at the place of the window that begins at the cell
//	counts   of a window: stones of the first side in bits 0 to 3, of the second in bits 4 to 7
//	value    the sum over all windows of the first side, minus the same sum of the second side
//	gains    of a cell: the sum over the windows of the first side through the cell, and in the upper half of the word the same
//	         sum of the second side
//	threats  of a side: its windows with four stones or more, in no order
//	built    of a side: its windows with two or three stones, in no order; place is the index of each window in its list
type board struct {
	*geometry
	stones  [cells]game.Stone
	filled  [windows >> 5]uint32
	counts  [windows]uint8
	place   [windows]uint16
	gains   [cellMask + 1]uint64
	value   int32
	threats [2]list
	built   [2]list
	bare    bool // whether a stone does not update value and gains
	empty   int
	turn    game.Side
	key     uint64
}

// gain returns the gain of a side on a cell.
func (b *board) gain(s game.Side, c uint16) int32 {
	return int32(b.gains[c&cellMask] >> (32 * uint(s&1)))
}

// effects contains what a stone changes in a window, by the side of the stone and the count of the window without the stone.
var effects = func() (t [2][256]struct {
	gain  uint64
	value int32
},
) {
	for s := range t {
		for n := range t[s] {
			own, enemy := n>>(4*s)&15, n>>(4-4*s)&15
			e := &t[s][n]
			switch sign := int32(1 - 2*s); {
			case max(own, enemy) >= length:
			case enemy == 0:
				e.gain = uint64(gain[own+1]-gain[own]) << (32 * s)
				e.value = sign * (value[own+1] - value[own])
			case own == 0:
				e.gain = uint64(-gain[enemy]) << (32 - 32*s)
				e.value = sign * value[enemy]
			}
		}
	}
	return t
}()

// list is a list of windows.
type list struct {
	n   int
	all [windows]uint16
}

func (b *board) clear() {
	*b = board{geometry: b.geometry, counts: b.geometry.counts, empty: len(b.order)}
}

// set places a stone of side s on the empty cell c.
func (b *board) set(c uint16, s game.Side) { b.change(c, s, 1) }

// lift removes a stone of side s from c.
func (b *board) lift(c uint16, s game.Side) { b.change(c, s, -1) }

// change places a stone, or removes it if sign is -1.
func (b *board) change(c uint16, s game.Side, sign int32) {
	b.stones[c] = s.Stone()
	if sign < 0 {
		b.stones[c] = game.Empty
	}
	b.empty -= int(sign)
	b.key ^= rng.Nth(uint64(c)<<1 | uint64(s))
	one := uint64(0x010101010101) << (4 * uint8(s&1))
	for d, w := range starting[c] {
		b.filled[w>>5] ^= 1 << (w & 31)
		w -= length - 1
		eight := b.counts[w : w+8] // the windows with the cell, and two more
		without := binary.LittleEndian.Uint64(eight)
		if sign > 0 {
			binary.LittleEndian.PutUint64(eight, without+one)
		} else {
			without -= one
			binary.LittleEndian.PutUint64(eight, without)
		}
		b.relist(s, w, without, sign > 0)
		if !b.bare {
			b.revalue(d, c, s, sign, without)
		}
	}
}

// revalue updates the value and the gains after a stone of side s on c has changed the windows of direction d. The bytes of
// without are the counts of these windows without the stone.
func (b *board) revalue(d int, c uint16, s game.Side, sign int32, without uint64) {
	var gains [length]uint64
	table, step := &effects[s&1], steps[d]
	any := uint64(0)
	for i := range gains {
		e := &table[uint8(without>>(8*i))]
		gains[i] = e.gain
		any |= e.gain
		b.value += sign * e.value
	}
	if any == 0 {
		return
	}
	sum, factor := uint64(0), uint64(int64(sign))
	at := int(c) - (length-1)*step
	for i := range gains {
		sum += gains[i] * factor
		b.gains[at&cellMask] += sum
		at += step
	}
	for i := range length - 1 {
		sum -= gains[i] * factor
		b.gains[at&cellMask] += sum
		at += step
	}
}

// relist updates the lists of windows after a stone of side s in six windows, of which w is the first, or takes the update back if
// forward is false. The bytes of without are the counts of the windows without the stone.
func (b *board) relist(s game.Side, w uint16, without uint64, forward bool) {
	const one = 0x010101010101
	own, enemy := without>>(4*uint8(s&1))&(15*one), without>>(4-4*uint8(s&1))&(15*one)
	mine, theirs := &b.built[s&1], &b.built[s.Other()&1]
	// Adding 127 to a byte sets its highest bit if the byte is not 0, and adding 126 sets it if the byte is at least 2.
	for e := own << 7 &^ (enemy + 127*one) & (128 * one); e > 0; e &= e - 1 { // an odd number of own stones, and no others
		switch i := bits.TrailingZeros64(e) &^ 7; own >> i & 7 {
		case 1:
			b.enter(mine, w+uint16(i/8), forward)
		case hot - 1:
			from, to := mine, &b.threats[s&1]
			if !forward {
				from, to = to, from
			}
			b.enter(from, w+uint16(i/8), false)
			b.enter(to, w+uint16(i/8), true)
		}
	}
	for e := (enemy + 126*one) &^ (own + 127*one) & (128 * one); e > 0; e &= e - 1 { // at least two enemy stones, and no others
		i, l := bits.TrailingZeros64(e)&^7, theirs
		if enemy>>i&15 >= hot {
			l = &b.threats[s.Other()&1]
		}
		b.enter(l, w+uint16(i/8), !forward)
	}
}

// enter adds a window to a list, or removes it if add is false. A window is in one list at most.
func (b *board) enter(l *list, w uint16, add bool) {
	if add {
		l.all[l.n], b.place[w] = w, uint16(l.n)
		l.n++
		return
	}
	l.n--
	last := l.all[l.n]
	l.all[b.place[w]], b.place[last] = last, b.place[w]
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
	b.play(p)
	n := b.cover(b.turn.Other())
	b.undo(p)
	return n
}

// hash returns the key of the position for the table. It may be called only at the beginning of a turn of two stones.
func (b *board) hash() uint64 { return rng.Spread(b.key ^ uint64(b.turn)) }

// needs returns the least number of stones with which the side completes a window. If the side has no threat, the result is
// more than 2.
func (b *board) needs(s game.Side) int {
	t, least := &b.threats[s], length
	for _, w := range t.all[:t.n] {
		least = min(least, length-int(b.counts[w]>>(4*uint8(s))&15))
	}
	return least
}

// empties returns the empty cells of a window: bit i is the cell start + i*step.
func (b *board) empties(w uint16) (bits uint32, start, step uint16) {
	return ^b.filled[w>>5] >> (w & 31) & (1<<length - 1), starts[w], uint16(steps[w>>10])
}

// next returns the first of the empty cells that empties has returned.
func next(e uint32, start, step uint16) uint16 { return start + uint16(bits.TrailingZeros32(e))*step }

// gaps returns the one or two empty cells of a threat; if there is only one, first and last are equal.
func (b *board) gaps(w uint16) (first, last uint16) {
	e, start, step := b.empties(w)
	first = next(e, start, step)
	if e &= e - 1; e == 0 {
		return first, first
	}
	return first, next(e, start, step)
}
