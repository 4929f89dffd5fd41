// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
)

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
	if m.small == nil {
		return "", game.Empty
	}
	board, cell := smallPlace(x, y)
	owner := m.small.Owner(board)
	if owner == game.Empty || !m.small.Closed(board) {
		return "", game.Empty
	}
	return emblems[owner][cell : cell+1], owner
}

// smallLines say where the side to move must play, and which small boards are won.
func smallLines(p *ultimate.Position) []string {
	where := "in any open small board"
	if board, forced := p.Forced(); forced {
		where = fmt.Sprintf("in small board %d", board+1)
	}
	lines := []string{where}
	for _, s := range []game.Side{game.First, game.Second} {
		if won := p.Won(s); won != 0 {
			lines = append(lines, letter(s)+" won small boards"+boardNames(won))
		}
	}
	return lines
}

func boardNames(set uint16) string {
	var b strings.Builder
	for ; set != 0; set &= set - 1 {
		fmt.Fprintf(&b, " %d", bits.TrailingZeros16(set)+1)
	}
	return b.String()
}

// smallLine returns the small boards in lines of three that s has won.
func smallLine(p *ultimate.Position, s game.Side) (line uint16) {
	won := p.Won(s)
	for three := range uint16(1 << 9) {
		if three&^won == 0 && bits.OnesCount16(three) == 3 && ultimate.HasLine(three) {
			line |= three
		}
	}
	return line
}

// smallRow returns the cells of the small boards that won the game.
func smallRow(p *ultimate.Position, s game.Side) []int {
	line := smallLine(p, s)
	columns, rows := p.Size()
	var cells []int
	for cell := range columns * rows {
		if board, _ := smallPlace(cell%columns, rows-1-cell/columns); line>>board&1 != 0 {
			cells = append(cells, cell)
		}
	}
	return cells
}

// smallEnding says with which small boards a game was won.
func smallEnding(p *ultimate.Position, s game.Side) string {
	if line := smallLine(p, s); line != 0 {
		return " with small boards" + boardNames(line)
	}
	return fmt.Sprintf(" with %d small boards", bits.OnesCount16(p.Won(s)))
}
