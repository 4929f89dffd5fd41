// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/notation"
)

const keys = `enter: play   u: undo   h: hint
n: new game   s: save   ?: help   q: leave`

const help = `arrows           move the cursor
enter, click     play there
u, backspace     undo your last move
h                a hint and its line
t                show or hide threats
p                pause or continue
n, s             new game; save this one
q, esc           leave
[ ] cursor    > last turn    ? hint
*   a stone of either side wins there
!   forbidden to X   -   no move now

Small boards count from 1 at the top left
to 9, and so do the cells of each.
A score is the view of the side named, in
the unit of its heuristic; "in 7" counts
plies of both sides; solved means proved.`

const turnLine = 5

// panel returns the text next to or below the board, at most height lines.
func (m *model) panel(width, height int) []string {
	lines := []string{fmt.Sprintf("%s   at %s", m.p.Game(), m.v.CellName(m.target()))}
	if m.across.Shown < m.v.Columns || m.down.Shown < m.v.Rows {
		lines[0] += "   (part)"
	}
	lines = append(lines, m.playerLine(game.First), m.playerLine(game.Second), "", m.turn())
	if m.v.Small != nil && !m.over() {
		lines = append(lines, smallLines(m.v.Small)...)
	}
	lines = append(lines, "")
	lines = append(lines, m.saidLines(width)...)
	foot := append([]string{""}, strings.Split(keys, "\n")...)
	if m.showThreats {
		lines = append(lines, m.threatLines(height-len(lines)-len(foot))...)
	}
	if gap := height - len(lines) - len(foot); gap >= 0 {
		lines = append(lines, make([]string, gap)...)
		for _, s := range foot {
			lines = append(lines, dimStyle.Render(s))
		}
	}
	return lines[:max(min(len(lines), height), 0)]
}

func (m *model) playerLine(s game.Side) string {
	line := sideStyles[s].Render(letter(s)) + " " + m.name(s)
	if n := m.captured(s); n > 0 {
		line += fmt.Sprintf("   captured pairs: %d", n)
	}
	return line
}

func (m *model) turn() string {
	if m.over() {
		return "game over"
	}
	s := fmt.Sprintf("%s to move", letter(m.p.Turn()))
	if m.v.Left > 0 {
		s += ", " + humanize.Amount(m.v.Left, "stone", "stones") + " to place"
	}
	switch {
	case m.talk != nil:
		s += " - thinking"
	case m.paused:
		s += " - paused, p: continue"
	}
	return s
}

// saidLines returns lines with the last analysis: its value, the depth, nodes and time of the search, and its best line
// of moves.
func (m *model) saidLines(width int) []string {
	i := m.said.info
	if len(i.PV) == 0 {
		return nil
	}
	pv := "line " + notation.FormatMoves(m.p.Game(), i.Moves)
	lines := strings.Split(lipgloss.Wrap(pv, width, ""), "\n")
	return append([]string{
		m.said.who + ": " + i.Words(),
		fmt.Sprintf("depth %d  %s nodes  %.1f s", i.Depth, humanize.Count(i.Nodes), i.Time.Seconds()),
	}, append(lines[:min(len(lines), 2)], "")...)
}

// threatLines returns lines that name the greatest threats of both sides.
func (m *model) threatLines(room int) []string {
	lined, ok := m.p.(game.Lined)
	if !ok || m.over() {
		return nil
	}
	var lines []string
	for _, t := range diagram.MajorThreats(lined) {
		line := fmt.Sprintf("%s %-9s %d  %s", sideStyles[t.Side].Render(letter(t.Side)), t.Class, t.Size, m.v.Span(t.Cells))
		if t.Gap >= 0 {
			line += " gap " + m.v.CellName(t.Gap)
		}
		lines = append(lines, line)
	}
	if room = max(room, 0); len(lines) > room {
		lines = append(lines[:max(room-1, 0)], fmt.Sprintf("and %d more threats", len(lines)-max(room-1, 0)))
	}
	return lines[:min(len(lines), room)]
}

func (m *model) ending() string {
	winner, won := m.p.Outcome().Winner()
	if !won {
		return m.p.Outcome().String()
	}
	text := fmt.Sprintf("%s (%s) wins", letter(winner), m.name(winner))
	switch small := m.v.Small; {
	case small != nil && len(small.Row) > 0:
		return text + " with small boards" + boardNames(small.Row)
	case small != nil:
		return fmt.Sprintf("%s with %d small boards", text, len(small.Won(winner)))
	case len(m.row) > 0:
		return text + " with " + m.v.Span(m.row)
	case m.v.Reason != "":
		return text + ": " + m.v.CellName(m.v.Last[0]) + " is a " + m.v.Reason
	case m.captured(winner) > 0:
		return fmt.Sprintf("%s with %d captured pairs", text, m.captured(winner))
	}
	return text
}

func (m *model) captured(s game.Side) int {
	if m.v.Captured == nil {
		return 0
	}
	return m.v.Captured[s]
}

// smallLines returns lines that say where the side to move must play, and which small boards are won.
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
