// SPDX-License-Identifier: Apache-2.0

package notation

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
)

// FormatFEN returns p as a single line, without its history, similar to the Forsyth-Edwards notation of chess:
//
//	3/1x1/3 o 1        the rows from the top, the side to move, the number of plies played
//
// x and o are stones of the first and second side, and a number is a number of empty cells. If the state of the game has more
// parts than these, the numbers of game.Setup.Memory follow. FormatFEN returns "" for a game whose positions cannot be set
// up.
func FormatFEN(p game.Position) string {
	b, ok := p.(game.Board)
	set, settable := p.(game.Settable)
	if !ok || !settable {
		return ""
	}
	s := set.Setup()
	columns, rows := b.Size()
	var text strings.Builder
	for row := rows - 1; row >= 0; row-- {
		free := 0
		for _, stone := range s.Cells[row*columns:][:columns] {
			if stone == game.Empty {
				free++
				continue
			}
			if free > 0 {
				text.WriteString(strconv.Itoa(free))
			}
			free = 0
			text.WriteByte(" xo"[stone])
		}
		if free > 0 {
			text.WriteString(strconv.Itoa(free))
		}
		if row > 0 {
			text.WriteByte('/')
		}
	}
	fmt.Fprintf(&text, " %c %d", "xo"[s.Turn], s.Ply)
	for _, n := range s.Memory {
		fmt.Fprintf(&text, " %d", n)
	}
	return text.String()
}

// ParseFEN returns the position that FormatFEN wrote, or an error. It also accepts capital letters.
func ParseFEN(g game.Game, text string) (game.Position, error) {
	b, err := board(g)
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) < 3 {
		return nil, fmt.Errorf("a position must be the rows, x or o to move, and the number of plies, not %q", text)
	}
	columns, rows := b.Size()
	s := game.Setup{Cells: make([]game.Stone, columns*rows)}
	lines := strings.Split(fields[0], "/")
	if len(lines) != rows {
		return nil, fmt.Errorf("%s has %d rows, not %d", g, rows, len(lines))
	}
	for i, line := range lines {
		if err := readFENRow(s.Cells[(rows-1-i)*columns:][:columns], line); err != nil {
			return nil, fmt.Errorf("row %d: %w", rows-i, err)
		}
	}
	side := strings.Index("xo", fields[1])
	if len(fields[1]) != 1 || side < 0 {
		return nil, fmt.Errorf("the side to move must be x or o, not %q", fields[1])
	}
	s.Turn = game.Side(side)
	if s.Ply, err = strconv.Atoi(fields[2]); err != nil || s.Ply < 0 || s.Ply >= 1<<31 {
		return nil, fmt.Errorf("%q is not a number of plies", fields[2])
	}
	for _, word := range fields[3:] {
		n, err := strconv.ParseUint(word, 10, 8)
		if err != nil {
			return nil, fmt.Errorf("the memory must be numbers from 0 to 255, not %q", word)
		}
		s.Memory = append(s.Memory, uint8(n))
	}
	return game.SetUp(g, s)
}

// readFENRow sets the cells of a row from its text.
func readFENRow(cells []game.Stone, line string) error {
	at := 0
	for rest := line; rest != ""; {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits == 0 {
			stone := strings.IndexByte(" xo", rest[0])
			if stone < 1 || at == len(cells) {
				return fmt.Errorf("%q does not fit %d cells of x, o and numbers of empty cells", line, len(cells))
			}
			cells[at] = game.Stone(stone)
			at, rest = at+1, rest[1:]
			continue
		}
		n, err := strconv.Atoi(rest[:digits])
		if err != nil || n < 1 || n > len(cells)-at {
			return fmt.Errorf("%q does not fit %d cells", line, len(cells))
		}
		at, rest = at+n, rest[digits:]
	}
	if at != len(cells) {
		return fmt.Errorf("%q has %d cells, not %d", line, at, len(cells))
	}
	return nil
}
