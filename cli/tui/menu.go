// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/krow-lab/krow"
)

// Choose shows a menu in which the line with index at is selected at first, and returns the index of the line that the
// person chooses. It returns -1 if the person leaves or ctx is done.
func Choose(ctx context.Context, title string, all []krow.MenuItem, at int) (int, error) {
	return choose(ctx, title, all, at, tea.WithContext(ctx), tea.WithoutSignalHandler())
}

func choose(ctx context.Context, title string, all []krow.MenuItem, at int, with ...tea.ProgramOption) (int, error) {
	m := newMenu(title, all, at)
	_, err := tea.NewProgram(m, with...).Run()
	if ctx.Err() != nil {
		return -1, nil
	}
	if err != nil {
		return -1, err
	}
	return m.taken, nil
}

// menu is the state of the screen of Choose.
type menu struct {
	title         string
	all           []krow.MenuItem
	at, taken     int
	top           int // index of the first line that is shown
	width, height int
}

func newMenu(title string, all []krow.MenuItem, at int) *menu {
	return &menu{title: title, all: all, at: at, taken: -1, width: 80, height: 24}
}

func (m *menu) Init() tea.Cmd { return nil }

// Update handles a key, a turn of the mouse wheel or a new size of the screen.
func (m *menu) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			m.at--
		case tea.MouseWheelDown:
			m.at++
		}
	case tea.KeyPressMsg:
		switch msg.String() {
		case "q", "esc", "ctrl+c":
			return m, tea.Quit
		case "ctrl+z":
			return m, tea.Suspend
		case "enter", "space":
			m.taken = m.at
			return m, tea.Quit
		case "up":
			m.at--
		case "down":
			m.at++
		case "pgup":
			m.at -= max(m.room()-1, 1)
		case "pgdown":
			m.at += max(m.room()-1, 1)
		case "home":
			m.at = 0
		case "end":
			m.at = len(m.all) - 1
		}
	}
	m.at = min(max(m.at, 0), len(m.all)-1)
	return m, nil
}

// room returns the number of menu lines that fit on the screen. Three lines of the screen are used for the title, an empty
// line and the explanation of the keys.
func (m *menu) room() int { return max(m.height-3, 1) }

// View draws the screen.
func (m *menu) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "krow"
	return v
}

func (m *menu) screen() string {
	widest := 0
	for _, c := range m.all {
		if n := lipgloss.Width(c.Name); n <= m.width/3 { // longer names do not count, because they would move all descriptions to the right
			widest = max(widest, n)
		}
	}
	var lines []string
	here, group := 0, ""
	for i, c := range m.all {
		if c.Group != group {
			group = c.Group
			lines = append(lines, dimStyle.Render(group))
		}
		mark, name := "  ", c.Name
		if i == m.at {
			here = len(lines)
			mark, name = "> ", hintStyle.Render(name)
		}
		lines = append(lines, mark+name+strings.Repeat(" ", max(widest-lipgloss.Width(c.Name), 0)+2)+c.About)
	}
	// Scroll so that the selected line is visible. If the selected line is the first line of the menu, the heading above it
	// must also be visible.
	room := m.room()
	m.top = min(max(m.top, here-room+1), here)
	if here <= 1 {
		m.top = 0
	}
	m.top = max(min(m.top, len(lines)-room), 0)
	shown := lines[m.top:min(m.top+room, len(lines))]
	for len(shown) < room {
		shown = append(shown, "")
	}
	whole := "" // description of the selected line, if it does not fit into that line
	if c := m.all[m.at]; max(widest, lipgloss.Width(c.Name))+4+lipgloss.Width(c.About) > m.width {
		whole = c.About
	}
	all := slices.Concat([]string{m.title, dimStyle.Render(whole)}, shown, []string{"up, down: choose   enter: play   q: leave"})
	cut := lipgloss.NewStyle().MaxWidth(max(m.width, 1))
	for i := range all {
		all[i] = cut.Render(all[i])
	}
	return strings.Join(all[:min(len(all), max(m.height, 1))], "\n")
}
