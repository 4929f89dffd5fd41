// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
)

// Update handles a key, a mouse event, a new size of the screen, or a thought, which is a message with a player's analysis.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		cmd = m.key(msg.String())
	case tea.MouseClickMsg:
		cmd = m.click(msg)
	case analysis.Thought:
		cmd = m.showThought(msg)
	}
	m.arrange()
	return m, cmd
}

func (m *model) key(key string) tea.Cmd {
	if key == "ctrl+z" {
		return tea.Suspend
	}
	if m.then != nil {
		return m.answer(key)
	}
	if key == "q" || key == "ctrl+c" {
		return m.ask(m.leave)
	}
	if m.help {
		m.help = false
		return nil
	}
	switch key {
	case "esc":
		return m.ask(m.leave)
	case "s":
		m.save()
	case "left":
		m.x = max(m.x-1, 0)
	case "right":
		m.x = min(m.x+1, m.v.Columns-1)
	case "up":
		m.y = max(m.y-1, 0)
	case "down":
		m.y = min(m.y+1, m.v.Rows-1)
	case "enter", "space":
		return m.choose()
	case "u", "backspace":
		return m.undo()
	case "n":
		return m.ask(m.restart)
	case "p":
		return m.pause()
	case "h":
		return m.askHint()
	case "t":
		m.showThreats = !m.showThreats
	case "?":
		m.help = true
	}
	return nil
}

// ask calls its parameter, the function then, at once if all moves of the game are saved. Otherwise ask shows the question
// whether to save the game, and the method answer calls the function after the person's answer.
func (m *model) ask(then func() tea.Cmd) tea.Cmd {
	if m.o.Save == nil || m.played() == 0 || m.saved == m.line() {
		return then()
	}
	m.then, m.help = then, false
	return nil
}

func (m *model) answer(key string) tea.Cmd {
	then := m.then
	m.then, m.status = nil, ""
	switch key {
	case "y", "enter":
		if !m.save() {
			return nil
		}
	case "n", "q", "ctrl+c":
	default:
		return nil
	}
	return then()
}

// save saves the game, and reports whether it is saved.
func (m *model) save() bool {
	if m.o.Save == nil {
		return false
	}
	name, err := m.o.Save()
	if err != nil {
		m.status = err.Error()
		return false
	}
	m.saved, m.status = m.line(), "saved as "+name
	return true
}

// line returns the moves of the game as text.
func (m *model) line() string { return notation.FormatMoves(m.p.Game(), m.p.AppendHistory(nil)) }

func (m *model) leave() tea.Cmd {
	m.thinker.Stop()
	return tea.Quit
}

func (m *model) click(msg tea.MouseClickMsg) tea.Cmd {
	if m.help {
		m.help = false
		return nil
	}
	x, y, ok := m.cellAt(msg.X, msg.Y)
	if msg.Button != tea.MouseLeft || !ok {
		return nil
	}
	m.x, m.y = x, y
	return m.choose()
}

func (m *model) choose() tea.Cmd {
	mv, legal := m.moves[m.target()]
	switch {
	case m.over():
	case !m.mine():
		m.status = "it is not your turn"
	case !legal:
		m.status = "no move there"
	default:
		return m.playMove(mv)
	}
	return nil
}

// playMove makes a legal move of a person or a player, and lets the next player think.
func (m *model) playMove(mv game.Move) tea.Cmd {
	human := m.mine()
	side := m.p.Turn()
	m.p.Play(mv)
	m.paused = false
	m.settle()
	if moves := m.p.AppendHistory(nil); !m.over() {
		m.status = letter(side) + " played " + notation.FormatMoves(m.p.Game(), moves[len(moves)-len(m.v.Last):])
		if e, ok := m.o.Players[side].(player.Explainer); ok {
			m.status = cmp.Or(e.Explain(m.p), m.status) // together they can be too long for the line
		}
	}
	// If a player places a stone on a cell outside the visible part of the board, the cursor moves to the stone to show it.
	if x, y := m.v.Place(m.v.Last[0]); !human && !(m.across.Shows(x) && m.down.Shows(y)) {
		m.x, m.y = x, y
	}
	return m.letPlayerThink()
}

// undo takes moves back to the last turn of a person, or takes back one move if no person plays.
func (m *model) undo() tea.Cmd {
	p := m.p.Clone()
	for back := 1; back <= m.played(); back++ {
		p.Undo()
		if m.isHuman(p.Turn()) || !m.anyHuman() {
			return m.takeBack(back, "taken back", !m.anyHuman())
		}
	}
	m.status = "nothing to take back"
	return nil
}

func (m *model) played() int { return len(m.p.AppendHistory(nil)) - m.o.Opening }

func (m *model) restart() tea.Cmd { return m.takeBack(m.played(), "a new game", false) }

func (m *model) takeBack(moves int, status string, paused bool) tea.Cmd {
	for range moves {
		m.p.Undo()
	}
	m.status, m.paused, m.said = status, paused, said{}
	m.settle()
	return m.letPlayerThink()
}

// pause stops the player to move, or lets it think again.
func (m *model) pause() tea.Cmd {
	if m.over() || m.mine() {
		return nil
	}
	m.paused = !m.paused
	m.thinker.Stop()
	m.talk, m.status = nil, ""
	return m.letPlayerThink()
}

func (m *model) askHint() tea.Cmd {
	if !m.mine() || m.talk != nil {
		return nil
	}
	m.status = "thinking about a hint"
	return m.startThinker(m.o.Hinter)
}

// said is the part of a thought that the panel shows.
type said struct {
	who  string // name of the player who computed the score, and side for which the score counts
	info analysis.Info
}

// letPlayerThink lets the player to move think, unless it is a person or the game is over.
func (m *model) letPlayerThink() tea.Cmd {
	if m.over() || m.mine() || m.paused {
		return nil
	}
	return m.startThinker(m.o.Players[m.p.Turn()])
}

// startThinker lets pl think, and returns the command that waits for its analysis.
func (m *model) startThinker(pl player.Player) tea.Cmd {
	m.talk = m.thinker.Start(m.ctx, pl, m.p, m.o.Limits)
	return waitForThought(m.talk)
}

// waitForThought waits for the next thought. After every thought except the final one, another follows.
func waitForThought(talk <-chan analysis.Thought) tea.Cmd {
	return func() tea.Msg { return <-talk }
}

// showThought shows a thought, unless it answers an older request. For the final thought it also plays the move or shows the
// hint.
func (m *model) showThought(t analysis.Thought) tea.Cmd {
	if t.From != m.talk {
		return nil
	}
	side := m.p.Turn()
	who := letter(side) + " " + m.name(side)
	hint := m.mine()
	if hint {
		who = "hint for " + letter(side)
	}
	if len(t.Info.Moves) > 0 && !t.Info.Silent {
		m.said = said{who, t.Info}
	}
	if !t.Final {
		return waitForThought(t.From)
	}
	m.talk = nil
	switch {
	case t.Err != nil:
		m.status = fmt.Sprintf("%s: %v", who, t.Err)
		m.paused = !hint
	case hint:
		m.hint = t.Info.Moves[0]
		m.x, m.y = m.v.Place(m.p.Cell(m.hint))
		m.status = "hint: " + t.Info.Best
	default:
		return m.playMove(t.Info.Moves[0])
	}
	return nil
}
