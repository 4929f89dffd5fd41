// SPDX-License-Identifier: Apache-2.0

package lines

import (
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

// board keeps how many stones of each side every line holds. A line is known by its direction and the cell it
// begins with:
//
//	held   [ row lines, by first cell | column lines | rising | falling ]
//	         cell 0  1  2 ...
//
// Cells with which no line begins, being too near to the edge, stay zero.
type board struct {
	columns, rows int
	steps         [4]int       // to the next cell: right, up, up and right, up and left
	value         []eval.Score // of a line, by its stones
	held          [][2]uint8
	worth         [2]eval.Score // of the lines that only one side stands on
	empty         eval.Score    // lines without a stone
	all           eval.Score    // lines there are
}

func newBoard(columns, rows int, value []eval.Score) board {
	k := len(value) - 1
	right, up := max(columns-k+1, 0), max(rows-k+1, 0)
	return board{
		columns: columns, rows: rows,
		steps: [4]int{1, columns, columns + 1, columns - 1},
		value: value,
		held:  make([][2]uint8, 4*columns*rows),
		all:   eval.Score(right*rows + columns*up + 2*right*up),
	}
}

func (b *board) load(cells []game.Stone) {
	clear(b.held)
	b.worth, b.empty = [2]eval.Score{}, b.all
	for cell, s := range cells {
		if s != game.Empty {
			b.change(cell, game.Empty, s)
		}
	}
}

func (b *board) change(cell int, old, s game.Stone) {
	size := b.columns * b.rows
	for dir, step := range &b.steps {
		first, n := b.through(cell, dir)
		for i := dir*size + first; n > 0; n-- {
			h := &b.held[i]
			b.count(h, -1)
			if old != game.Empty {
				h[old-1]--
			}
			if s != game.Empty {
				h[s-1]++
			}
			b.count(h, +1)
			i += step
		}
	}
}

// count adds sign times what a line is worth.
func (b *board) count(h *[2]uint8, sign eval.Score) {
	switch {
	case h[0] != 0 && h[1] != 0:
	case h[0] != 0:
		b.worth[0] += sign * b.value[h[0]]
	case h[1] != 0:
		b.worth[1] += sign * b.value[h[1]]
	default:
		b.empty += sign
	}
}

// through returns the first cell of the first line through a cell in a direction, and how many such lines there
// are: they begin one step apart.
func (b *board) through(cell, dir int) (first, n int) {
	k := len(b.value) - 1
	y := int(uint32(cell) / uint32(b.columns))
	x := cell - y*b.columns
	right, up := b.columns-1-x, b.rows-1-y
	var behind, ahead int // cells between this one and the edge
	switch dir {
	case 0:
		behind, ahead = x, right
	case 1:
		behind, ahead = y, up
	case 2:
		behind, ahead = min(x, y), min(right, up)
	case 3:
		behind, ahead = min(right, y), min(x, up)
	}
	behind, ahead = min(behind, k-1), min(ahead, k-1)
	return cell - behind*b.steps[dir], max(behind+ahead+2-k, 0)
}
