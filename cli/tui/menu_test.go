// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/krow-lab/krow"
)

func newTestMenu() *menu {
	var all []krow.MenuItem
	for i := range 9 {
		all = append(all, krow.MenuItem{Group: "levels", Name: fmt.Sprint("level ", i+1), About: fmt.Sprintf("%d Elo above level 1", 200*i)})
	}
	all = append(all, krow.MenuItem{Group: "published players", Name: "mics (D)", About: "the best cells by missing stones, one second"})
	all = append(all, krow.MenuItem{Group: "others", Name: "random", About: "any move"})
	return newMenu("gomoku: whom do you meet?", all, 4)
}

func TestMenu(t *testing.T) {
	tests := []struct {
		name          string
		width, height int
		keys          string
		want          int
	}{
		{"menu", 80, 24, "", 4},
		{"menu-low", 40, 8, "down down down down down", 9},
		{"menu-top", 40, 8, "home", 0},
		{"menu-tiny", 10, 2, "end", 10},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m := newTestMenu()
			m.Update(tea.WindowSizeMsg{Width: tc.width, Height: tc.height})
			for key := range strings.FieldsSeq(tc.keys) {
				m.View()
				m.Update(menuKey(key))
			}
			if m.at != tc.want {
				t.Errorf("line %d is chosen, want %d", m.at, tc.want)
			}
			compare(t, tc.name, plainText(m.View().Content))
		})
	}
}

func menuKey(key string) tea.KeyPressMsg {
	if code, ok := map[string]rune{"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown}[key]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return keyMsg(key)
}

// A long name does not push the descriptions of the other lines out of a window of 80 columns.
func TestMenuLongName(t *testing.T) {
	all := []krow.MenuItem{
		{Group: "levels", Name: "level 1", About: "for beginners"}, {Group: "published players", Name: strings.Repeat("long ", 14), About: "cut"},
	}
	m := newMenu("gomoku", all, 0)
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	if got := plainText(m.View().Content); !strings.Contains(got, "> level 1  for beginners") {
		t.Errorf("the menu is\n%s", got)
	}
}

// TestMenuKeys: keys stay within the menu, enter takes a line, and q leaves without one.
func TestMenuKeys(t *testing.T) {
	for keys, want := range map[string]int{
		"enter": 4, "up enter": 3, "pgup enter": 0, "pgdown enter": 10, "end down enter": 10, "home up space": 0, "down q": -1, "esc": -1, "ctrl+c": -1,
	} {
		m := newTestMenu()
		var cmd tea.Cmd
		for key := range strings.FieldsSeq(keys) {
			if _, cmd = m.Update(menuKey(key)); cmd != nil {
				break
			}
		}
		if cmd == nil || cmd() != tea.Quit() || m.taken != want {
			t.Errorf("%s takes line %d, want %d", keys, m.taken, want)
		}
	}
}

// TestChoose drives the program itself.
func TestChoose(t *testing.T) {
	for input, want := range map[string]int{"\x1b[B\r": 1, "q": -1} {
		var out bytes.Buffer
		got, err := choose(t.Context(), "whom?", []krow.MenuItem{{Name: "x", About: "first"}, {Name: "y", About: "second"}}, 0,
			tea.WithInput(strings.NewReader(input)), tea.WithOutput(io.Writer(&out)))
		if err != nil || got != want {
			t.Errorf("%q takes %d, want %d, %v", input, got, want, err)
		}
	}
}
