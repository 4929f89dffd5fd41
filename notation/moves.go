// SPDX-License-Identifier: Apache-2.0

// Package notation converts moves and positions to text and bytes, and reads them back from untrusted text and bytes.
//
// # Basics
//
//	err := notation.Play(p, "1. h8 h9 2. i9")                               // moves
//	p, err := notation.ParseStones(g, "h8 i9/h9", notation.StonesOptions{}) // stones, a slash, stones
//	p, err := notation.ParseBoard(g, drawing)                               // a drawn board
//	fmt.Print(notation.FormatPosition(p))                                   // the same, drawn
//	data, err := notation.Append(nil, p)                                    // bytes, see docs/reference/formats/position.md
//
// # What a game may add
//
// The package uses games only through the interfaces of package game. A Game may implement three optional methods:
//
//	StonesLeft(n int) (game.Side, int)   the side to move after n stones, and the number of stones left in its turn
//	StonesSuffice() bool                 false: stones and turn are not the whole state (ultimate)
//	Blocks() (columns, rows int)         the size of the blocks that a drawing separates by lines (ultimate)
//
// # Caveats
//
// A position that was read from stones, a drawing or bytes has no history, so it has no last move that could be marked or
// taken back. No input makes the package panic, and no error message has a line break.
package notation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
)

// MoveError reports that a word of a list is no legal move. Err is a *game.IllegalMoveError, game.ErrOver, or an error of
// Game.Parse.
type MoveError struct {
	Number int    // number of the word in the list, from 1
	Word   string // the word as it is in the text
	Err    error
}

// Error returns a message that contains the move and the reason why it is not legal.
func (e *MoveError) Error() string {
	illegal, isIllegal := errors.AsType[*game.IllegalMoveError](e.Err)
	switch {
	case isIllegal && illegal.Reason != "":
		return fmt.Sprintf("move %d: %q is illegal: %s", e.Number, e.Word, illegal.Reason)
	case isIllegal:
		return fmt.Sprintf("move %d: %q is illegal here", e.Number, e.Word)
	case errors.Is(e.Err, game.ErrOver):
		return fmt.Sprintf("move %d: %q comes after the end of the game", e.Number, e.Word)
	}
	return fmt.Sprintf("move %d: %v", e.Number, e.Err)
}

// Unwrap returns Err, the cause.
func (e *MoveError) Unwrap() error { return e.Err }

// ParseMoves reads a list of moves in the game's own notation, with or without separators and move numbers:
//
//	h8 h9 i9    h8,h9,i9    h8h9i9    1. h8 h9 2. i9    4455    4,4,5,5
//
// If the moves of g are cells, ParseMoves also reads offsets, the format of Gomocup's openings: two numbers for each move, the
// distances from the centre, x to the right and y down. The centre is column columns/2 and row rows/2, counted from 0 at the
// upper left. Offsets must be separated by commas:
//
//	0,0, 1,-1, -2,0        h8 i9 f8 on 15 x 15
//
// ParseMoves does not check whether the moves are legal. The error is a *MoveError, except if commas are misplaced or the
// number of offsets is odd.
//
// CITE: Piskvork and Gomocup, openings.txt; c-gomoku-cli, opening type offset.
func ParseMoves(g game.Game, text string) ([]game.Move, error) {
	_, moves, err := parse(g, text)
	return moves, err
}

// Play reads moves from text like ParseMoves and plays them on p. After an error p is unchanged.
func Play(p game.Position, text string) error {
	list, moves, err := parse(p.Game(), text)
	if err != nil {
		return err
	}
	for i, m := range moves {
		if err := game.Play(p, m); err != nil {
			for range i {
				p.Undo()
			}
			return &MoveError{Number: i + 1, Word: list[i], Err: err}
		}
	}
	return nil
}

// parse splits a list of moves into words, one for each move, and returns the words and the moves that they name.
func parse(g game.Game, text string) (list []string, moves []game.Move, err error) {
	first, last := g.Format(0), g.Format(game.Move(g.Moves()-1))
	width := 0
	if isNumber(first) && len(first) == len(last) {
		width = len(first)
	}
	if list, err = words(text, width); err != nil {
		return nil, nil, err
	}
	read := g.Parse
	if b := offsetBoard(g); b != nil && strings.Contains(text, ",") && strings.Trim(text, "-+0123456789, \t\r\n") == "" {
		if list, err = pairs(list); err != nil {
			return nil, nil, err
		}
		read = func(word string) (game.Move, error) { return parseOffset(b, word) }
	}
	moves = make([]game.Move, len(list))
	for i, w := range list {
		if moves[i], err = read(w); err != nil {
			return nil, nil, &MoveError{Number: i + 1, Word: w, Err: err}
		}
	}
	return list, moves, nil
}

// words returns the names in a list of moves or cells, without move numbers such as "12." or "12...". It begins a new word
// before a letter that follows a digit. If width is not 0, each word has at most width bytes, and a longer one is cut into
// pieces of this length.
func words(text string, width int) ([]string, error) {
	parts := strings.Split(text, ",")
	for _, part := range parts {
		if len(parts) > 1 && strings.TrimSpace(part) == "" {
			return nil, fmt.Errorf("moves %q: write a comma between two moves", text)
		}
	}
	var list []string
	for _, f := range strings.Fields(strings.Join(parts, " ")) {
		if number, move, ok := strings.Cut(f, "."); ok && number != "" && isNumber(number) {
			if f = strings.TrimLeft(move, "."); f == "" {
				continue
			}
		}
		for i := 1; i < len(f); i++ {
			if i == width || isNumber(f[i-1:i]) && !isNumber(f[i:i+1]) {
				list = append(list, f[:i])
				f, i = f[i:], 0
			}
		}
		list = append(list, f)
	}
	return list, nil
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// MoveNames returns the name of each move. The result is never nil, so that in JSON it is a list and not null.
func MoveNames(g game.Game, moves []game.Move) []string {
	names := make([]string, len(moves))
	for i, m := range moves {
		names[i] = g.Format(m)
	}
	return names
}

// FormatMoves returns the names of moves, separated by spaces, in a form that ParseMoves reads. Each move must be in range.
func FormatMoves(g game.Game, moves []game.Move) string {
	return strings.Join(MoveNames(g, moves), " ")
}

// offsetBoard returns the start position of g. It returns nil if the moves of g are not cells, because only a cell has an
// offset.
func offsetBoard(g game.Game) game.Board {
	b, ok := g.Start().(game.Board)
	if !ok || g.Format(0) != "a1" {
		return nil
	}
	return b
}

// pairs joins every two fields into one word, the offset of a move.
func pairs(fields []string) ([]string, error) {
	if len(fields)%2 != 0 {
		return nil, fmt.Errorf("found %d offsets, but each move needs two", len(fields))
	}
	var list []string
	for i := 0; i < len(fields); i += 2 {
		list = append(list, fields[i]+","+fields[i+1])
	}
	return list, nil
}

func parseOffset(b game.Board, word string) (game.Move, error) {
	first, second, _ := strings.Cut(word, ",")
	x, errX := strconv.Atoi(first)
	y, errY := strconv.Atoi(second)
	columns, rows := b.Size()
	col, row := columns/2+x, rows-1-(rows/2+y)
	if errX != nil || errY != nil || col < 0 || row < 0 || col >= columns || row >= rows {
		return game.NoMove, fmt.Errorf("%q is not an offset on this board", word)
	}
	return game.Move(row*columns + col), nil
}

// FormatOffsets returns moves of g as offsets that ParseMoves reads. Each move must be in range.
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
