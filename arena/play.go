// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/subprocess"
	"github.com/krow-lab/krow/search"
)

// forfeit ends a game by a forfeit of a side.
func forfeit(g *record.Game, side game.Side, err error) {
	g.Outcome, g.Reason = game.WinFor(side.Other()), reasonOf(err)
	if strings.Contains(err.Error(), subprocess.LastLines) {
		g.Detail = humanize.OneLine(err.Error(), maxDetail)
	}
}

// seat is a player at the board with its clock.
type seat struct {
	player player.Player
	clock  *clock.Clock
	busy   <-chan struct{} // closed when an abandoned player returns; nil while none is
}

// playMoves plays p to its end, or until ctx is done, and leaves it at the last legal move. Its history is the opening.
func (m Match) playMoves(ctx context.Context, p game.Position, seats [2]*seat, g record.Game) record.Game {
	g.Moves = p.AppendHistory(nil)
	g.Opening = len(g.Moves)
	for p.Outcome() == game.Ongoing {
		if ctx.Err() != nil {
			return g
		}
		if m.Watch != nil {
			m.Watch(g, p)
		}
		side := p.Turn()
		c := p.Clone()
		move, took, err := ask(ctx, m, seats[side], p, func(ctx context.Context, lim search.Limits) (game.Move, error) {
			return seats[side].player.Move(ctx, c, lim)
		})
		if err != nil && ctx.Err() != nil {
			continue
		}
		if err == nil {
			err = game.Play(p, move)
		}
		if err != nil {
			forfeit(&g, side, err)
			return g
		}
		g.Moves = append(g.Moves, move)
		g.Times = append(g.Times, took)
	}
	g.Outcome, g.Reason = p.Outcome(), record.Ending(p)
	return g
}

// reasonOf returns the reason of a forfeit as text for people.
func reasonOf(err error) string {
	if errors.Is(err, player.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) {
		return record.ReasonTime
	}
	if e := new(game.IllegalMoveError); errors.As(err, &e) {
		return oneLine(e)
	}
	return "error: " + oneLine(err)
}

// maxReason and maxDetail bound what a player can write into the record.
const (
	maxReason = 200
	maxDetail = 1000
)

func oneLine(err error) string { return humanize.OneLine(err.Error(), maxReason) }

// limits returns the limits of the next question to the player, which is about p. In a match with clocks the time is
// the budget of the move, or the most that it may take for a player who plans by itself.
func (s *seat) limits(lim search.Limits, p game.Position) search.Limits {
	if s.clock.Left() == clock.Unlimited {
		return lim
	}
	lim.Time, lim.Most = s.clock.Budget(game.FreeCells(p))
	if c, ok := s.player.(player.Clocked); ok {
		c.SetClock(*s.clock)
		lim.Time, lim.Most = max(s.clock.Most(), clock.Least), 0
	}
	return lim
}

// within returns a context that is done when ctx is, or when the time of the player or of the guard is over.
func (s *seat) within(ctx context.Context, guard time.Duration) (context.Context, context.CancelFunc) {
	most := s.clock.Most()
	switch {
	case most != clock.Unlimited:
		return context.WithTimeout(ctx, most)
	case guard > 0:
		return context.WithTimeout(ctx, guard)
	}
	return context.WithCancel(ctx) // a timer for each move is dear where moves are quick
}

// errLeft is the error of a player that ended its goroutine instead of returning.
var errLeft = errors.New("the player's goroutine ended")

// ask has the player of a seat answer a question about p by f, on a goroutine of its own, and takes the time from its
// clock:
//
//	0       the most it may take    + Margin             + Margin
//	├─ thinking ──────┤─ its context is done ─┤─ it has forfeited ─┤ abandoned
//
// Without a limit of time only ctx ends the wait, two margins after it is done. The time is measured in the player's
// own goroutine, because on a busy machine the answer may be picked up later.
func ask[T any](ctx context.Context, m Match, s *seat, p game.Position, f func(context.Context, search.Limits) (T, error)) (T, time.Duration, error) {
	type answer struct {
		value T
		took  time.Duration
		err   error
	}
	within, cancel := s.within(ctx, m.Guard)
	defer cancel()
	lim := s.limits(m.Limits, p)
	answers, gone := make(chan answer, 1), make(chan struct{})
	go func() {
		start := time.Now()
		a := answer{err: errLeft}
		defer func() {
			a.took = time.Since(start)
			answers <- a
			close(gone)
		}()
		a.value, a.err = guarded(func() (T, error) { return f(within, lim) })
	}()
	var a answer
	select {
	case a = <-answers:
	case <-within.Done():
		// Late or stopped; a player that listens to its context is about to answer.
		select {
		case a = <-answers:
		case <-time.After(2 * m.margin()):
			s.busy = gone
			return a.value, 0, player.ErrTimeout
		}
		if m.Guard > 0 && !m.timed() && ctx.Err() == nil {
			a.err = player.ErrTimeout // what it found by then follows from the machine
		}
	}
	if !s.clock.Spend(a.took) && !errors.Is(a.err, player.ErrTimeout) { // which may have the last lines of a program
		a.err = player.ErrTimeout
	}
	return a.value, a.took, a.err
}

// guarded calls f, and makes an error of its panic.
func guarded[T any](f func() (T, error)) (v T, err error) {
	defer rescue.Into(&err)
	return f()
}

// close closes the player, an abandoned one when it has returned. The error of Close comes too late to matter.
func (s *seat) close() {
	stop := func() { guarded(func() (struct{}, error) { player.Close(s.player); return struct{}{}, nil }) }
	if s.busy == nil {
		stop()
		return
	}
	go func() {
		<-s.busy
		stop()
	}()
}
