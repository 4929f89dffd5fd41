// SPDX-License-Identifier: Apache-2.0

package notation

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
)

// stoneLetters are drawn for the stones, by game.Stone.
const stoneLetters = ".XO"

// FormatPosition draws the board, its top row first, and marks the last move. For a game without a board it lists the
// moves.
//
//	3  . . .        3  . | .      blocks of one column and
//	2  .(X).          ---+---     one row
//	1  O . .        2  O | X
//	   a b c           a   b
func FormatPosition(p game.Position) string {
	b, ok := p.(game.Board)
	if !ok {
		return FormatMoves(p.Game(), p.AppendHistory(nil)) + "\n"
	}
	d := newDrawer(b)
	last := lastCell(b)
	for row := d.rows - 1; row >= 0; row-- {
		d.row(b.Cells()[row*d.columns:][:d.columns], row, last-row*d.columns)
		if row > 0 && row%d.blockRows == 0 {
			d.rule()
		}
	}
	d.names()
	return d.text.String()
}

// FormatBoard draws p as FormatPosition does, and adds a line for what the board does not show. ParseBoard reads it.
func FormatBoard(p game.Position) string {
	text := FormatPosition(p) + p.Turn().String() + " to move"
	if s, ok := p.(game.Settable); ok {
		for i, n := range s.Setup().Memory {
			if i == 0 {
				text += ", memory"
			}
			text += " " + strconv.Itoa(int(n))
		}
	}
	return text + "\n"
}

// lastCell returns where the last stone was placed, or a cell far below the board.
func lastCell(b game.Board) int {
	history := b.AppendHistory(nil)
	if len(history) == 0 {
		return -game.MaxSide
	}
	before := b.Clone().(game.Board)
	before.Undo()
	return before.Cell(history[len(history)-1])
}

// drawer lays out a drawing: a row number, and a cell every pitch characters, with room for names and marks.
type drawer struct {
	columns, rows           int
	blockColumns, blockRows int
	label, pitch            int
	game                    game.Game
	falls                   bool // a move is a column
	line                    []byte
	text                    strings.Builder
}

func newDrawer(b game.Board) *drawer {
	d := &drawer{game: b.Game()}
	d.columns, d.rows = b.Size()
	d.falls = d.game.Moves() != d.columns*d.rows
	d.blockColumns, d.blockRows = d.columns, d.rows
	if g, ok := d.game.(interface{ Blocks() (columns, rows int) }); ok {
		d.blockColumns, d.blockRows = g.Blocks()
	}
	d.label = len(strconv.Itoa(d.rows))
	d.pitch = len(d.columnName(d.columns-1)) + 1
	d.line = bytes.Repeat([]byte(" "), d.at(d.columns)+2)
	return d
}

// at returns the place of a column on the line; each block before it has a separator.
func (d *drawer) at(column int) int {
	return d.label + 2 + column*d.pitch + column/d.blockColumns*2
}

// end writes the line, less the spaces at its end, and makes it blank again.
func (d *drawer) end() {
	d.text.WriteString(strings.TrimRight(string(d.line), " ") + "\n")
	for i := range d.line {
		d.line[i] = ' '
	}
}

func (d *drawer) row(cells []game.Stone, row, marked int) {
	number := strconv.Itoa(row + 1)
	copy(d.line[d.label-len(number):], number)
	for c, stone := range cells {
		at := d.at(c)
		d.line[at] = stoneLetters[stone]
		if c > 0 && c%d.blockColumns == 0 {
			d.line[at-2] = '|'
		}
		if c == marked {
			d.line[at-1], d.line[at+1] = '(', ')'
		}
	}
	d.end()
}

func (d *drawer) rule() {
	for at := d.at(0) - 1; at < d.at(d.columns-1)+2; at++ {
		d.line[at] = '-'
	}
	for c := d.blockColumns; c < d.columns; c += d.blockColumns {
		d.line[d.at(c)-2] = '+'
	}
	d.end()
}

func (d *drawer) names() {
	for c := range d.columns {
		copy(d.line[d.at(c):], d.columnName(c))
	}
	d.end()
}

// columnName returns the letters of a column, or its move where stones fall.
func (d *drawer) columnName(column int) string {
	if d.falls {
		return d.game.Format(game.Move(column))
	}
	return game.FormatColumn(column)
}
