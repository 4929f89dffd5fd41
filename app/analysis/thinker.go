// SPDX-License-Identifier: Apache-2.0

package analysis

import (
	"context"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Thinker lets players analyse positions in goroutines, one player at a time. Only one goroutine may call its methods.
type Thinker struct {
	Pace time.Duration // minimum time of an analysis, unless Stop ends it

	stop context.CancelFunc
	idle chan struct{} // closed when the goroutine of the last call of Start has ended
}

// Thought is an intermediate or the final analysis of a position by a player.
type Thought struct {
	From  <-chan Thought // the channel that Start returned for this analysis
	Info  Info
	Final bool
	Err   error
}

// Stop stops the current analysis, if there is one.
func (t *Thinker) Stop() {
	if t.stop != nil {
		t.stop()
	}
}

// Wait waits until the current analysis has ended, but at most for the given time.
func (t *Thinker) Wait(most time.Duration) {
	if t.idle == nil {
		return
	}
	select {
	case <-t.idle:
	case <-time.After(most):
	}
}

// Start stops the current analysis, lets pl analyse a clone of p, and returns the channel of its thoughts. Only one goroutine at
// a time may use a player, so the new goroutine first waits for the previous one.
func (t *Thinker) Start(parent context.Context, pl player.Player, p game.Position, lim search.Limits) <-chan Thought {
	t.Stop()
	ctx, cancel := context.WithCancel(parent)
	before, done, talk := t.idle, make(chan struct{}), make(chan Thought, 1)
	t.stop, t.idle = cancel, done
	p, least := p.Clone(), time.After(t.Pace)
	go func() {
		defer close(done)
		if before != nil {
			<-before
		}
		last := Thought{From: talk, Final: true, Err: ctx.Err()}
		if last.Err == nil {
			last.Info, last.Err = Ask(ctx, pl, p, lim, func(i Info) { replace(talk, Thought{From: talk, Info: i}) })
		}
		select {
		case <-least:
		case <-ctx.Done():
		}
		replace(talk, last)
	}()
	return talk
}

// replace sends t. If the previous thought has not been received yet, t replaces it, so that players never wait for the receiver.
// Only one goroutine may send on talk.
func replace(talk chan Thought, t Thought) {
	select {
	case <-talk:
	default:
	}
	talk <- t
}
