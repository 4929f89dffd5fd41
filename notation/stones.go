// SPDX-License-Identifier: Apache-2.0

package notation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
)

// StonesOptions contains the state of a position that a list of stones does not contain.
type StonesOptions struct {
	Turn     string // "first" or "second": the side to move, at the beginning of its turn; if empty, it is computed from the numbers of stones
	Captures string // numbers of pairs captured by the first and the second side, such as "2,1"; empty means none
}

// ParseStones returns the position with the stones in text: the cells of the first side, a slash, and the cells of the second
// side, as in "h8 i9/h9 j10". Cells may be separated by spaces, commas or nothing. A cell is a column letter and a row number,
// even in games whose moves have other names.
func ParseStones(g game.Game, text string, o StonesOptions) (game.Position, error) {
	b, err := board(g)
	if err != nil {
		return nil, err
	}
	if !StonesSuffice(g) {
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
		return nil, fmt.Errorf("stones must be the stones of the first side, one slash, and the stones of the second side, not %q", text)
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
				return nil, fmt.Errorf("stone %q: the cell is already occupied", word)
			}
			cells[c] = game.Side(side).Stone()
		}
	}
	return setUp(b, cells, turn, memory)
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
		return nil, fmt.Errorf("the turn must be first or second, not %q", s)
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

// ParseStones and ParseBoard return these errors, wrapped.
var (
	// ErrTurn means that no game from the start position leads to these numbers of stones, so the side to move cannot be
	// computed. The caller must set the side to move.
	ErrTurn = errors.New("do not determine whose turn it is")
	// ErrStones means that the stones and the side to move do not determine a position of this game.
	ErrStones = errors.New("a position of this game needs more than its stones")
)

func board(g game.Game) (game.Board, error) {
	b, ok := g.Start().(game.Board)
	if !ok {
		return nil, fmt.Errorf("%s has no board of stones", g)
	}
	return b, nil
}

// StonesSuffice reports whether stones and the side to move determine a position of g.
func StonesSuffice(g game.Game) bool {
	s, ok := g.(game.Remembering)
	return !ok || s.StonesSuffice()
}

// captures reports whether the Setup of p contains the number of captures of each side.
func captures(p game.Position) bool {
	s, ok := p.(game.Settable)
	return ok && len(s.Setup().Memory) == 2
}

// setUp returns the position with these cells. If turn is nil, the side to move is computed from the numbers of stones. memory
// may be nil.
func setUp(b game.Board, cells []game.Stone, turn *game.Side, memory []uint8) (game.Position, error) {
	g := b.Game()
	var placed [2]int
	for _, stone := range cells {
		if stone != game.Empty {
			placed[stone-game.FirstStone]++
		}
	}
	if captures(b) && len(memory) == 2 {
		// A captured stone was placed by the opponent of the side that captured it.
		placed[game.First] += 2 * int(memory[game.Second])
		placed[game.Second] += 2 * int(memory[game.First])
	}
	s := game.Setup{Cells: cells, Ply: placed[0] + placed[1], Memory: memory}
	if turn != nil {
		s.Turn = *turn
		return game.SetUp(g, s)
	}
	var left int
	var err error
	if s.Turn, left, err = whoseTurn(g, placed); err != nil {
		return nil, err
	}
	if left > 0 && memory == nil {
		s.Memory = []uint8{uint8(left)}
	}
	return game.SetUp(g, s)
}

// whoseTurn returns the side to move after each side has placed the given number of stones. left is the number of stones that
// this side still has to place in its turn; in games with one stone per turn left is always 0.
func whoseTurn(g game.Game, placed [2]int) (turn game.Side, left int, err error) {
	stonesLeft := func(n int) (game.Side, int) { return game.Side(n % 2), 1 }
	if turns, ok := g.(game.TurnSharer); ok {
		stonesLeft = turns.StonesLeft
	}
	several := false
	var fits [2]int
	for n := range placed[0] + placed[1] + 1 {
		if n > 0 {
			fits[turn]++
		}
		turn, left = stonesLeft(n)
		several = several || left > 1
	}
	if fits != placed {
		return 0, 0, fmt.Errorf("%d and %d stones %w", placed[0], placed[1], ErrTurn)
	}
	if !several {
		left = 0
	}
	return turn, left, nil
}
