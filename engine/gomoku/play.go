// SPDX-License-Identifier: Apache-2.0

package gomoku

func (b *board) play(c int) {
	f := &b.frames[b.plies]
	b.plies++
	f.cell, f.key, f.value, f.counts = uint16(c), b.key, b.value, b.counts
	side, y := b.turn, c/stride
	copy(f.near[:], b.near[y-3:y+4])
	for i, row := range &nearRows {
		b.near[(y-3+i)&(stride-1)] |= row << (uint(c)%stride - 3)
	}
	q := &b.cells[c&cellMask]
	b.value -= int32(q.value)
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
}

// redraw puts a stone into its line in direction d and updates the empty cells near it. It appends their old states to
// f.changed, of which n are used, and returns the new n.
func (b *board) redraw(f *frame, n, d, c int, stone uint64) int {
	line, at := lineOf(d, c)
	word := &b.lines[d&3][line&(lineCount-1)]
	*word ^= stone << (2 * uint(at) & 63)
	w, r := *word, uint(b.reach)
	low, step := uint32(1)<<(2*r)-1, steps[d&3]
	tables, mask := b.tables, uint32(0x000f000f)<<(4*d)
	cell := c - int(r)*step
	from := uint(at) - 2*r // where the window of the first cell begins; no cell of the board has one that begins below 0
	for i := uint(0); i <= 2*r; i, cell = i+1, cell+step {
		if b.stones[cell&cellMask] != codeEmpty {
			continue
		}
		shift := 2 * (from + i)
		key := uint32(w>>(shift&63))&low | (uint32(w>>((shift+2*r+2)&63))&low)<<(2*r)
		q := &b.cells[cell&cellMask]
		code := q.code&^mask | spread(tables[key&keyMask])<<(4*d)
		if code == q.code {
			continue
		}
		old := &f.changed[n]
		n++
		old.cell, old.cellState, old.next = uint16(cell), *q, code
		first, second := &b.kinds[0][code&0xffff], &b.kinds[1][code>>16]
		value := first.value - second.value
		b.value += int32(value) - int32(q.value)
		q.code, q.value = code, value
		if first.class != q.class[0] {
			b.reclass(0, cell, q, first.class)
		}
		if second.class != q.class[1] {
			b.reclass(1, cell, q, second.class)
		}
	}
	return n
}

func (b *board) reclass(s, cell int, q *cellState, c class) {
	counts := &b.counts[s&1]
	counts[q.class[s&1]&15]--
	counts[c&15]++
	if (q.class[s&1] >= makesThree) != (c >= makesThree) {
		b.hot[s&1][cell/stride&(stride-1)] ^= 1 << (uint(cell) % stride)
	}
	q.class[s&1] = c
}

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
		q := &b.cells[old.cell&cellMask]
		for s := range 2 {
			if (q.class[s] >= makesThree) != (old.class[s] >= makesThree) {
				b.hot[s][old.cell/stride&(stride-1)] ^= 1 << (old.cell % stride)
			}
		}
		*q = old.cellState
	}
}

func (b *board) pass() {
	f := &b.frames[b.plies]
	b.plies++
	f.cell, f.key, f.value, f.counts, f.changes = 0, b.key, b.value, b.counts, 0
	b.turn ^= 1
}
