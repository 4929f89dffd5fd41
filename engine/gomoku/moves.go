// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/bits"

	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
)

// scored is a move, given by its cell, and the move's rating.
type scored struct {
	score int32
	cell  uint16
}

type moveList [maxSide * maxSide]scored

// pick swaps move i with the best of the moves i to n-1, and returns this best move.
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

// Bonuses for the move from the table and for the counter move.
const (
	scoreTable   = 1 << 20
	scoreCounter = 60
)

// appearance returns the static rating of a move of the side to move on c.
func (b *board) appearance(c int) int32 {
	return int32(b.kindOf(b.turn, c).attack) + int32(b.kindOf(b.turn.Other(), c).defend)
}

// distances contains the kind of the distance between two cells (network.Distance). The index is gridCells plus the number of
// the first cell minus the number of the second cell.
var distances = func() (t [2 * gridCells]uint8) {
	for dy := -4; dy <= 4; dy++ {
		for dx := -4; dx <= 4; dx++ {
			t[gridCells+dy*stride+dx] = network.Distance(dx, dy)
		}
	}
	return t
}()

// place returns the place of cell c (network.Place): one number that stands for the distances of c from each of the last two
// stones.
func (b *board) place(c int) uint8 {
	var kinds [2]uint8
	for i := range kinds {
		if last := b.last(1 + i); last != 0 {
			kinds[i] = distances[(gridCells+c-last)&(2*gridCells-1)]
		}
	}
	return network.Place(kinds[0], kinds[1])
}

// list fills l with the empty cells of a zone, which is a set of cells, and returns their number.
func (b *board) list(l *moveList, z *zone) int {
	n := 0
	for y := margin; y < margin+b.rule.rows; y++ {
		for row := z[y] & b.free[y]; row != 0; row &= row - 1 {
			c := y*stride + bits.TrailingZeros32(row)
			l[n] = scored{b.appearance(c), uint16(c)}
			n++
		}
	}
	return n
}

// generate fills l with the moves that are worth a search and returns their number. If the enemy can make an open four, it
// generates only moves that may stop it, because all other moves lose.
func (b *board) generate(l *moveList) int {
	switch counts := &b.counts[b.turn.Other()]; {
	case counts[openFours] > 0 && !b.loose && !b.rule.side[0].blocked:
		return b.exactDefences(l)
	case counts[openFours] > 0:
		return b.lineDefences(l)
	}
	z := b.near
	z.join(&b.hot[0])
	z.join(&b.hot[1])
	if n := b.list(l, &z); n > 0 {
		return n
	}
	// The board is empty, or all free cells are far from the stones: play in the middle if possible.
	if mid := b.cellAt(b.rule.columns/2, b.rule.rows/2); b.stones[mid] == codeEmpty {
		l[0] = scored{b.appearance(mid), uint16(mid)}
		return 1
	}
	return b.list(l, &b.free)
}

// fours fills l with the cells on which a stone of the side to move makes a four or better.
func (b *board) fours(l *moveList) int {
	z := b.making(b.turn, makesFour)
	return b.list(l, &z)
}

// blocks fills l with the moves that stop an enemy who can make five on the cell o, and returns their number. These are the
// cell o and, in caro, also the cells at the two ends of the row that the enemy would complete on o. blocks leaves out moves
// after which the enemy can still make five, and cells that are forbidden for Black in renju.
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
		b.playStone(c)
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
		l[i].score = int32(b.kinds[me&1][patterns[b.cells[l[i].cell&cellMask].code>>(16*uint(me))&0xffff]].attack)
	}
	return n
}

// beyond starts after the empty cell o, in the direction step, and returns the first cell without an enemy stone.
func (b *board) beyond(o, step int) int {
	stone := uint8(b.turn.Other()) + 1
	for o += step; b.stones[o&cellMask] == stone; o += step {
	}
	return o & cellMask
}

// isForbidden reports whether the first side may not play on the empty cell c. If two threes meet on c, the stone is placed on
// the board to examine the threes.
func (b *board) isForbidden(c int) bool {
	k := b.kindOf(game.First, c)
	return k.class == forbidden || k.maybeForbidden && (b.strict || b.doubleThree(c))
}

func (b *board) mayPlay(c int) bool {
	return b.turn != game.First || !b.rule.side[0].renju || !b.isForbidden(c)
}

// doubleThree reports whether two of the threes that Black would make on c are real. A three is real if Black may make a
// straight four of it, on a cell next to its row. CITE: Renju International Federation, The International Rules of Renju, 1996,
// section 9.
//
//	_ X X c _     the stone on c, its row, and the two cells
//	e       e
func (b *board) doubleThree(c int) bool {
	code, turn := b.cells[c&cellMask].code, b.turn
	b.turn = game.First
	b.playStone(c)
	real := 0
	for d := range 4 {
		if shape(code>>(4*d)&15).open3() && (b.straight(c, d, steps[d]) || b.straight(c, d, -steps[d])) {
			real++
		}
	}
	b.undo()
	b.turn = turn
	return real > 1
}

// straight reports whether Black may make a straight four on the first cell after the row of stones that contains c. d is the
// direction of the line, and step leads along it to the next cell.
func (b *board) straight(c, d, step int) bool {
	for b.stones[c&cellMask] == codeOwn {
		c += step
	}
	if b.stones[c&cellMask] != codeEmpty {
		return false
	}
	q := &b.cells[c&cellMask]
	return shape(q.code>>(4*d)&15) == openFour && q.class[0] != makesFive && !b.isForbidden(c)
}

func (b *board) playStone(c int) {
	f := &b.frames[b.plies]
	b.plies++
	f.cell, f.key, f.value, f.counts = uint16(c), b.key, b.value, b.counts
	side, y := b.turn, c/stride
	copy(f.near[:], b.near[y-3:y+4])
	for i, row := range &nearRows {
		b.near[(y-3+i)&(stride-1)] |= row << (uint(c)%stride - 3)
	}
	for s := range f.hot {
		copy(f.hot[s][:], b.hot[s][y-maxReach:y+maxReach+1])
	}
	q := &b.cells[c&cellMask]
	b.value -= int32(q.value)
	f.seen[0] = network.Change{From: q.patterns, To: network.None}
	b.counts[0][q.class[0]&15]--
	b.counts[1][q.class[1]&15]--
	b.key ^= stoneKey(side, c)
	b.stones[c&cellMask] = uint8(side) + 1
	b.free[y&(stride-1)] &^= 1 << (uint(c) % stride)
	b.empty--
	b.turn ^= 1
	n := 0
	for d := range 4 {
		n = b.redraw(f, n, d, c, uint64(side)+1)
	}
	f.changes = uint16(n)
	b.recode(f, n)
}

// redraw places a stone in its line of direction d, and finds the empty cells near it whose codes change. It appends these cells
// and their new codes to f.changed, which has n entries before the call, and returns the new number of entries. To be fast, it
// has no branches that depend on the stones: a processor would often predict them wrongly.
func (b *board) redraw(f *frame, n, d, c int, stone uint64) int {
	line, at := lineOf(d, c)
	word := &b.lines[d&3][line&(lineCount-1)]
	*word ^= stone << (2 * uint(at) & 63)
	r := uint(b.reach)
	low := uint64(1)<<(2*r&63) - 1
	high, middle := low<<(2*r&63), uint64(3)<<(2*r&63)
	tables, mask, step := b.tables, uint32(0x000f000f)<<(4*d&31), steps[d&3]
	// The first cell is r places before c on the line. Its state depends on the places up to r before and after it, which are
	// the lowest bits of w.
	w := bits.RotateLeft64(*word, 2*(2*int(r)-at))
	for cell, end := c-int(r)*step, c+int(r+1)*step; cell != end; cell, w = cell+step, w>>2 {
		key := w&low | w>>2&high
		code := b.cells[cell&cellMask].code
		changed := (code ^ spread(tables[key&keyMask])<<(4*d&31)) & mask
		f.changed[n].cell, f.changed[n].code = uint16(cell), code^changed
		// Keep the entry if the cell is empty and its code changes.
		n += int((w&middle - 1) >> 63 & (uint64(-changed|changed) >> 31))
	}
	return n
}

// recode gives each cell of the first n changes in f.changed the code that its change contains. It replaces the state in the
// change by the cell's old state, and writes the change for the network. Like redraw, it has no branches that depend on the
// stones: it first collects in f.moved the changes that change a class, which are about half of them.
func (b *board) recode(f *frame, n int) {
	m, sum := 0, b.value
	for i := range f.changed[:n] {
		change := &f.changed[i]
		code := change.code
		q := &b.cells[change.cell&cellMask]
		change.cellState = *q
		to := cellOf(code)
		f.seen[1+i] = network.Change{From: q.patterns, To: to}
		first, second := &b.kinds[0][to.First], &b.kinds[1][to.Second]
		value := first.value - second.value
		sum += int32(value) - int32(q.value)
		f.moved[m] = uint8(i)
		m += int(has(uint16(q.class[0]^first.class) | uint16(q.class[1]^second.class)))
		q.code, q.patterns, q.value = code, to, value
		q.class[0], q.class[1] = first.class, second.class
	}
	b.value = sum
	for _, i := range f.moved[:m] {
		change := &f.changed[i]
		cell := int(change.cell)
		q := &b.cells[cell&cellMask]
		b.reclass(0, cell, change.class[0], q.class[0])
		b.reclass(1, cell, change.class[1], q.class[1])
	}
}

func (b *board) reclass(s, cell int, old, now class) {
	counts := &b.counts[s&1]
	counts[old&15]--
	counts[now&15]++
	b.hot[s&1][cell/stride&(stride-1)] ^= (isHot[old&15] ^ isHot[now&15]) << (uint(cell) % stride)
}

// isHot contains 1 for the classes of the cells in board.hot, and 0 for the others.
var isHot = func() (t [16]uint32) {
	for c := makesThree; c < numClasses; c++ {
		t[c] = 1
	}
	return t
}()

func (b *board) undo() {
	b.plies--
	b.fresh = min(b.fresh, b.plies)
	f := &b.frames[b.plies]
	b.turn ^= 1
	b.key, b.value, b.counts = f.key, f.value, f.counts
	c := int(f.cell)
	if c == 0 {
		return
	}
	y := c / stride
	copy(b.near[y-3:y+4], f.near[:])
	for s := range f.hot {
		copy(b.hot[s][y-maxReach:y+maxReach+1], f.hot[s][:])
	}
	stone := uint64(b.stones[c&cellMask])
	b.stones[c&cellMask] = codeEmpty
	b.free[y&(stride-1)] |= 1 << (uint(c) % stride)
	b.empty++
	for d := range 4 {
		line, at := lineOf(d, c)
		b.lines[d][line&(lineCount-1)] ^= stone << (2 * uint(at) & 63)
	}
	for i := range f.changed[:f.changes] {
		old := &f.changed[i]
		b.cells[old.cell&cellMask] = old.cellState
	}
}

func (b *board) pass() {
	f := &b.frames[b.plies]
	b.plies++
	f.cell, f.key, f.value, f.counts, f.changes = 0, b.key, b.value, b.counts, 0
	b.turn ^= 1
}
