// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/threat"
)

// layout is where things stand on the screen.
//
//	0        left              panel
//	  15  . . . X . . .        gomoku          row 0: top
//	  14  . . O . . . .        first to move
//	   1  . . . . . . .
//	      a b c d e f g        names
//	  status
type layout struct {
	left, top      int // of the first cell shown
	col, row       int // the first column and the top row shown
	columns, rows  int // shown
	panel          int // column of the panel; 0: there is no room for it
	all            int // columns of the board
	blockC, blockR int // cells between separators; 0: none
}

const (
	cellWidth  = 2
	panelWidth = 34
)

func (m *model) layout() layout {
	l := layout{left: 5, top: 0, all: m.columns}
	if g, ok := m.g.(interface{ Blocks() (columns, rows int) }); ok {
		l.blockC, l.blockR = g.Blocks()
	}
	room := m.width - l.left
	if m.width >= 60 {
		room -= panelWidth
	}
	l.columns = max(min(m.columns, (room-l.gaps(m.columns, l.blockC)*2)/cellWidth), 1)
	l.rows = max(min(m.rows, m.height-3-l.gaps(m.rows, l.blockR)), 1)
	// The window follows the cursor, which stays in its middle except near the edges.
	column, row := m.cursor%m.columns, m.cursor/m.columns
	l.col = min(max(column-l.columns/2, 0), m.columns-l.columns)
	l.row = max(min(row+l.rows/2, m.rows-1), l.rows-1)
	if m.width >= 60 {
		l.panel = l.left + l.columns*cellWidth + l.gaps(l.columns, l.blockC)*2 + 3
	}
	return l
}

// gaps returns how many separators stand between n cells.
func (layout) gaps(n, block int) int {
	if block == 0 {
		return 0
	}
	return (n - 1) / block
}

// cellAt returns the cell under a point of the screen.
func (l layout) cellAt(x, y int) (int, bool) {
	for r := range l.rows {
		for c := range l.columns {
			cx := l.left + c*cellWidth + l.gaps(c+1, l.blockC)*2
			cy := l.top + r + l.gaps(r+1, l.blockR)
			if y == cy && (x == cx || x == cx-1) {
				return l.col + c + (l.row-r)*l.all, true
			}
		}
	}
	return 0, false
}

var (
	firstStyle  = lipgloss.NewStyle().Foreground(lipgloss.Color("12")).Bold(true)
	secondStyle = lipgloss.NewStyle().Foreground(lipgloss.Color("9")).Bold(true)
	dimStyle    = lipgloss.NewStyle().Faint(true)
)

// View draws the screen.
func (m *model) View() tea.View {
	l := m.layout()
	lines := m.board(l)
	panel := m.panel(l)
	for i := range max(len(lines), len(panel)) {
		if i >= len(lines) {
			lines = append(lines, "")
		}
		if l.panel > 0 && i < len(panel) {
			lines[i] += strings.Repeat(" ", max(l.panel-lipgloss.Width(lines[i]), 1)) + panel[i]
		}
	}
	if len(lines) > m.height-1 {
		lines = lines[:m.height-1]
	}
	lines = append(lines, cut(" "+m.statusLine(l), m.width))
	v := tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "krow " + m.g.String()
	return v
}

// statusLine tells what happened; where there is no panel it also tells whose turn it is.
func (m *model) statusLine(l layout) string {
	if l.panel > 0 {
		return m.status
	}
	return strings.Join(slices.DeleteFunc([]string{m.turn(), m.status, "? help"}, func(s string) bool { return s == "" }), "   ")
}

// board draws the part of the board that fits, and the names of its columns.
func (m *model) board(l layout) []string {
	marked := m.marks()
	var lines []string
	for r := range l.rows {
		row := l.row - r
		if l.blockR > 0 && r > 0 && r%l.blockR == 0 {
			lines = append(lines, "")
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%4d", row+1)
		for c := range l.columns {
			if l.blockC > 0 && c > 0 && c%l.blockC == 0 {
				b.WriteString("  ")
			}
			b.WriteString(m.cell(l.col+c+row*m.columns, marked))
		}
		if (m.cursor/m.columns == row) && m.cursor%m.columns == l.col+l.columns-1 {
			b.WriteString("]")
		}
		lines = append(lines, b.String())
	}
	var b strings.Builder
	b.WriteString("    ")
	for c := range l.columns {
		if l.blockC > 0 && c > 0 && c%l.blockC == 0 {
			b.WriteString("  ")
		}
		fmt.Fprintf(&b, "%2s", m.columnName(l.col+c))
	}
	return append(lines, b.String())
}

func (m *model) columnName(c int) string {
	if m.falls() {
		return fmt.Sprint((c + 1) % 100)
	}
	name := game.FormatCell(c, m.columns)
	return name[:len(name)-1]
}

// marks returns the empty cells on which a row would be completed, and those of the hint.
func (m *model) marks() map[int]string {
	marked := map[int]string{}
	if lined, ok := m.p.(game.Lined); ok && m.threats {
		for _, t := range threat.Find(lined) {
			if t.Gap >= 0 {
				marked[t.Gap] = "*"
			}
		}
	}
	if cell, ok := m.cellOf(m.hint); ok {
		marked[cell] = "?"
	}
	return marked
}

// cell draws a cell in two characters: a bracket if the cursor or the last move is at its left, and what stands
// there.
func (m *model) cell(cell int, marked map[int]string) string {
	left := " "
	switch {
	case cell == m.cursor:
		left = "["
	case cell%m.columns > 0 && cell-1 == m.cursor:
		left = "]"
	case len(m.last) > 0 && m.last[len(m.last)-1] == cell:
		left = ">"
	}
	switch m.p.Cells()[cell] {
	case game.FirstStone:
		return left + firstStyle.Render("X")
	case game.SecondStone:
		return left + secondStyle.Render("O")
	}
	if mark, ok := marked[cell]; ok {
		return left + mark
	}
	if slices.Contains(m.cells, cell) {
		return left + "."
	}
	return left + dimStyle.Render("-")
}

func (m *model) turn() string {
	if m.p.Outcome() != game.Ongoing {
		return m.p.Outcome().String()
	}
	s := fmt.Sprintf("%s (%s) to move", letter(m.p.Turn()), m.o.Players[m.p.Turn()].Name())
	if m.thinking {
		s += " ..."
	}
	return s
}

func letter(s game.Side) string { return [...]string{"X", "O"}[s] }

// panel is the column of text at the right of the board.
func (m *model) panel(l layout) []string {
	if l.panel == 0 {
		return nil
	}
	room := m.width - l.panel
	lines := []string{
		m.g.String(),
		fmt.Sprintf("X %s", m.o.Players[game.First].Name()),
		fmt.Sprintf("O %s", m.o.Players[game.Second].Name()),
		"",
		m.turn(),
		"",
	}
	lines = append(lines, m.infoLines()...)
	lines = append(lines, "")
	lines = append(lines, m.threatLines()...)
	keys := []string{"arrows, enter: move   u: undo", "h: hint  t: threats  q: leave"}
	if m.help {
		keys = []string{
			"arrows or mouse: choose a cell", "enter, space, click: play there", "u: take back your last move",
			"h: a hint from the best player", "t: show or hide threats", "q: leave", "* completes a row  > last move",
		}
	}
	if gap := m.height - 2 - len(lines) - len(keys); gap > 0 {
		lines = append(lines, make([]string, min(gap, 3))...)
	}
	lines = append(lines, keys...)
	for i := range lines {
		lines[i] = cut(lines[i], room)
	}
	return lines
}

// infoLines tell what the thinker says: worth, depth, nodes, line.
func (m *model) infoLines() []string {
	if !m.showInfo || len(m.info.PV) == 0 {
		return []string{"", "", ""}
	}
	i := m.info
	var names []string
	for _, mv := range i.PV[:min(len(i.PV), 8)] {
		names = append(names, m.g.Format(mv))
	}
	return []string{
		fmt.Sprintf("score %s  depth %d", score(i.Score), i.Depth),
		fmt.Sprintf("%d nodes in %.1f s", i.Nodes, i.Time.Seconds()),
		"line " + strings.Join(names, " "),
	}
}

func score(s eval.Score) string {
	switch plies, sign := s.Distance(); sign {
	case 1:
		return fmt.Sprintf("win %d", plies)
	case -1:
		return fmt.Sprintf("loss %d", plies)
	}
	return fmt.Sprintf("%+.4g", s.Units())
}

// threatLines name the greatest threats of both sides, at most four.
func (m *model) threatLines() []string {
	lined, ok := m.p.(game.Lined)
	if !ok || !m.threats {
		return nil
	}
	all := slices.DeleteFunc(threat.Find(lined), func(t threat.Threat) bool {
		return t.Class == threat.Closed || t.Size < 2 || t.Size < lined.K()-2
	})
	slices.SortStableFunc(all, func(a, b threat.Threat) int { return b.Size - a.Size })
	var lines []string
	for _, t := range all[:min(len(all), 4)] {
		cells := make([]string, len(t.Cells))
		for i, c := range t.Cells {
			cells[i] = game.FormatCell(c, m.columns)
		}
		lines = append(lines, fmt.Sprintf("%s %s %d: %s", letter(t.Side), t.Class, t.Size, strings.Join(cells, " ")))
	}
	return lines
}

// cut shortens s to n characters; what is cut holds no style.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:max(n-1, 0)]) + "~"
}
