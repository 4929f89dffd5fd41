// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/krow-lab/krow/app/diagram"
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
		if m.across.Shown < m.across.Total || m.down.Shown < m.down.Total {
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
	for slot := range m.down.Slots() {
		if y, ok := m.down.At(slot); ok {
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
	for slot := range m.across.Slots() {
		if _, ok := m.across.At(slot); ok {
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
	for slot := range m.across.Slots() {
		x, ok := m.across.At(slot)
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
	x, row := m.v.Place(m.target())
	switch {
	case after != none && slices.Contains(m.v.Last, m.v.CellAt(after, y)):
		return ">"
	case row == y && x == before:
		return "]"
	case row == y && x == after:
		return "["
	}
	return " "
}

func (m *model) glyph(x, y int) string {
	cell := m.v.CellAt(x, y)
	stone := m.p.Cells()[cell]
	text := letter(game.Side(stone - game.FirstStone))
	if emblem, owner := m.v.Emblem(x, y); owner != game.Empty {
		text, stone = emblem, owner
	}
	if stone != game.Empty {
		return sideStyles[stone-game.FirstStone].Reverse(slices.Contains(m.row, cell)).Render(text)
	}
	if mv, ok := m.moves[cell]; ok && mv == m.hint {
		return hintStyle.Render("?")
	}
	if mark, ok := m.marks[cell]; ok && m.showThreats {
		return sideStyles[mark.Side].Render(effect(mark))
	}
	if _, legal := m.moves[cell]; !legal && m.v.Look != "falling" && !m.over() {
		return dimStyle.Render("-")
	}
	return "."
}

// effect returns the character for a mark: a stone on the cell wins the game, or it loses the game because it is forbidden.
func effect(m diagram.Mark) string {
	if m.Forbidden {
		return "!"
	}
	return "*"
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
		for x := m.across.First; x < m.across.First+m.across.Shown; x++ {
			lines[i] += " " + fmt.Sprintf("%*s", len(lines), m.v.Across[x])[i:i+1]
		}
	}
	return lines
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

// arrange chooses the part of the board that is shown.
func (m *model) arrange() {
	m.across.Total, m.across.Block = m.v.Columns, m.v.Columns
	m.down.Total, m.down.Block = m.v.Rows, m.v.Rows
	if m.v.Small != nil {
		m.across.Block, m.down.Block = diagram.SmallSide, diagram.SmallSide
	}
	m.across.Shown = m.across.Fit((m.width - gutter) / cellWidth)
	if _, _, beside := m.panelRoom(); !beside && m.width >= 2*minPanel {
		m.across.Shown = m.across.Fit((m.width - gutter - 2 - minPanel) / cellWidth)
	}
	m.down.Shown = m.down.Fit(m.height - 1 - m.namesHeight())
	x, y := m.v.Place(m.target())
	m.across, m.down = m.across.Follow(x), m.down.Follow(y)
}

func (m *model) boardWidth() int { return gutter + m.across.Slots()*cellWidth }

// panelRoom returns the size of the panel, and whether it is next to the board or below.
func (m *model) panelRoom() (width, height int, beside bool) {
	if beside := m.width - m.boardWidth() - 2; beside >= minPanel {
		return beside, m.height - 1, true
	}
	return m.width, m.height - 1 - m.down.Slots() - m.namesHeight(), false
}

// cellAt returns the column and the row of the cell at a point of the screen.
func (m *model) cellAt(x, y int) (column, row int, ok bool) {
	if x < gutter-1 {
		return 0, 0, false
	}
	column, onColumn := m.across.At((x - gutter + 1) / cellWidth)
	row, onRow := m.down.At(y)
	return column, row, onColumn && onRow
}
