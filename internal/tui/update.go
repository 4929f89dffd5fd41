// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/krow-lab/krow/game"
)

// Update follows a key, the mouse, a new size of the screen, or a word from a thinker.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return m, m.key(msg.String())
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			if cell, ok := m.layout().cellAt(msg.X, msg.Y); ok {
				m.cursor = cell
				return m, m.choose()
			}
		}
	case infoMsg:
		if msg.number == m.number {
			m.info, m.showInfo = msg.info, true
		}
		return m, m.listen()
	case moveMsg:
		return m, tea.Batch(m.listen(), m.answer(msg))
	}
	return m, nil
}

// answer takes the move of a thinker, unless the position has changed meanwhile.
func (m *model) answer(msg moveMsg) tea.Cmd {
	if msg.number != m.number {
		return nil
	}
	m.thinking = false
	switch {
	case msg.err != nil:
		m.status = msg.err.Error()
	case msg.hint:
		m.hint = msg.move
		m.status = "hint: " + m.g.Format(msg.move)
		if cell, ok := m.cellOf(msg.move); ok {
			m.cursor = cell
		}
	default:
		return m.play(msg.move)
	}
	return nil
}

func (m *model) cellOf(mv game.Move) (int, bool) {
	if i := slices.Index(m.moves, mv); i >= 0 {
		return m.cells[i], true
	}
	return 0, false
}

func (m *model) key(key string) tea.Cmd {
	column, row := m.cursor%m.columns, m.cursor/m.columns
	switch key {
	case "left":
		column = max(column-1, 0)
	case "right":
		column = min(column+1, m.columns-1)
	case "up":
		row = min(row+1, m.rows-1)
	case "down":
		row = max(row-1, 0)
	case "enter", "space":
		return m.choose()
	case "u", "backspace":
		return m.undo()
	case "h":
		return m.askHint()
	case "t":
		m.threats = !m.threats
	case "?":
		m.help = !m.help
	case "q", "esc", "ctrl+c":
		m.stop()
		return tea.Quit
	}
	m.cursor = column + row*m.columns
	return nil
}

func (m *model) askHint() tea.Cmd {
	if m.p.Outcome() != game.Ongoing || !m.human() || m.thinking {
		return nil
	}
	m.status = "thinking about a hint"
	return m.ask(m.o.Hinter, true)
}

// choose plays on the cell under the cursor, or in its column where stones fall.
func (m *model) choose() tea.Cmd {
	switch {
	case m.p.Outcome() != game.Ongoing:
		m.status = "the game is over: u takes back, q leaves"
		return nil
	case !m.human():
		m.status = "it is not your turn"
		return nil
	}
	for i, cell := range m.cells {
		if cell == m.cursor || m.falls() && cell%m.columns == m.cursor%m.columns {
			return m.play(m.moves[i])
		}
	}
	m.status = "no move there"
	return nil
}

// falls says whether a move is a column.
func (m *model) falls() bool { return m.g.Moves() == m.columns && m.rows > 1 }
