// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/player"
)

// thought is what a player says about a position: an answer on the way, or the final one.
type thought struct {
	from  chan thought // the question that it answers
	info  analysis.Info
	final bool
	err   error
}

// said is what the panel shows of a thought.
type said struct {
	who  string // whose view the score is
	info analysis.Info
}

// think lets the player to move think, if it is no person and the game goes on.
func (m *model) think() tea.Cmd {
	if m.over() || m.mine() || m.paused {
		return nil
	}
	return m.ask(m.o.Players[m.p.Turn()])
}

// ask sets pl thinking about the position as it stands, and returns the command that waits for what it says. A
// player belongs to one goroutine at a time, so the new thinker waits until the one before has ended, in its
// own goroutine.
func (m *model) ask(pl player.Player) tea.Cmd {
	m.stop()
	ctx, cancel := context.WithCancel(m.ctx)
	before, done, talk := m.idle, make(chan struct{}), make(chan thought, 1)
	m.stop, m.idle, m.talk = cancel, done, talk
	p, lim, least := m.p.Clone(), m.o.Limits, time.After(m.pace)
	go func() {
		defer close(done)
		<-before
		t := thought{from: talk, final: true, err: ctx.Err()}
		if t.err == nil {
			t.info, t.err = analysis.Ask(ctx, pl, p, lim, func(i analysis.Info) { say(talk, thought{from: talk, info: i}) })
		}
		select {
		case <-least:
		case <-ctx.Done():
		}
		say(talk, t)
	}()
	return hear(talk)
}

// say puts t in the place of what has not been heard yet, so that thinkers never wait for the screen. Only one
// goroutine talks here: once the place is free it stays free.
func say(talk chan thought, t thought) {
	select {
	case <-talk:
	default:
	}
	talk <- t
}

// hear waits for the next thought. There is always one more until the final one.
func hear(talk chan thought) tea.Cmd {
	return func() tea.Msg { return <-talk }
}

// hears follows a thought, unless it is about a question of the past.
func (m *model) hears(t thought) tea.Cmd {
	if t.from != m.talk {
		return nil
	}
	side := m.p.Turn()
	who := letter(side) + " " + m.o.Players[side].Name()
	hint := m.mine()
	if hint {
		who = "hint for " + letter(side)
	}
	if len(t.info.Moves) > 0 && !t.info.Silent {
		m.said = said{who, t.info}
	}
	if !t.final {
		return hear(t.from)
	}
	m.talk = nil
	switch {
	case t.err != nil:
		m.status = fmt.Sprintf("%s: %v", who, t.err)
		m.paused = !hint
	case hint:
		m.hint = t.info.Moves[0]
		m.x, m.y = m.place(m.p.Cell(m.hint))
		m.status = "hint: " + t.info.Best
	default:
		return m.play(t.info.Moves[0])
	}
	return nil
}
