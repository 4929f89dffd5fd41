// SPDX-License-Identifier: Apache-2.0

package atarigo

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/internal/rng"
)

// The board is stored in rows of stride = size + 1 cells. The last cell of a row is outside the board; it is the right neighbour
// of this row and the left neighbour of the next row. There is one more row below the board and one above it:
//
//	# # # #
//	. . . #    cell (column, row) = column + (row + 1) * stride
//	. . . #
//	. . . #
//	# # # #
const (
	maxSide = 19
	cells   = (maxSide + 1) * (maxSide + 2)
	words   = (cells + 63) / 64
	edge    = game.Stone(3) // the stone of a cell that is outside the board
)

// set is a set of cells.
type set [words]uint64

func (s *set) add(c int)      { s[c>>6] |= 1 << (c & 63) }
func (s *set) remove(c int)   { s[c>>6] &^= 1 << (c & 63) }
func (s *set) has(c int) bool { return s[c>>6]>>(c&63)&1 != 0 }

// first returns the first cell of the set, or 0.
func (s *set) first() int {
	for i, w := range s {
		if w != 0 {
			return i<<6 | bits.TrailingZeros64(w)
		}
	}
	return 0
}

// classes is the number of classes of groups: those with one, two, three, and more liberties.
const classes = 4

// group is a group of stones. It is stored at one of its cells, which is called its head.
type group struct {
	liberties set
	n         int // number of liberties
	stones    int
}

// merger records that the group with the head from has become a part of the group with the head into.
type merger struct {
	from, into uint16
	old        group // the group with the head into before
}

type undo struct {
	cell    uint16
	n       int // number of mergers
	mergers [4]merger
}

// board is a position with the groups of both sides. The search never makes a capture: it ends where one is possible.
type board struct {
	size, stride, words int // words: number of words of a set that are in use
	turn                game.Side
	ply                 int
	key                 uint64
	stone               [cells]game.Stone
	head                [cells]uint16 // by stone: the head of its group
	next                [cells]uint16 // by stone: the next stone of its group; the last is followed by the first
	groups              [cells]group  // by head
	heads               [2][classes]set
	stones              [2]set
	empty               set
	history             [cells]undo
}

func newBoard(size int) *board {
	b := &board{size: size, stride: size + 1}
	b.words = (b.stride*(size+2) + 63) / 64
	b.clear()
	return b
}

func (b *board) clear() {
	b.turn, b.ply, b.key, b.heads, b.stones, b.empty = game.First, 0, 0, [2][classes]set{}, [2]set{}, set{}
	for c := range b.stone {
		b.stone[c] = edge
	}
	for m := range b.size * b.size {
		c := b.cell(game.Move(m))
		b.stone[c] = game.Empty
		b.empty.add(c)
	}
}

func (b *board) cell(m game.Move) int { return int(m)%b.size + (int(m)/b.size+1)*b.stride }

func (b *board) move(c int) game.Move { return game.Move(c%b.stride + (c/b.stride-1)*b.size) }

// near returns the four neighbours of a cell of the board.
func (b *board) near(c int) [4]int { return [4]int{c - b.stride, c - 1, c + 1, c + b.stride} }

// load sets the board to p.
func (b *board) load(p *atarigo.Position) {
	b.clear()
	for m, stone := range p.Cells() {
		if stone != game.Empty {
			b.turn = game.Side(stone - 1)
			b.play(b.cell(game.Move(m)))
		}
	}
	if b.turn = p.Turn(); b.ply&1 != int(b.turn&1) { // play has changed this part of the key with every stone
		b.key ^= rng.Golden
	}
}

// enter adds the group with the head h to the heads of its class; leave removes it.
func (b *board) enter(side game.Side, h int) {
	if n := b.groups[h].n; n > 0 {
		b.heads[side&1][min(n, classes)-1].add(h)
	}
}

func (b *board) leave(side game.Side, h int) {
	if n := b.groups[h].n; n > 0 {
		b.heads[side&1][min(n, classes)-1].remove(h)
	}
}

// play places a stone of the side to move on a cell. The move must neither capture nor be suicide.
func (b *board) play(c int) {
	u := &b.history[b.ply]
	b.ply++
	u.cell, u.n = uint16(c), 0
	me := b.turn
	own := me.Stone()
	b.stone[c], b.head[c], b.next[c] = own, uint16(c), uint16(c)
	b.stones[me&1].add(c)
	b.empty.remove(c)
	g := &b.groups[c]
	*g = group{stones: 1}
	for _, n := range b.near(c) {
		switch b.stone[n] {
		case game.Empty:
			g.liberties.add(n)
			g.n++
		case game.FirstStone, game.SecondStone:
			b.fill(n, c)
		}
	}
	b.enter(me, c)
	for _, n := range b.near(c) {
		if b.stone[n] == own && b.head[n] != b.head[c] {
			b.merge(me, int(b.head[n]), int(b.head[c]), u)
		}
	}
	b.key ^= b.stoneKey(c) ^ rng.Golden
	b.turn = me.Other()
}

func (b *board) stoneKey(c int) uint64 { return rng.Nth(uint64(c)<<2 | uint64(b.stone[c])) }

// fill removes the cell c from the liberties of the group of the stone on n.
func (b *board) fill(n, c int) {
	h, side := int(b.head[n]), game.Side(b.stone[n]-1)
	if g := &b.groups[h]; g.liberties.has(c) {
		b.leave(side, h)
		g.liberties.remove(c)
		g.n--
		b.enter(side, h)
	}
}

// merge joins two groups of a side. The smaller one becomes a part of the larger one.
func (b *board) merge(side game.Side, from, into int, u *undo) {
	if b.groups[from].stones > b.groups[into].stones {
		from, into = into, from
	}
	b.leave(side, from)
	b.leave(side, into)
	f, g := &b.groups[from], &b.groups[into]
	u.mergers[u.n] = merger{uint16(from), uint16(into), *g}
	u.n++
	g.n = 0
	for i := range b.words {
		g.liberties[i] |= f.liberties[i]
		g.n += bits.OnesCount64(g.liberties[i])
	}
	g.stones += f.stones
	b.relabel(from, into)
	b.next[from], b.next[into] = b.next[into], b.next[from]
	b.enter(side, into)
}

// relabel makes h the head of all stones in the ring of the stone c.
func (b *board) relabel(c, h int) {
	for s := c; ; {
		b.head[s] = uint16(h)
		if s = int(b.next[s]); s == c {
			return
		}
	}
}

// pass changes the side to move.
func (b *board) pass() {
	b.turn = b.turn.Other()
	b.key ^= rng.Golden
}

// undo takes back the last move.
func (b *board) undo() {
	b.ply--
	u := &b.history[b.ply]
	c, me := int(u.cell), b.turn.Other()
	for u.n > 0 {
		u.n--
		m := &u.mergers[u.n]
		from, into := int(m.from), int(m.into)
		b.leave(me, into)
		b.next[from], b.next[into] = b.next[into], b.next[from]
		b.relabel(from, from)
		b.groups[into] = m.old
		b.enter(me, from)
		b.enter(me, into)
	}
	b.leave(me, c)
	b.key ^= b.stoneKey(c) ^ rng.Golden
	b.stone[c] = game.Empty
	b.stones[me&1].remove(c)
	b.empty.add(c)
	for _, n := range b.near(c) {
		if s := b.stone[n]; s == game.FirstStone || s == game.SecondStone {
			h, side := int(b.head[n]), game.Side(s-1)
			if g := &b.groups[h]; !g.liberties.has(c) {
				b.leave(side, h)
				g.liberties.add(c)
				g.n++
				b.enter(side, h)
			}
		}
	}
	b.turn = me
}

// capture returns a cell on which the given side captures, or 0 if there is none.
func (b *board) capture(side game.Side) int {
	h := b.heads[side.Other()&1][0].first()
	if h == 0 {
		return 0
	}
	return b.groups[h].liberties.first()
}

// escape is called if a group of the side to move has a single liberty and no group of the enemy has. It returns the only cell
// that may save all such groups, or 0 if the enemy captures in any case.
func (b *board) escape() int {
	c := 0
	for i, w := range b.heads[b.turn&1][0] {
		for ; w != 0; w &= w - 1 {
			l := b.groups[i<<6|bits.TrailingZeros64(w)].liberties.first()
			if c != 0 && l != c {
				return 0
			}
			c = l
		}
	}
	if b.room(c, 2) < 2 {
		return 0
	}
	return c
}

// room returns the number of liberties that the group of a new stone of the side to move on c would have. It stops counting as
// soon as it has found enough of them.
func (b *board) room(c, enough int) int {
	own := b.turn.Stone()
	near := b.near(c)
	n := 0
	for _, d := range near {
		switch b.stone[d] {
		case game.Empty:
			n++
		case own:
			if g := &b.groups[b.head[d]]; g.n > enough {
				return enough
			}
		}
	}
	if n >= enough {
		return n
	}
	var all set
	for _, d := range near {
		switch b.stone[d] {
		case game.Empty:
			all.add(d)
		case own:
			g := &b.groups[b.head[d]]
			for i := range b.words {
				all[i] |= g.liberties[i]
			}
		}
	}
	all.remove(c)
	n = 0
	for i := range b.words {
		n += bits.OnesCount64(all[i])
	}
	return n
}
