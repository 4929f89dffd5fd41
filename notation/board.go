// SPDX-License-Identifier: Apache-2.0

package notation

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/krow-lab/krow/game"
)

// ParseBoard reads a board in the form that FormatBoard writes. The top row comes first. An empty cell is a dot; a stone is X
// or x for the first side, and O or o for the second side. The drawing may omit spaces, row numbers, column names, the lines
// between blocks, empty lines, and the parentheses around the last move. It may also omit the last line, which contains the
// side to move and the game's Setup.Memory; then ParseBoard computes the side to move from the numbers of stones:
//
//	. . .
//	. X .
//	. . .
//	second to move, memory 2 0
func ParseBoard(g game.Game, drawing string) (game.Position, error) {
	b, err := board(g)
	if err != nil {
		return nil, err
	}
	drawn, turn, memory, err := readLines(drawing)
	if err != nil {
		return nil, err
	}
	if memory == nil && !StonesSuffice(g) {
		return nil, fmt.Errorf("%s: %w", g, ErrStones)
	}
	columns, rows := b.Size()
	if len(drawn) != rows {
		return nil, fmt.Errorf("the drawing has %d rows instead of %d", len(drawn), rows)
	}
	cells := make([]game.Stone, 0, columns*rows)
	for i := range drawn {
		row := drawn[rows-1-i]
		if len(row) != columns {
			return nil, fmt.Errorf("row %d has %d cells, not %d", i+1, len(row), columns)
		}
		cells = append(cells, row...)
	}
	return setUp(b, cells, turn, memory)
}

// IsBoard reports whether a text looks like a drawing of a board, that is, whether its first row contains only cells and
// numbers.
func IsBoard(text string) bool {
	for line := range strings.Lines(text) {
		if fields := strings.FieldsFunc(line, isFiller); !isNames(fields) {
			row, err := readRow(fields)
			return err == nil && len(row) > 0
		}
	}
	return false
}

// readLines returns the rows of a drawing, the top row first. It also returns the side to move and the memory that the last
// line of the drawing contains. Both are nil if the drawing has no such line.
func readLines(drawing string) (drawn [][]game.Stone, turn *game.Side, memory []uint8, err error) {
	for line := range strings.Lines(drawing) {
		fields := strings.FieldsFunc(line, isFiller)
		switch {
		case isNames(fields):
			continue
		case turn != nil:
			return nil, nil, nil, fmt.Errorf("%q stands below the line that says whose turn it is", strings.TrimSpace(line))
		case len(fields) > 1 && fields[1] == "to":
			turn, memory, err = readState(line)
		default:
			var row []game.Stone
			row, err = readRow(fields)
			drawn = append(drawn, row)
		}
		if err != nil {
			return nil, nil, nil, err
		}
	}
	return drawn, turn, memory, nil
}

// isNames reports whether a line is empty or consists of the names of the columns: letters, or numbers in games with falling
// stones.
func isNames(fields []string) bool {
	return len(fields) == 0 || strings.EqualFold(fields[0], "a") || isNumber(strings.Join(fields, ""))
}

// isFiller reports whether r only separates or decorates cells, so that readers of drawings ignore it.
func isFiller(r rune) bool { return strings.ContainsRune(" \t\r\n()|+-", r) }

// readRow reads the cells of a row, which may have its number at the beginning, at the end, or at neither.
func readRow(fields []string) ([]game.Stone, error) {
	if isNumber(fields[0]) {
		fields = fields[1:]
	}
	if n := len(fields) - 1; n >= 0 && isNumber(fields[n]) {
		fields = fields[:n]
	}
	var row []game.Stone
	for _, f := range fields {
		for _, r := range f {
			stone := strings.IndexRune(stoneLetters, unicode.ToUpper(r))
			if stone < 0 {
				return nil, fmt.Errorf("%q in a drawing is neither . nor X nor O", r)
			}
			row = append(row, game.Stone(stone))
		}
	}
	return row, nil
}

// readState reads "first to move", or "first to move, memory 2 0".
func readState(line string) (*game.Side, []uint8, error) {
	line = strings.TrimSpace(line)
	side, rest, _ := strings.Cut(line, " to move")
	turn, err := parseTurn(side)
	if err != nil || turn == nil {
		return nil, nil, fmt.Errorf("%q does not say whether first or second is to move", line)
	}
	if rest == "" {
		return turn, nil, nil
	}
	numbers, ok := strings.CutPrefix(rest, ", memory ")
	if !ok {
		return nil, nil, fmt.Errorf("%q after the side to move is not a memory such as \", memory 2 0\"", rest)
	}
	var memory []uint8
	for _, f := range strings.Fields(numbers) {
		n, err := strconv.ParseUint(f, 10, 8)
		if err != nil {
			return nil, nil, fmt.Errorf("memory %q is not a number from 0 to 255", f)
		}
		memory = append(memory, uint8(n))
	}
	return turn, memory, nil
}

// stoneLetters holds the letter of each game.Stone in a drawing.
const stoneLetters = ".XO"

// FormatPosition returns a drawing of the board, the top row first, with the last move in parentheses. If the position is no
// game.Board, it returns the list of moves.
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

// FormatBoard returns the text of FormatPosition and one more line. This line contains the state that the stones do not show:
// the side to move, and Setup.Memory if the game has any. ParseBoard reads the whole text back.
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

// lastCell returns the cell of the last move. If there is none, it returns a negative number, which is no cell.
func lastCell(b game.Board) int {
	history := b.AppendHistory(nil)
	if len(history) == 0 {
		return -game.MaxSide
	}
	before := b.Clone().(game.Board)
	before.Undo()
	return before.Cell(history[len(history)-1])
}

// drawer builds a drawing line by line. A line begins with the row number, which is d.label characters wide. Then it has a cell
// every d.pitch characters; the space between the cells is for names and marks.
type drawer struct {
	columns, rows           int
	blockColumns, blockRows int
	label, pitch            int
	game                    game.Game
	falls                   bool // whether stones fall, so that a move is a column
	line                    []byte
	text                    strings.Builder
}

func newDrawer(b game.Board) *drawer {
	d := &drawer{game: b.Game()}
	d.columns, d.rows = b.Size()
	d.falls = d.game.Moves() != d.columns*d.rows
	d.blockColumns, d.blockRows = d.columns, d.rows
	if g, ok := d.game.(game.Blocked); ok {
		d.blockColumns, d.blockRows = g.Blocks()
	}
	d.label = len(strconv.Itoa(d.rows))
	d.pitch = len(d.columnName(d.columns-1)) + 1
	d.line = bytes.Repeat([]byte(" "), d.at(d.columns)+2)
	return d
}

// at returns the index in d.line of the cell in the given column. The separators of the blocks to the left of the cell also
// take space in the line.
func (d *drawer) at(column int) int {
	return d.label + 2 + column*d.pitch + column/d.blockColumns*2
}

// end appends line to text without trailing spaces, and clears line.
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

// columnName returns the letters of a column. In games with falling stones it returns the name of the move in that column.
func (d *drawer) columnName(column int) string {
	if d.falls {
		return d.game.Format(game.Move(column))
	}
	return game.FormatColumn(column)
}
