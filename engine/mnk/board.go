// SPDX-License-Identifier: Apache-2.0

package mnk

// side is a role in the question asked: the attacker wants k in a row, the defender wants him not to.
type side uint8

const (
	attacker side = iota
	defender
)

// A cell's worth to a side packs its open lines and what they hold:
//
//	31                               10 9              0
//	| sum of weight[stones] of lines   | number of lines |
//
// A line is open to a side while the other has no stone on it and nobody has closed it.
const (
	countBits = 10
	countMask = 1<<countBits - 1
	// weight is 1<<stones up to this many stones, and no more beyond: 512 lines of it fit into 22 bits.
	maxWeight = 12
)

func weight(stones uint8) uint32 { return 1 << min(stones, maxWeight) << countBits }

// state is all of a position that moves change. A board has one for each ply, so undoing is going back to
// the one before.
type state struct {
	stones [2]set
	// win holds the empty cells that complete a line at once, by side.
	win  [2]set
	sum  [2]uint32 // of weight[stones] over all the open lines of a side
	keys [symmetries]uint64
	// stones and openness of line l for side s: held[s*lines+l]; closed is or-ed in.
	held []uint8
	// worth of cell c to side s: worth[s*cells+c].
	worth []uint32
}

// closed marks a line that is open to nobody though stones do not say so, as two cells of it serve nothing
// else: whoever defends against it answers one with the other.
const closed = 0x80

// board is a position as the question sees it. In the weak game only the attacker's lines count, so the
// defender can do nothing but break them.
//
//	plies   state 0 | state 1 | state 2 | ...      place copies one to the next and changes that
//	                     ^ now
type board struct {
	*geometry
	weak    bool
	private bool // close lines with two cells of their own
	plies   []state
	now     *state
	ply     int
	todo    []uint8 // cells that may have closed a line
	pairs   pairing
}

func newBoard(g *geometry, weak, private bool) *board {
	b := &board{geometry: g, weak: weak, private: private, plies: make([]state, g.cells+1)}
	for i := range b.plies {
		b.plies[i].held = make([]uint8, 2*len(g.lines))
		b.plies[i].worth = make([]uint32, 2*g.cells)
	}
	b.now = &b.plies[0]
	b.pairs.owner = make([]int16, g.cells)
	return b
}

// reset puts the stones of a position on the board, none of which completes a line.
func (b *board) reset(a, d set) {
	b.ply, b.now = 0, &b.plies[0]
	n := b.now
	n.stones, n.win, n.sum, n.keys = [2]set{}, [2]set{}, [2]uint32{}, [symmetries]uint64{}
	clear(n.held)
	clear(n.worth)
	for s := attacker; s <= defender; s++ {
		for l := range b.lines {
			b.open(s, line(l))
		}
	}
	for c := range b.cells {
		if n.worth[c]|n.worth[b.cells+c] == 0 {
			b.flip(c, dead)
		}
	}
	// Lines are closed only when all stones stand: two cells of a line may be free on the way to a board on
	// which neither is.
	private := b.private
	b.private = false
	for !a.empty() {
		b.put(a.pop(), attacker)
	}
	for !d.empty() {
		b.put(d.pop(), defender)
	}
	b.private = private
	b.todo = b.todo[:0]
	for c := range b.cells {
		b.todo = append(b.todo, uint8(c))
	}
	b.settle()
}

// open counts a line that holds nothing yet; in the weak game those of the defender are closed from the start.
func (b *board) open(s side, l line) {
	if s == defender && b.weak {
		b.now.held[len(b.lines)+int(l)] = closed
		return
	}
	b.now.sum[s] += weight(0)
	for _, c := range b.line(l) {
		b.now.worth[int(s)*b.cells+int(c)] += weight(0) + 1
	}
	if b.k == 1 {
		b.now.win[s] = b.now.win[s].or(b.lines[l])
	}
}

// place puts a stone of s on the empty cell c, which does not complete a line; undo takes the last one back.
func (b *board) place(c int, s side) {
	next := &b.plies[b.ply+1]
	held, worth := next.held, next.worth
	copy(held, b.now.held)
	copy(worth, b.now.worth)
	*next = *b.now
	next.held, next.worth = held, worth
	b.ply++
	b.now = next
	b.put(c, s)
}

// heldBy returns how many stones s has on each line.
func (b *board) heldBy(s side) []uint8 { return b.now.held[int(s)*len(b.lines):][:len(b.lines)] }

func (b *board) undo() {
	b.ply--
	b.now = &b.plies[b.ply]
}

// put changes the current state.
func (b *board) put(c int, s side) {
	n, o := b.now, s^1
	own, other := n.held[int(s)*len(b.lines):], n.held[int(o)*len(b.lines):]
	worth := n.worth[int(s)*b.cells:]
	n.stones[s].add(c)
	n.win[0].remove(c)
	n.win[1].remove(c)
	b.todo = b.todo[:0]
	taken := n.stones[0].or(n.stones[1])
	for _, l := range b.through[c] {
		if own[l]&^closed == 0 && other[l]&closed == 0 {
			b.shut(o, l, weight(other[l]))
		}
		if other[l]&^closed == 0 && own[l]&closed == 0 {
			more := weight(own[l]+1) - weight(own[l])
			n.sum[s] += more
			for _, m := range b.line(l) {
				worth[m] += more
			}
			if int(own[l])+2 == b.k {
				n.win[s] = n.win[s].or(b.lines[l].minus(taken))
			}
		}
		own[l]++
	}
	// Where no line of s is left, shut has called the cell dead, or it was.
	if worth[c] != 0 {
		b.flip(c, status(s))
	}
	b.settle()
}

// shut takes an open line of s, of weight w, out of the count of its cells.
func (b *board) shut(s side, l line, w uint32) {
	n := b.now
	n.sum[s] -= w
	mine, theirs := n.worth[int(s)*b.cells:], n.worth[int(s^1)*b.cells:]
	for _, m := range b.line(l) {
		mine[m] -= w + 1
		switch {
		case mine[m]|theirs[m] == 0:
			if n.stones[s].has(int(m)) {
				b.flip(int(m), status(s))
			}
			b.flip(int(m), dead)
		case (mine[m]+theirs[m])&countMask == 1:
			b.todo = append(b.todo, m)
		}
	}
}

func (b *board) flip(c int, st status) {
	z := &b.keys[c][st]
	for i := range b.now.keys {
		b.now.keys[i] ^= z[i]
	}
}

// settle closes every line that has two empty cells on no other open line.
func (b *board) settle() {
	if !b.private {
		return
	}
	n := b.now
	for i := 0; i < len(b.todo); i++ {
		c := int(b.todo[i])
		if !b.alone(c) {
			continue
		}
		s := attacker
		if n.worth[c] == 0 {
			s = defender
		}
		l := b.only(c, s)
		alone := 0
		for _, m := range b.line(l) {
			if b.alone(int(m)) {
				alone++
			}
		}
		if alone > 1 {
			held := &n.held[int(s)*len(b.lines)+int(l)]
			b.shut(s, l, weight(*held))
			*held |= closed
		}
	}
}

// alone says whether the empty cell c is on one open line.
func (b *board) alone(c int) bool {
	n := b.now
	return (n.worth[c]+n.worth[b.cells+c])&countMask == 1 && !n.stones[0].has(c) && !n.stones[1].has(c)
}

// only returns the line through c that is open to s; there is one.
func (b *board) only(c int, s side) line {
	own, other := b.now.held[int(s)*len(b.lines):], b.now.held[int(s^1)*len(b.lines):]
	for _, l := range b.through[c] {
		if other[l]&^closed == 0 && own[l]&closed == 0 {
			return l
		}
	}
	panic("mnk: a cell counts an open line that it does not have")
}
