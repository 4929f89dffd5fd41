// SPDX-License-Identifier: Apache-2.0

package connect4

// geometry is a size of board and the number of stones in a row that win, with the sets that follow.
type geometry struct {
	columns, rows, k int
	stride           uint
	cells            int
	quick            bool    // the lines of this board have functions of their own
	bottom, top      board   // row 0, and the spare row
	all              board   // the cells
	mine, reply      board   // the rows that a side leaves, and gets, when it answers each stone in its column
	shifts           [4]uint // from a cell to its neighbour in each direction
	column           []board // each column with its spare bit
	// Of each cell: its column, and how far that is from the edge.
	columnAt [boardBits]board
	centerAt [boardBits]int8
}

// playable returns the lowest empty cell of each column.
func (g *geometry) playable(stones board) board { return stones.plus(g.bottom).and(g.all) }

// winsAny is wins for any stride and k.
func (g *geometry) winsAny(b board) board {
	var r board
	for _, s := range g.shifts {
		for below := range g.k { // stones of the line that are below the gap
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
