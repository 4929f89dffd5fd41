// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/game"
)

// mark is what a stone of a side on an empty cell would do.
type mark struct {
	side  game.Side
	glyph string
}

const (
	winsHere  = "*" // ends the game
	forbidden = "!" // loses it
)

// findMarks returns the marks by cell. A cell that means something to both sides has the mark of the side to move.
func findMarks(b game.Board) map[int]mark {
	marks := map[int]mark{}
	winning, losing := diagram.Marks(b)
	for _, s := range []game.Side{b.Turn().Other(), b.Turn()} {
		for glyph, points := range map[string][]diagram.Point{winsHere: winning, forbidden: losing} {
			for _, p := range points {
				if p.Side == s.String() {
					marks[p.Cell] = mark{s, glyph}
				}
			}
		}
	}
	return marks
}

// ending says who won, and with what.
func (m *model) ending() string {
	winner, won := m.p.Outcome().Winner()
	if !won {
		return m.p.Outcome().String()
	}
	text := fmt.Sprintf("%s (%s) wins", letter(winner), m.o.Players[winner].Name())
	switch small := m.v.Small; {
	case small != nil && len(small.Row) > 0:
		return text + " with small boards" + boardNames(small.Row)
	case small != nil:
		return fmt.Sprintf("%s with %d small boards", text, len(small.Won(winner)))
	case len(m.row) > 0:
		return text + " with " + m.span(m.row)
	case m.v.Reason != "":
		return text + ": " + m.cellName(m.v.Last[0]) + " is a " + m.v.Reason
	case m.captured(winner) > 0:
		return fmt.Sprintf("%s with %d captured pairs", text, m.captured(winner))
	}
	return text
}

// captured returns how many pairs s has taken.
func (m *model) captured(s game.Side) int {
	if m.v.Captured == nil {
		return 0
	}
	return m.v.Captured[s]
}

// smallSide is the side of a small board; nine of them make the board of ultimate tic-tac-toe.
const smallSide = 3

// emblems are drawn over small boards that are won and closed, a character for each cell from the top left:
//
//	\   /     / - \
//	  X       |   |
//	/   \     \ - /
var emblems = map[game.Stone]string{
	game.FirstStone:  `\ / X / \`,
	game.SecondStone: `/-\| |\-/`,
}

// smallPlace returns the small board and the cell in it, both from 0 to 8, of a place on the board.
func smallPlace(x, y int) (board, cell int) {
	return y/smallSide*smallSide + x/smallSide, y%smallSide*smallSide + x%smallSide
}

// emblem returns what is drawn over a cell whose small board is decided, and whose it is.
func (m *model) emblem(x, y int) (string, game.Stone) {
	if m.v.Small == nil {
		return "", game.Empty
	}
	board, cell := smallPlace(x, y)
	owner := m.v.Small.Owner[board]
	if owner == game.Empty || !m.v.Small.Closed[board] {
		return "", game.Empty
	}
	return emblems[owner][cell : cell+1], owner
}

// smallLines say where the side to move must play, and which small boards are won.
func smallLines(small *diagram.Small) []string {
	where := "in any open small board"
	if small.Forced >= 0 {
		where = fmt.Sprintf("in small board %d", small.Forced+1)
	}
	lines := []string{where}
	for _, s := range []game.Side{game.First, game.Second} {
		if won := small.Won(s); len(won) > 0 {
			lines = append(lines, letter(s)+" won small boards"+boardNames(won))
		}
	}
	return lines
}

func boardNames(boards []int) string {
	names := ""
	for _, b := range boards {
		names += fmt.Sprintf(" %d", b+1)
	}
	return names
}
