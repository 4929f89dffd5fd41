// SPDX-License-Identifier: Apache-2.0

package game

import (
	"errors"
	"strconv"
)

// MaxSide is the greatest number of columns or rows of any board.
const MaxSide = 128

// FormatCell returns the cell's name: a column letter (a..z, then aa, ab, ...) and a row counted from 1.
func FormatCell(cell, columns int) string {
	return columnName(cell%columns) + strconv.Itoa(cell/columns+1)
}

func columnName(c int) string {
	if c < 26 {
		return string(rune('a' + c))
	}
	return string([]byte{byte('a' + c/26 - 1), byte('a' + c%26)})
}

// errCell is what ParseCell returns for text that names no cell of the board.
var errCell = errors.New("not a cell of this board")

// ParseCell reads the name of a cell, as FormatCell writes it, upper case allowed.
func ParseCell(s string, columns, rows int) (int, error) {
	i, c := 0, 0
	for i < len(s) && i < 3 && isLetter(s[i]) {
		c = c*26 + int(s[i]|0x20-'a') + 1
		i++
	}
	// "+5" and "05" are numbers to Atoi, but no rows.
	if i == 0 || i == len(s) || s[i] < '1' || s[i] > '9' {
		return 0, errCell
	}
	r, err := strconv.Atoi(s[i:])
	if err != nil || c > columns || r > rows {
		return 0, errCell
	}
	return c - 1 + (r-1)*columns, nil
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
