// SPDX-License-Identifier: Apache-2.0

package notation

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
)

// StonesOptions is what a list of stones does not say.
type StonesOptions struct {
	// Turn is the side to move, "first" or "second", at the beginning of a turn. Empty: it follows from
	// the number of stones.
	Turn string
	// Captures is the number of pairs taken by the first side and by the second, "a,b", in a game with
	// captures. Empty: none.
	Captures string
}

// ParseStones returns the position in which the first side's stones, a slash, and the second side's stand,
// such as "h8 i9/h9 j10"; spaces may be commas or left out. Cells are named by column letter and row in every game, Connect Four included.
func ParseStones(g game.Game, text string, o StonesOptions) (game.Position, error) {
	b, err := board(g)
	if err != nil {
		return nil, err
	}
	if !stonesSuffice(g) {
		return nil, fmt.Errorf("%s: %w", g, ErrStones)
	}
	turn, err := parseTurn(o.Turn)
	if err != nil {
		return nil, err
	}
	memory, err := parseCaptures(b, o.Captures)
	if err != nil {
		return nil, err
	}
	first, second, ok := strings.Cut(text, "/")
	if !ok || strings.Contains(second, "/") {
		return nil, fmt.Errorf("stones are the first side's, one slash, the second side's, not %q", text)
	}
	cells := make([]game.Stone, len(b.Cells()))
	columns, rows := b.Size()
	for side, list := range [2]string{first, second} {
		names, err := words(list, 0)
		if err != nil {
			return nil, err
		}
		for _, word := range names {
			c, err := game.ParseCell(word, columns, rows)
			if err != nil {
				return nil, fmt.Errorf("stone %q is %w", word, err)
			}
			if cells[c] != game.Empty {
				return nil, fmt.Errorf("stone %q stands on a cell that is taken", word)
			}
			cells[c] = game.Side(side).Stone()
		}
	}
	return setUp(b, cells, turn, memory)
}

// FormatStones writes the stones of b as ParseStones reads them. It does not tell that a game has ended by a foul
// in Renju or by a capture in Atari-Go: those are not on the board.
func FormatStones(b game.Board) string {
	columns, _ := b.Size()
	var lists [2][]string
	for c, stone := range b.Cells() {
		if stone != game.Empty {
			side := stone - game.FirstStone
			lists[side] = append(lists[side], game.FormatCell(c, columns))
		}
	}
	return strings.Join(lists[0], " ") + "/" + strings.Join(lists[1], " ")
}

func parseTurn(s string) (*game.Side, error) {
	side := game.First
	switch s {
	case "":
		return nil, nil
	case "first":
	case "second":
		side = game.Second
	default:
		return nil, fmt.Errorf("the turn is first or second, not %q", s)
	}
	return &side, nil
}

func parseCaptures(b game.Board, s string) ([]uint8, error) {
	if s == "" {
		return nil, nil
	}
	if !captures(b) {
		return nil, fmt.Errorf("%s has no captures", b.Game())
	}
	var pairs [2]uint8
	first, second, ok := strings.Cut(s, ",")
	for i, word := range [2]string{first, second} {
		n, err := strconv.ParseUint(strings.TrimSpace(word), 10, 8)
		if !ok || err != nil {
			return nil, fmt.Errorf(`captures are pairs taken by the first side and the second, such as "2,1", not %q`, s)
		}
		pairs[i] = uint8(n)
	}
	return pairs[:], nil
}
