// SPDX-License-Identifier: Apache-2.0

package diagram

import (
	"fmt"
	"slices"

	"github.com/krow-lab/krow/game"
)

// CellAt returns the cell in column x, counted from the left, and row y, counted from the top.
func (v *Board) CellAt(x, y int) int { return x + (v.Rows-1-y)*v.Columns }

// Place returns the column and the row of a cell, counted as in CellAt.
func (v *Board) Place(cell int) (x, y int) {
	return cell % v.Columns, v.Rows - 1 - cell/v.Columns
}

// Landing returns the cell at x, y as CellAt does. In a game with falling stones it returns the cell of column x on which a stone
// would land, or the top cell if the column is full.
func (v *Board) Landing(x, y int) int {
	if !v.falling() {
		return v.CellAt(x, y)
	}
	for c := x; c < len(v.Cells); c += v.Columns {
		if v.Cells[c] == glyphs[game.Empty] {
			return c
		}
	}
	return v.CellAt(x, 0)
}

func (v *Board) falling() bool { return v.Look == "falling" }

// CellName returns the name of a cell in the notation of the game. If stones fall, this notation names only the column, so
// CellName adds the row.
func (v *Board) CellName(cell int) string {
	x, y := v.Place(cell)
	switch {
	case v.Small != nil:
		board, c := smallPlace(x, y)
		return fmt.Sprintf("%d%d", board+1, c+1)
	case v.falling():
		return fmt.Sprintf("%d,%d", x+1, v.Rows-y)
	}
	return game.FormatCell(cell, v.Columns)
}

// Span returns the names of the first and the last of some cells that are on a line.
func (v *Board) Span(cells []int) string {
	first, last := slices.Min(cells), slices.Max(cells)
	if first == last {
		return v.CellName(first)
	}
	return v.CellName(first) + "-" + v.CellName(last)
}

// WonCells returns the cells of the winning rows, including the cells of the small boards that form such a row.
func (v *Board) WonCells() []int {
	if v.Small == nil {
		return v.Row
	}
	var cells []int
	for cell := range len(v.Cells) {
		if board, _ := smallPlace(v.Place(cell)); slices.Contains(v.Small.Row, board) {
			cells = append(cells, cell)
		}
	}
	return cells
}

// SmallSide is the width and height of a small board in cells. Nine small boards make the board of ultimate tic-tac-toe.
const SmallSide = 3

// emblems are drawn over small boards that are won and closed, which means that they accept no more stones. An emblem has
// one character for each cell, from the top left:
//
//	\   /     / - \
//	  X       |   |
//	/   \     \ - /
var emblems = map[game.Stone]string{
	game.FirstStone:  `\ / X / \`,
	game.SecondStone: `/-\| |\-/`,
}

// smallPlace returns the small board that contains the cell at x, y, and the cell's number in it, both from 0 to 8.
func smallPlace(x, y int) (board, cell int) {
	return y/SmallSide*SmallSide + x/SmallSide, y%SmallSide*SmallSide + x%SmallSide
}

// Emblem returns the character that covers a cell of a small board that is won and closed, and the owner of the board.
func (v *Board) Emblem(x, y int) (string, game.Stone) {
	if v.Small == nil {
		return "", game.Empty
	}
	board, cell := smallPlace(x, y)
	owner := v.Small.Owner[board]
	if owner == game.Empty || !v.Small.Closed[board] {
		return "", game.Empty
	}
	return emblems[owner][cell : cell+1], owner
}

// Axis describes the visible part of a board in one direction. First is the number of the first visible cell, Shown the number
// of visible cells, and Total the number of all cells. A slot is a place on the screen for a cell or a separator. The cells
// between two separators form a block, and Block is the number of cells in a block:
//
//	cell  3 4 5 | 6 7 8        first 3, shown 6, block 3
//	slot  0 1 2 3 4 5 6
type Axis struct{ First, Shown, Total, Block int }

// Slot returns the number of the slot of cell i. The slot may lie outside the screen.
func (a Axis) Slot(i int) int { return i + i/a.Block - a.First - a.First/a.Block }

// Slots returns the number of slots from the first to the last visible cell, including the slots of the separators between them.
func (a Axis) Slots() int { return a.Slot(a.First+a.Shown-1) + 1 }

// At returns the cell in a slot. It returns false if the slot contains a separator or is outside the visible part.
func (a Axis) At(slot int) (int, bool) {
	for i := a.First; i < a.First+a.Shown; i++ {
		if a.Slot(i) == slot {
			return i, true
		}
	}
	return 0, false
}

// Shows reports whether cell i is visible.
func (a Axis) Shows(i int) bool { return i >= a.First && i < a.First+a.Shown }

// Fit returns the number of cells that fit into a given number of slots (room), wherever the visible part begins.
func (a Axis) Fit(room int) int {
	for n := a.Total; n > 1; n-- {
		if separators := min((n+a.Block-2)/a.Block, (a.Total-1)/a.Block); n+separators <= room {
			return n
		}
	}
	return 1
}

// Follow moves the visible part by as little as is necessary to show the cursor, with some cells around it if possible.
func (a Axis) Follow(cursor int) Axis {
	margin := min(2, (a.Shown-1)/2)
	a.First = min(max(a.First, cursor+margin-a.Shown+1), cursor-margin)
	a.First = max(0, min(a.First, a.Total-a.Shown))
	return a
}
