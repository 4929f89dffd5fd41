// SPDX-License-Identifier: Apache-2.0

package connect4

// geometry is a size of board and the number of stones in a row that win, with the sets that follow.
type geometry struct {
	columns, rows, k int
	stride           uint
	cells            int
	quick            bool    // stride 8 and k 4: the lines of a board have functions of their own
	bottom, top      board   // row 0, and the spare row
	all              board   // the cells
	mine, reply      board   // rows that whoever replies to each stone in its column leaves, and gets
	shifts           [4]uint // from a cell to its neighbour in each direction
	column           []board // each column, spare bit included
	// Of each cell: its column, and how far that is from the edge.
	columnAt [boardBits]board
	centerAt [boardBits]int8
}

func newGeometry(columns, rows, k int) geometry {
	stride, _ := fits(columns, rows)
	g := geometry{columns: columns, rows: rows, k: k, stride: stride, cells: columns * rows}
	g.quick = stride == 8 && k == 4
	g.shifts = [4]uint{1, stride - 1, stride, stride + 1}
	for c := range columns {
		at := c * int(stride)
		g.bottom = g.bottom.or(bit(at))
		whole := bit(at + rows)
		g.top = g.top.or(whole)
		for r := range rows {
			b := bit(at + r)
			g.all = g.all.or(b)
			whole = whole.or(b)
			if (rows-r)%2 == 1 {
				g.reply = g.reply.or(b)
			} else {
				g.mine = g.mine.or(b)
			}
		}
		g.column = append(g.column, whole)
		for r := range rows {
			g.columnAt[at+r] = whole
			g.centerAt[at+r] = int8(min(c, columns-1-c))
		}
	}
	return g
}

// playable returns the lowest empty cell of each column.
func (g *geometry) playable(stones board) board { return stones.plus(g.bottom).and(g.all) }

// winsAny is wins for any stride and k.
func (g *geometry) winsAny(b board) board {
	var r board
	for _, s := range g.shifts {
		if g.k == 4 {
			r = r.or(around(b, s))
			continue
		}
		for below := range g.k { // so many of the line's stones are below the gap
			gap := g.all
			for i := 1; i <= below && !gap.empty(); i++ {
				gap = gap.and(b.up(uint(i) * s))
			}
			for i := 1; i < g.k-below && !gap.empty(); i++ {
				gap = gap.and(b.down(uint(i) * s))
			}
			r = r.or(gap)
		}
	}
	return r
}

// around returns the cells that complete four in a line of cells s bits apart: three on one side, or two on
// one and one on the other.
func around(b board, s uint) board {
	up, down := b.up(s), b.down(s)
	p := up.and(up.up(s))
	q := down.and(down.down(s))
	return p.and(up.up(2 * s).or(down)).or(q.and(down.down(2 * s).or(up)))
}

func (g *geometry) hasLineAny(b board) bool {
	for _, s := range g.shifts {
		r := b
		for i := 1; i < g.k && !r.empty(); i++ {
			r = r.and(b.down(uint(i) * s))
		}
		if !r.empty() {
			return true
		}
	}
	return false
}

func (g *geometry) mirrorAny(b board) board {
	var r board
	for range g.columns {
		r = r.up(g.stride).or(b.and(g.column[0]))
		b = b.down(g.stride)
	}
	return r
}
