// SPDX-License-Identifier: Apache-2.0

package notation

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/krow-lab/krow/game"
)

// ParseBoard reads a board as FormatBoard draws it: . X O (or x o) for the cells, the top row first. Spaces, marks,
// row numbers, names of columns, separators and empty lines may be left out. So may the last line; the side to move
// then follows from the number of stones:
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
		return nil, fmt.Errorf("the drawing has %d rows, not %d", len(drawn), rows)
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

// IsBoard says whether a text looks like a drawing of a board: its first row has nothing but cells and numbers.
func IsBoard(text string) bool {
	for line := range strings.Lines(text) {
		if fields := strings.FieldsFunc(line, isFiller); !isNames(fields) {
			row, err := readRow(fields)
			return err == nil && len(row) > 0
		}
	}
	return false
}

// readLines returns the rows of a drawing, the top one first, and what its last line says.
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

// isNames says whether a line is empty or names the columns: by letters, or by numbers where stones fall.
func isNames(fields []string) bool {
	return len(fields) == 0 || strings.EqualFold(fields[0], "a") || isNumber(strings.Join(fields, ""))
}

// isFiller says whether r between cells means nothing.
func isFiller(r rune) bool { return strings.ContainsRune(" \t\r\n()|+-", r) }

// readRow reads the cells of a row, with or without its number at either end.
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
