// SPDX-License-Identifier: Apache-2.0

package threat

import "github.com/krow-lab/krow/game"

// border is the content of the places around the board in a grid. With it, a loop along a line need not test for the edge.
const border game.Stone = 3

// grid is a board with a border. The rows lie one after another in memory, so one border column is enough: a step beyond the
// left edge reaches the border place of the same row, and a step beyond the right edge reaches the border place of the next
// row:
//
//	# # # # #      grid of a 4 x 2 board, stride 5; '#' is border
//	# . . . .      place of (column, row) = 1 + column + (row+1)*stride
//	# . . . .
//	# # # # # #
type grid struct {
	columns, rows int
	stride        int
	steps         [4]int // by Dir: difference between the places of neighbouring cells
	cells         []game.Stone
	lines         []line
	k             int
	exact         [2]bool
	reading       Reading
	// After this number of consecutive free cells next to a threat, the further cells of the line do not affect the threat.
	enough int
}

// line is a line of the board or a part of it: the places from, from+step, and so on; the end is given separately.
type line struct {
	from, end, step int
	dir             Dir
}

// load copies a board into the grid.
func (g *grid) load(b game.Lined, r Reading) {
	columns, rows := b.Size()
	if columns != g.columns || rows != g.rows {
		g.layOut(columns, rows)
	}
	g.k = b.K()
	g.reading = r
	g.enough = max(g.k-1, 1)
	if r.Uncapped {
		g.enough = g.k
	}
	g.exact = [2]bool{b.Exact(game.First), b.Exact(game.Second)}
	cells := b.Cells()
	for row := range rows {
		copy(g.cells[g.place(row*columns):], cells[row*columns:][:columns])
	}
}

func (g *grid) layOut(columns, rows int) {
	g.columns, g.rows, g.stride = columns, rows, columns+1
	g.steps = [4]int{Row: 1, Column: g.stride, Rising: g.stride + 1, Falling: g.stride - 1}
	g.cells = make([]game.Stone, g.stride*(rows+2)+1)
	for i := range g.cells {
		g.cells[i] = border
	}
	for row := range rows {
		clear(g.cells[g.place(row*columns):][:columns])
	}
	g.lines = g.lines[:0]
	for dir, step := range g.steps {
		for cell := range columns * rows {
			if from := g.place(cell); g.cells[from-step] == border {
				g.lines = append(g.lines, line{from, g.edge(from, step), step, Dir(dir)})
			}
		}
	}
}

// edge returns the first place of the border after at in the direction of step.
func (g *grid) edge(at, step int) int {
	for g.cells[at] != border {
		at += step
	}
	return at
}

// place returns the place of a cell on the grid. The method cell is the inverse of place.
func (g *grid) place(cell int) int {
	row := int(uint32(cell) / uint32(g.columns))
	return cell + row + g.stride + 1
}

func (g *grid) cell(place int) int {
	row := place/g.stride - 1
	return place - row - g.stride - 1
}

// piece is a threat that a scan has found.
type piece struct {
	at   int32 // the place of the threat's first stone
	span int16 // number of the threat's cells, including the gap
	kind int16
	side game.Side
}

func found(at, span int, kind Kind, side game.Side) piece {
	return piece{int32(at), int16(span), int16(kind), side}
}

// run is a maximal run of stones of one side.
type run struct {
	at, size int
	left     int // number of free cells before the run
	stone    game.Stone
	gapped   bool // whether the run belongs to a gapped threat
}

// scan appends the threats on a line or a part of a line to dst. Each end of a part must be at the border, or must have
// g.enough consecutive free cells before it.
func (g *grid) scan(dst []piece, from, end, step int) []piece {
	// The last run is appended when the scan reaches the next run or the end, because only then the number of free cells after it
	// is known.
	var last run
	free := 0
	for at := from; at != end; {
		stone := g.cells[at]
		if stone == game.Empty {
			free++
			at += step
			continue
		}
		r := run{at: at, left: free, stone: stone}
		for ; at != end && g.cells[at] == stone; at += step {
			r.size++
		}
		if g.gap(&last, &r) {
			last.gapped, r.gapped = true, true
			kind := KindOf(g.k-1, HalfOpen)
			if n := last.size + r.size; n < g.k-1 {
				right := 0
				for i := at; right < g.k && i != end && g.cells[i] == game.Empty; i += step {
					right++
				}
				kind = KindOf(n, g.class(g.k-n, g.k-n-1, last.left, right, 1))
			}
			dst = append(dst, found(last.at, last.size+1+r.size, kind, game.Side(stone-1)))
		}
		dst = g.close(dst, &last, free)
		last, free = r, 0
	}
	return g.close(dst, &last, free)
}

// gap reports whether two consecutive runs form a gapped threat.
func (g *grid) gap(a, b *run) bool {
	if b.left != 1 || a.stone != b.stone || a.size >= g.k-1 || b.size >= g.k-1 {
		return false
	}
	n := a.size + b.size
	return n == g.k-1 || g.reading.Least && n > g.k-1 || g.reading.All && n < g.k-1
}

// class returns the class of a threat. missing is the number of stones that the threat needs to become k in a row. left,
// right and gap are the numbers of free cells on its two sides and in its gap. most is the maximum number of free cells that
// count on each side.
func (g *grid) class(missing, most, left, right, gap int) Class {
	switch room := gap + min(left, most) + min(right, most); {
	case room > missing:
		return Open
	case room == missing:
		return HalfOpen
	}
	return Closed
}

// close appends r as a separate threat, unless it belongs to a gapped threat. right is the number of free cells after r.
func (g *grid) close(dst []piece, r *run, right int) []piece {
	if r.size == 0 || r.gapped {
		return dst
	}
	side := game.Side(r.stone - 1)
	missing := g.k - r.size
	if missing <= 0 {
		if missing < 0 && g.exact[side] {
			return dst
		}
		return append(dst, found(r.at, r.size, KindOf(g.k, Complete), side))
	}
	most := missing // maximum number of free cells on one side that count
	if g.reading.Uncapped {
		most++
	}
	return append(dst, found(r.at, r.size, KindOf(r.size, g.class(missing, most, r.left, right, 0)), side))
}
