// SPDX-License-Identifier: Apache-2.0

package notation

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
)

// Offsets are how Gomocup keeps openings: numbers between commas, two for each move, x to the right and y down from the
// centre, which is the cell columns/2, rows/2 counted from 0 at the upper left:
//
//	0,0, 1,-1, -2,0        h8 i9 f8 on 15 x 15
//
// Only games in which a move is a cell have them.
//
// CITE: Piskvork and Gomocup, openings.txt; c-gomoku-cli, opening type offset.

// IsOffsets says whether a list of moves of g is meant as offsets.
func IsOffsets(g game.Game, text string) bool {
	text = strings.TrimSpace(text)
	return strings.Contains(text, ",") && text[0] != ',' && strings.Trim(text, "-+0123456789, \t") == "" && offsetBoard(g) != nil
}

// offsetBoard returns the start of a game that has offsets, or nil.
func offsetBoard(g game.Game) game.Board {
	b, ok := g.Start().(game.Board)
	if !ok || g.Moves() != len(b.Cells()) {
		return nil
	}
	return b
}

// ParseOffsets reads offsets as moves. It does not ask whether they are legal. The error is a *MoveError, or that of an odd
// number of offsets.
func ParseOffsets(g game.Game, text string) ([]game.Move, error) {
	b := offsetBoard(g)
	if b == nil {
		return nil, fmt.Errorf("moves of %s have no offsets", g)
	}
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	if len(fields)%2 != 0 {
		return nil, fmt.Errorf("%d offsets, where there are two for each move", len(fields))
	}
	columns, rows := b.Size()
	var moves []game.Move
	for i := 0; i < len(fields); i += 2 {
		x, errX := strconv.Atoi(fields[i])
		y, errY := strconv.Atoi(fields[i+1])
		col, row := columns/2+x, rows-1-(rows/2+y)
		if errX != nil || errY != nil || col < 0 || row < 0 || col >= columns || row >= rows {
			word := fields[i] + "," + fields[i+1]
			return nil, &MoveError{Number: i/2 + 1, Word: word, Err: fmt.Errorf("%q is not an offset on this board", word)}
		}
		moves = append(moves, game.Move(row*columns+col))
	}
	return moves, nil
}

// FormatOffsets writes moves of g, each in range, as ParseOffsets reads them.
func FormatOffsets(g game.Game, moves []game.Move) (string, error) {
	b := offsetBoard(g)
	if b == nil {
		return "", fmt.Errorf("moves of %s have no offsets", g)
	}
	columns, rows := b.Size()
	words := make([]string, len(moves))
	for i, m := range moves {
		col, row := int(m)%columns, int(m)/columns
		words[i] = fmt.Sprintf("%d,%d", col-columns/2, rows-1-row-rows/2)
	}
	return strings.Join(words, ", "), nil
}
