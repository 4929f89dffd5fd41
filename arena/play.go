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

// forfeit records in g that side has lost by forfeit because of err.
func forfeit(g *record.Game, side game.Side, err error) {
	g.Outcome, g.Reason = game.WinFor(side.Other()), reasonOf(err)
	if strings.Contains(err.Error(), subprocess.LastLines) {
		g.Detail = humanize.OneLine(err.Error(), maxDetail)
	}
}

// seat is a player of a game and the player's clock.
type seat struct {
	player player.Player
	clock  *clock.Clock
	// If the player has exceeded its time and still thinks, busy is a channel that is closed when the player returns. Otherwise
	// busy is nil.
	busy <-chan struct{}
}

// playMoves continues the game from p, whose history is the opening, until the game ends or ctx is done. It returns g with the
// moves and the outcome, and leaves p at the position after the last legal move.
func (m Match) playMoves(ctx context.Context, p game.Position, seats [2]*seat, g record.Game) record.Game {
	g.Moves = p.AppendHistory(nil)
	g.Opening = len(g.Moves)
	r := referee{Adjudication: m.Adjudication}
	for p.Outcome() == game.Ongoing {
		if ctx.Err() != nil || r.decide(p, &g) {
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
		r.add(side, seats[side].player)
	}
	g.Outcome, g.Reason = p.Outcome(), record.Ending(p)
	return g
}

// reasonOf returns the reason of a forfeit for the record of the game. This is record.ReasonTime if the player exceeded its
// time, and otherwise the text of err as one line.
func reasonOf(err error) string {
	if errors.Is(err, player.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) {
		return record.ReasonTime
	}
	if e := new(game.IllegalMoveError); errors.As(err, &e) {
		return oneLine(e)
	}
	return "error: " + oneLine(err)
}

// maxReason and maxDetail are the maximum lengths of the texts of a player's error in the record of a game.
const (
	maxReason = 200
	maxDetail = 1000
)

func oneLine(err error) string { return humanize.OneLine(err.Error(), maxReason) }

// limits returns the limits for the next search of p: lim, and for a player with a clock also the time budget of the move. A
// player.Clocked, which plans its own time, gets the maximum time for the move instead of a budget.
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

// within returns a context that is done when ctx is done, or when the maximum time for the move is over. The clock of the
// player limits the time; without a clock the limit is guard.
func (s *seat) within(ctx context.Context, guard time.Duration) (context.Context, context.CancelFunc) {
	most := s.clock.Most()
	switch {
	case most != clock.Unlimited:
		return context.WithTimeout(ctx, most)
	case guard > 0:
		return context.WithTimeout(ctx, guard)
	}
	return context.WithCancel(ctx) // no timer is started, because its cost would matter in games with very quick moves
}

// errLeft is the error of a player that ended its goroutine instead of returning from its method.
var errLeft = errors.New("the player's goroutine ended")

// ask calls f in a new goroutine, in which f asks the player of s about p. The player's clock is reduced by the running time
// of f. This time has these limits:
//
//	0            time limit         + Margin             + Margin
//	├─ thinking ──────┤─ its context is done ─┤─ it has forfeited ─┤ abandoned
//
// If there is neither a time limit nor a guard time, ask waits until f returns. When ctx is done, ask waits at most twice
// Margin longer. The time is measured in the new goroutine, because on a busy machine ask may receive the answer later.
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
		// The player is late, or ctx is done. If the player obeys its context, it answers soon.
		select {
		case a = <-answers:
		case <-time.After(2 * m.margin()):
			s.busy = gone
			return a.value, 0, player.ErrTimeout
		}
		if m.Guard > 0 && !m.timed() && ctx.Err() == nil {
			a.err = player.ErrTimeout // the move is not played, because the move of a stopped search depends on the machine's speed
		}
	}
	if !s.clock.Spend(a.took) && !errors.Is(a.err, player.ErrTimeout) { // an ErrTimeout is kept, because it may contain the last output of a program
		a.err = player.ErrTimeout
	}
	return a.value, a.took, a.err
}

// guarded calls f, and returns a panic of f as an error.
func guarded[T any](f func() (T, error)) (v T, err error) {
	defer rescue.Into(&err)
	return f()
}

// close closes the player, or arranges that an abandoned player is closed when it returns. It ignores the error of Close, since
// the game is over.
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
