// SPDX-License-Identifier: Apache-2.0

package connect4

import "math/bits"

// board is a set of cells, column by column from the lowest bit, each column with a bit to spare on top that
// keeps lines from running over into the next. Columns are stride bits apart; where all fits into eight
// columns of eight bits the stride is 8, since then one instruction mirrors the board.
//
//	row 6    6 14 22 30 38 46 54    spare, always 0
//	row 5    5 13 21 29 37 45 53
//	 ...
//	row 0    0  8 16 24 32 40 48    stride 8, 7 x 6
type board uint64

const boardBits = 64

// bit returns the set of one cell.
func bit(n int) board { return 1 << (n & 63) }

func (b board) empty() bool          { return b == 0 }
func (b board) many() bool           { return b&(b-1) != 0 }
func (b board) lowest() board        { return b & -b }
func (b board) count() int           { return bits.OnesCount64(uint64(b)) }
func (b board) first() int           { return bits.TrailingZeros64(uint64(b)) }
func (b board) up(n uint) board      { return b << n }
func (b board) down(n uint) board    { return b >> n }
func (b board) less(than board) bool { return b < than }

// geometry is a size of board and the number of stones in a row that win, with the sets that follow.
type geometry struct {
	columns, rows, k int
	stride           uint
	cells            int
	quick            bool    // stride 8 and k 4: the lines have functions of their own
	bottom, top      board   // row 0, and the spare row
	all              board   // the cells
	mine, reply      board   // rows that whoever replies to each stone in its column leaves, and gets
	shifts           [4]uint // from a cell to its neighbour in each direction
	column           []board // each column, spare bit included
	// Of each cell: its column, and how far that is from the edge.
	columnAt [boardBits]board
	centerAt [boardBits]int8
}

// fits returns the stride of a board of that size, and whether it fits at all.
func fits(columns, rows int) (stride uint, ok bool) {
	if columns <= 8 && rows <= 7 && boardBits == 64 {
		return 8, true
	}
	return uint(rows + 1), columns*(rows+1) <= boardBits
}

func newGeometry(columns, rows, k int) geometry {
	stride, _ := fits(columns, rows)
	g := geometry{columns: columns, rows: rows, k: k, stride: stride, cells: columns * rows}
	g.quick = stride == 8 && k == 4
	g.shifts = [4]uint{1, stride - 1, stride, stride + 1}
	for c := range columns {
		at := c * int(stride)
		g.bottom |= bit(at)
		whole := board(0)
		for r := range rows {
			b := bit(at + r)
			g.all |= b
			whole |= b
			if (rows-r)%2 == 1 {
				g.reply |= b
			} else {
				g.mine |= b
			}
		}
		g.top |= bit(at + rows)
		whole |= bit(at + rows)
		g.column = append(g.column, whole)
		for r := range rows {
			g.columnAt[at+r] = whole
			g.centerAt[at+r] = int8(min(c, columns-1-c))
		}
	}
	return g
}

// wins returns the cells that complete k in a row of b, whether they are empty or not; some may be spare.
func (g *geometry) wins(b board) board {
	if !g.quick {
		return g.winsAny(b)
	}
	r := b << 1 & (b << 2) & (b << 3)
	r |= around7(b) | around8(b) | around9(b)
	return r
}

// around8 returns the cells that complete four in a line of cells 8 bits apart: three on one side, or two on
// one and one on the other.
func around8(b board) board {
	p := b << 8 & (b << 16)
	q := b >> 8 & (b >> 16)
	return p&(b<<24|b>>8) | q&(b>>24|b<<8)
}

func around7(b board) board {
	p := b << 7 & (b << 14)
	q := b >> 7 & (b >> 14)
	return p&(b<<21|b>>7) | q&(b>>21|b<<7)
}

func around9(b board) board {
	p := b << 9 & (b << 18)
	q := b >> 9 & (b >> 18)
	return p&(b<<27|b>>9) | q&(b>>27|b<<9)
}

// winsAny is wins for any stride and k.
func (g *geometry) winsAny(b board) board {
	var r board
	for _, s := range g.shifts {
		if g.k == 4 {
			r |= around(b, s)
			continue
		}
		for below := range g.k { // so many of the line's stones are below the gap
			r |= run(b, s, below) & runDown(b, s, g.k-1-below)
		}
	}
	return r
}

// around is around8 for cells s bits apart.
func around(b board, s uint) board {
	p := b.up(s) & b.up(2*s)
	q := b.down(s) & b.down(2*s)
	return p&(b.up(3*s)|b.down(s)) | q&(b.down(3*s)|b.up(s))
}

// run returns the cells that have n cells of b in a line just below them; runDown, above them.
func run(b board, s uint, n int) board {
	r := ^board(0)
	for i := 1; i <= n; i++ {
		r &= b.up(uint(i) * s)
	}
	return r
}

func runDown(b board, s uint, n int) board {
	r := ^board(0)
	for i := 1; i <= n; i++ {
		r &= b.down(uint(i) * s)
	}
	return r
}

// hasLine says whether b holds k in a row.
func (g *geometry) hasLine(b board) bool {
	if !g.quick {
		return g.hasLineAny(b)
	}
	v := b & (b >> 1)
	x := b & (b >> 7)
	y := b & (b >> 8)
	z := b & (b >> 9)
	return v&(v>>2)|x&(x>>14)|y&(y>>16)|z&(z>>18) != 0
}

func (g *geometry) hasLineAny(b board) bool {
	for _, s := range g.shifts {
		r := b
		for i := 1; i < g.k && r != 0; i++ {
			r &= b.down(uint(i) * s)
		}
		if r != 0 {
			return true
		}
	}
	return false
}

// mirror returns b with the columns in reverse.
func (g *geometry) mirror(b board) board {
	if g.stride == 8 {
		return board(bits.ReverseBytes64(uint64(b)) >> (64 - 8*uint(g.columns)))
	}
	var r board
	for c, whole := range g.column {
		r |= (b & whole).down(uint(c) * g.stride).up(uint(g.columns-1-c) * g.stride)
	}
	return r
}
