// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/krow-lab/krow/game"
)

// The styles of the screen. Everything that a colour shows is also shown by letters.
var (
	sideStyles = [2]lipgloss.Style{
		lipgloss.NewStyle().Foreground(lipgloss.BrightBlue).Bold(true),
		lipgloss.NewStyle().Foreground(lipgloss.BrightRed).Bold(true),
	}
	hintStyle = lipgloss.NewStyle().Foreground(lipgloss.BrightGreen).Bold(true)
	dimStyle  = lipgloss.NewStyle().Faint(true)
)

func letter(s game.Side) string { return [...]string{"X", "O"}[s&1] }

// View draws the screen.
func (m *model) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "krow " + m.p.Game().String()
	return v
}

// screen returns at most height lines: the board, the panel next to or below it, and the status.
func (m *model) screen() string {
	lines := strings.Split(help, "\n")
	status := "any key goes back"
	if !m.help {
		lines, status = m.boardLines(), m.status
		width, height, beside := m.panelRoom()
		switch {
		case beside:
			lines = join(lines, m.panel(width, height), m.boardWidth()+2)
		case height >= turnLine:
			lines = append(lines, m.panel(width, height)...)
		case !m.over():
			status = m.turn() + "   " + status
		}
		if m.across.shown < m.across.total || m.down.shown < m.down.total {
			status = strings.TrimSpace(status) + "   part of the board"
		}
	}
	for len(lines) < m.height-1 {
		lines = append(lines, "")
	}
	if m.then != nil {
		status = "save the game?   y: yes   n: no   other keys: back to the game"
	}
	lines = append(lines[:max(m.height-1, 0)], status)
	cut := lipgloss.NewStyle().MaxWidth(max(m.width, 1))
	for i := range lines {
		lines[i] = cut.Render(lines[i])
	}
	return strings.Join(lines, "\n")
}

// join puts the lines of right next to the lines of left. The lines of right begin at the given column.
func join(left, right []string, column int) []string {
	for i, s := range right {
		if i == len(left) {
			left = append(left, "")
		}
		if s != "" {
			left[i] += strings.Repeat(" ", column-lipgloss.Width(left[i])) + s
		}
	}
	return left
}

// boardLines draws the part of the board that is shown, and the names of its columns.
func (m *model) boardLines() []string {
	var lines []string
	for slot := range m.down.slots() {
		if y, ok := m.down.at(slot); ok {
			lines = append(lines, m.rowLine(y))
			continue
		}
		lines = append(lines, m.ruleLine())
	}
	return append(lines, m.columnNames()...)
}

// ruleLine draws the horizontal separator between two rows of small boards.
func (m *model) ruleLine() string {
	rule := strings.Repeat(" ", gutter-1)
	for slot := range m.across.slots() {
		if _, ok := m.across.at(slot); ok {
			rule += "--"
		} else {
			rule += "-+"
		}
	}
	return rule + "-"
}

func (m *model) rowLine(y int) string {
	label := strconv.Itoa(m.v.Rows - y)
	if m.v.Small != nil {
		label = ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%*s", gutter-1, label)
	before := none
	for slot := range m.across.slots() {
		x, ok := m.across.at(slot)
		if ok {
			b.WriteString(m.sign(before, x, y) + m.glyph(x, y))
			before = x
			continue
		}
		b.WriteString(m.sign(before, none, y) + dimStyle.Render("|"))
		before = none
	}
	return b.String() + m.sign(before, none, y)
}

// none is passed to the method sign instead of the number of a column, at a separator and at both ends of a row.
const none = -1

// sign draws the character between two columns of row y: the mark of the last turn, a bracket of the cursor, or a
// space.
func (m *model) sign(before, after, y int) string {
	x, row := m.place(m.target())
	switch {
	case after != none && slices.Contains(m.v.Last, m.cell(after, y)):
		return ">"
	case row == y && x == before:
		return "]"
	case row == y && x == after:
		return "["
	}
	return " "
}

func (m *model) glyph(x, y int) string {
	cell := m.cell(x, y)
	stone := m.p.Cells()[cell]
	text := letter(game.Side(stone - game.FirstStone))
	if emblem, owner := m.emblem(x, y); owner != game.Empty {
		text, stone = emblem, owner
	}
	if stone != game.Empty {
		return sideStyles[stone-game.FirstStone].Reverse(slices.Contains(m.row, cell)).Render(text)
	}
	if mv, ok := m.moves[cell]; ok && mv == m.hint {
		return hintStyle.Render("?")
	}
	if mark, ok := m.marks[cell]; ok && m.showThreats {
		return sideStyles[mark.side].Render(mark.glyph)
	}
	if _, legal := m.moves[cell]; !legal && !m.falls() && !m.over() {
		return dimStyle.Render("-")
	}
	return "."
}

// namesHeight returns the number of lines for the names of the columns. It is 0 on a nested board, because its moves name small
// boards and not columns.
func (m *model) namesHeight() int {
	if m.v.Small != nil {
		return 0
	}
	return len(m.v.Across[m.v.Columns-1])
}

// columnNames returns the lines with the names of the columns. A name longer than a letter is written from top to
// bottom.
func (m *model) columnNames() []string {
	lines := make([]string, m.namesHeight())
	for i := range lines {
		lines[i] = strings.Repeat(" ", gutter-1)
		for x := m.across.first; x < m.across.first+m.across.shown; x++ {
			lines[i] += " " + fmt.Sprintf("%*s", len(lines), m.v.Across[x])[i:i+1]
		}
	}
	return lines
}

// cellName returns the name of a cell in the notation of the game. If stones fall, this notation names only the column, so
// cellName adds the row.
func (m *model) cellName(cell int) string {
	x, y := m.place(cell)
	switch {
	case m.v.Small != nil:
		board, c := smallPlace(x, y)
		return fmt.Sprintf("%d%d", board+1, c+1)
	case m.falls():
		return fmt.Sprintf("%d,%d", x+1, m.v.Rows-y)
	}
	return game.FormatCell(cell, m.v.Columns)
}

// span returns the names of the first and the last of some cells that are on a line.
func (m *model) span(cells []int) string {
	first, last := slices.Min(cells), slices.Max(cells)
	if first == last {
		return m.cellName(first)
	}
	return m.cellName(first) + "-" + m.cellName(last)
}

// The screen, for a board that fits:
//
//	0  gutter                  panel
//	15 . . . . . . .           gomoku   at h8
//	14 . .[X]. . . .           X human
//	13 . . .>O . . .           ...
//	   a b c d e f g
//	what happened
//
// A cell takes two characters: a space or a sign, and then the stone or the dot. A separator between small boards is as wide as
// a cell. A row has one more character at its end, for the cursor's bracket.
const (
	gutter    = 4 // width of a row number, including the sign before the first cell of the row
	cellWidth = 2
	minPanel  = 34 // minimum width of a panel next to the board; if there is less room, the panel is below the board
)

// axis describes the visible part of the board in one direction. The field first is the number of the first visible cell, shown
// the number of visible cells, and total the number of all cells. A slot is a place on the screen for a cell or a separator.
// The cells between two separators form a block, and the field block is the number of cells in a block:
//
//	cell  3 4 5 | 6 7 8        first 3, shown 6, block 3
//	slot  0 1 2 3 4 5 6
type axis struct{ first, shown, total, block int }

// slot returns the number of the slot of cell i. The slot may lie outside the screen.
func (a axis) slot(i int) int { return i + i/a.block - a.first - a.first/a.block }

// slots returns the number of slots from the first to the last visible cell, including the slots of the separators between them.
func (a axis) slots() int { return a.slot(a.first+a.shown-1) + 1 }

// at returns the cell in a slot. It returns false if the slot contains a separator or is outside the visible part.
func (a axis) at(slot int) (int, bool) {
	for i := a.first; i < a.first+a.shown; i++ {
		if a.slot(i) == slot {
			return i, true
		}
	}
	return 0, false
}

func (a axis) shows(i int) bool { return i >= a.first && i < a.first+a.shown }

// fit returns the number of cells that fit into a given number of slots (room), wherever the visible part begins.
func (a axis) fit(room int) int {
	for n := a.total; n > 1; n-- {
		if separators := min((n+a.block-2)/a.block, (a.total-1)/a.block); n+separators <= room {
			return n
		}
	}
	return 1
}

// follow moves the visible part by as little as is necessary to show the cursor, with some cells around it if possible.
func (a axis) follow(cursor int) axis {
	margin := min(2, (a.shown-1)/2)
	a.first = min(max(a.first, cursor+margin-a.shown+1), cursor-margin)
	a.first = max(0, min(a.first, a.total-a.shown))
	return a
}

// arrange chooses the part of the board that is shown.
func (m *model) arrange() {
	m.across.total, m.across.block = m.v.Columns, m.v.Columns
	m.down.total, m.down.block = m.v.Rows, m.v.Rows
	if m.v.Small != nil {
		m.across.block, m.down.block = smallSide, smallSide
	}
	m.across.shown = m.across.fit((m.width - gutter) / cellWidth)
	if _, _, beside := m.panelRoom(); !beside && m.width >= 2*minPanel {
		m.across.shown = m.across.fit((m.width - gutter - 2 - minPanel) / cellWidth)
	}
	m.down.shown = m.down.fit(m.height - 1 - m.namesHeight())
	x, y := m.place(m.target())
	m.across, m.down = m.across.follow(x), m.down.follow(y)
}

func (m *model) boardWidth() int { return gutter + m.across.slots()*cellWidth }

// panelRoom returns the size of the panel, and whether it is next to the board or below.
func (m *model) panelRoom() (width, height int, beside bool) {
	if beside := m.width - m.boardWidth() - 2; beside >= minPanel {
		return beside, m.height - 1, true
	}
	return m.width, m.height - 1 - m.down.slots() - m.namesHeight(), false
}

// cellAt returns the column and the row of the cell at a point of the screen.
func (m *model) cellAt(x, y int) (column, row int, ok bool) {
	if x < gutter-1 {
		return 0, 0, false
	}
	column, onColumn := m.across.at((x - gutter + 1) / cellWidth)
	row, onRow := m.down.at(y)
	return column, row, onColumn && onRow
}
