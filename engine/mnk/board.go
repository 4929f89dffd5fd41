// SPDX-License-Identifier: Apache-2.0

package mnk

import "math/bits"

// The solver asks whether one side gets k in a row. side is a role in such a question: the attacker tries to get k in a row,
// and the defender tries to prevent that.
type side uint8

const (
	attacker side = iota
	defender
)

// far stands for 9 or more lacking stones: the board does not distinguish these numbers.
const far = 9

// block contains 64 lines, with a bit for each:
//
//	live      . . 1 1 . 1     lines that a side can still complete
//	lack[1]   . . . . . 1     open lines that lack one stone
//	lack[2]   . . 1 . . .     two
//	lack[far] . . . 1 . .     nine or more
//
// A line is live for a side until the other side has a stone on it, or until the board closes the line because the line does
// not matter any more. lack also contains bits of dead lines, which have no meaning.
type block struct {
	live [2]uint64
	lack [2][far + 1]uint64
}

func (k *block) lacking(s side, n int) uint64 { return k.live[s] & k.lack[s][n] }

func (b *board) add(i int, s side, x uint64) {
	lack := &b.now.blocks[i].lack[s]
	for n := 2; n < min(far, b.k+1); n++ {
		m := lack[n] & x
		lack[n] ^= m
		lack[n-1] |= m
	}
	for m := lack[far] & x; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros64(m); b.lines[i<<6+l].minus(b.now.stones[s]).count() < far {
			lack[far] ^= 1 << l
			lack[far-1] |= 1 << l
		}
	}
}

// state is the part of a position that changes when a stone is placed. A board has a state for each ply, and undo returns to
// the previous state.
type state struct {
	stones [2]set
	win    [2]set // by side: the empty cells that complete a line at once
	dead   set    // all cells, empty or not, that are on no live line
	// The defender closes lines by pairs of cells: if the attacker takes one cell of a pair, the defender takes the other.
	// closing contains the cells of these pairs.
	closing set
	keys    [symmetries]uint64
	blocks  []block
}

// board is the position about which a question is asked: whether one side gets k in a row. In the weak game, in which only the
// attacker can win, only lines of the attacker are live.
//
//	plies   state 0 | state 1 | state 2 | ...      place copies the current state to the next one, and changes the copy
//	                     ^ now
type board struct {
	*geometry
	weak  bool
	setup bool // whether reset is placing stones; no line is closed during this time
	plies []state
	now   *state
	ply   int
	pairs pairing
	plan  *plan // if not nil, it is used instead of pairs
	// The method moves leaves out a cell c if another cell is on all live lines through c. The set better contains one such other
	// cell for each c.
	better set
}

func newBoard(g *geometry, weak bool) *board {
	b := &board{geometry: g, weak: weak, plies: make([]state, g.cells+1)}
	all := make([]block, len(b.plies)*g.blocks)
	for i := range b.plies {
		b.plies[i].blocks = all[i*g.blocks : (i+1)*g.blocks]
	}
	b.now = &b.plies[0]
	b.pairs.owner = make([]int16, g.cells)
	return b
}

// reset sets the position to the stones a of the attacker and d of the defender; no line may be complete.
func (b *board) reset(a, d set) {
	b.ply, b.now = 0, &b.plies[0]
	blocks := b.now.blocks
	clear(blocks)
	*b.now = state{blocks: blocks}
	for l := range b.lines {
		k, bit := &blocks[l>>6], uint64(1)<<(l&63)
		k.live[attacker] |= bit
		if !b.weak {
			k.live[defender] |= bit
		}
		k.lack[attacker][min(b.k, far)] |= bit
		k.lack[defender][min(b.k, far)] |= bit
	}
	if b.k == 1 {
		b.now.win[attacker] = b.all
		if !b.weak {
			b.now.win[defender] = b.all
		}
	}
	// Lines are closed only after all stones are on the board: until then, an empty cell may still get a stone.
	b.setup = true
	b.bury(b.all)
	for !a.empty() {
		b.put(a.pop(), attacker)
	}
	for !d.empty() {
		b.put(d.pop(), defender)
	}
	b.setup = false
	for s := attacker; s <= defender; s++ {
		for rest := b.now.stones[s]; !rest.empty(); {
			b.subsume(s, rest.pop())
		}
	}
	b.bury(b.all)
}

func (b *board) place(c int, s side) {
	b.advance()
	b.put(c, s)
}

func (b *board) advance() {
	next := &b.plies[b.ply+1]
	blocks := next.blocks
	copy(blocks, b.now.blocks)
	*next = *b.now
	next.blocks = blocks
	b.ply++
	b.now = next
}

func (b *board) threaten(c int, s side) {
	b.advance()
	n, o := b.now, s^1
	n.stones[s].add(c)
	n.win[0].remove(c)
	n.win[1].remove(c)
	for i := range n.blocks {
		k, x := &n.blocks[i], b.through[c*b.blocks+i]
		k.live[o] &^= x
		if x &= k.live[s]; x == 0 {
			continue
		}
		b.add(i, s, x)
		if m := x & k.lack[s][1]; m != 0 {
			n.win[s] = n.win[s].or(b.cellsOf(i, m).minus(n.stones[s]))
		}
	}
}

func (b *board) undo() {
	b.ply--
	b.now = &b.plies[b.ply]
}

func (b *board) free() set { return b.all.minus(b.now.stones[0]).minus(b.now.stones[1]) }

func (b *board) put(c int, s side) {
	n, o := b.now, s^1
	n.stones[s].add(c)
	n.win[0].remove(c)
	n.win[1].remove(c)
	var lost set // cells of lines that are no longer live
	for i := range n.blocks {
		k, x := &n.blocks[i], b.through[c*b.blocks+i]
		if m := k.live[o] & x; m != 0 {
			k.live[o] &^= m
			lost = lost.or(b.cellsOf(i, m))
		}
		if x &= k.live[s]; x == 0 {
			continue
		}
		b.add(i, s, x)
		if m := x & k.lack[s][1]; m != 0 {
			n.win[s] = n.win[s].or(b.cellsOf(i, m).minus(n.stones[s]))
		}
	}
	if !b.setup {
		lost = lost.or(b.subsume(s, c))
	}
	if !n.dead.has(c) {
		b.flip(c, status(s))
	}
	b.bury(lost)
}

// subsume closes lines of s near its stone c. It closes a line if the empty cells of this line include all empty cells of
// another line: once the other line is completed or broken, the closed line does not matter any more. It returns the cells of
// the closed lines.
func (b *board) subsume(s side, c int) (lost set) {
	blocks, stones := b.now.blocks, b.now.stones[s]
	for i := range b.beside[c] {
		o := &b.beside[c][i]
		if blocks[o.line>>6].live[s]>>(o.line&63)&1 == 0 {
			continue
		}
		for _, l := range o.over {
			rest := b.lines[l].minus(b.lines[o.line])
			if !rest.minus(stones).empty() {
				break
			}
			if blocks[l>>6].live[s]>>(l&63)&1 != 0 {
				blocks[o.line>>6].live[s] &^= 1 << (o.line & 63)
				lost = lost.or(b.lines[o.line])
				break
			}
		}
	}
	return lost
}

// bury examines the given cells, which may be on fewer live lines than before. It marks a cell as dead if no live line goes
// through it. It closes a line that has two empty cells on no other live line: if one of these cells is taken, the side that
// defends against the line takes the other.
func (b *board) bury(cells set) {
	n := b.now
	for cells = cells.minus(n.dead); !cells.empty(); {
		c := cells.pop()
		if b.blocks == 1 {
			k := &n.blocks[0]
			if u := (k.live[0] | k.live[1]) & b.through[c]; u&(u-1) != 0 {
				continue // the most frequent case: c is on several live lines
			}
		}
		switch s, i, l := b.only(c); {
		case l == 0:
			b.kill(c)
		case l&(l-1) == 0 && !b.setup:
			if pair := b.pair(s, i, l); pair.several() {
				n.blocks[i].live[s] &^= l
				n.closing = n.closing.or(pair)
				cells = cells.or(b.cellsOf(i, l)).minus(n.dead)
			}
		}
	}
}

// only(c) returns the live lines through cell c: their side s, their block i, and a set of bits l with a bit for each line. If
// the lines belong to both sides or are in several blocks, l has all bits set.
func (b *board) only(c int) (s side, i int, l uint64) {
	for j := range b.now.blocks {
		k, x := &b.now.blocks[j], b.through[c*b.blocks+j]
		a, d := k.live[attacker]&x, k.live[defender]&x
		switch {
		case a|d == 0:
		case l != 0 || a != 0 && d != 0:
			return 0, 0, ^uint64(0)
		case a != 0:
			s, i, l = attacker, j, a
		default:
			s, i, l = defender, j, d
		}
	}
	return s, i, l
}

// pair returns two empty cells that are on line l of block i and on no other live line. If there are fewer such cells, it returns
// these.
func (b *board) pair(s side, i int, l uint64) (found set) {
	for rest := b.lines[i<<6+bits.TrailingZeros64(l)].minus(b.now.stones[s]); !rest.empty() && !found.several(); {
		c := rest.pop()
		if _, j, x := b.only(c); j == i && x == l {
			found.add(c)
		}
	}
	return found
}

func (b *board) kill(c int) {
	n := b.now
	n.dead.add(c)
	b.flip(c, dead)
	for s := range n.stones {
		if n.stones[s].has(c) {
			b.flip(c, status(s))
		}
	}
}

func (b *board) flip(c int, st status) {
	z, keys := &b.keys[c][st], &b.now.keys
	for i := range keys {
		keys[i] ^= z[i]
	}
}

func (b *board) cellsOf(i int, m uint64) (cells set) {
	for ; m != 0; m &= m - 1 {
		cells = cells.or(b.lines[i<<6+bits.TrailingZeros64(m)])
	}
	return cells
}
