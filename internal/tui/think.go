// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// thought is what a player says about a position: an answer on the way, or the final one.
type thought struct {
	from  chan thought // the question that it answers
	info  search.Info  // without PV if the player tells nothing but its move
	final bool
	move  game.Move
	err   error
}

// said is what the panel shows of a thought.
type said struct {
	who  string // whose view the score is
	info search.Info
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
		t := thought{from: talk, final: true, move: game.NoMove, err: ctx.Err()}
		if t.err == nil {
			t.info, t.move, t.err = consult(ctx, pl, p, lim, func(i search.Info) { say(talk, thought{from: talk, info: i}) })
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

// consult asks a player for its move, and for what it thinks on the way if it can tell. A player that panics
// errs like any other: the person can undo and go on.
func consult(ctx context.Context, pl player.Player, p game.Position, lim search.Limits, report func(search.Info)) (info search.Info, mv game.Move, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	a, ok := pl.(player.Analyst)
	if !ok {
		mv, err = pl.Move(ctx, p, lim)
		return search.Info{}, mv, err
	}
	info, err = a.Analyze(ctx, p, lim, func(i search.Info) {
		i.PV = slices.Clone(i.PV)
		report(i)
	})
	if err == nil && len(info.PV) == 0 {
		err = errors.New("it found no move")
	}
	if err != nil {
		return search.Info{}, game.NoMove, err
	}
	return info, info.PV[0], nil
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
	if len(t.info.PV) > 0 {
		m.said = said{who, t.info}
	}
	if !t.final {
		return hear(t.from)
	}
	m.talk = nil
	if t.err == nil && !game.Legal(m.p, t.move) {
		t.err = &game.IllegalMoveError{Move: moveName(m.p.Game(), t.move), Ply: m.p.Ply()}
	}
	switch {
	case t.err != nil:
		m.status = fmt.Sprintf("%s: %v", who, t.err)
		m.paused = !hint
	case hint:
		m.hint = t.move
		m.x, m.y = m.place(m.p.Cell(t.move))
		m.status = "hint: " + moveName(m.p.Game(), t.move)
	default:
		return m.play(t.move)
	}
	return nil
}

// moveName names a move of a player, who may have invented it.
func moveName(g game.Game, mv game.Move) string {
	if mv < 0 || int(mv) >= g.Moves() {
		return fmt.Sprint(int(mv))
	}
	return g.Format(mv)
}
