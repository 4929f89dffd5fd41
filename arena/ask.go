// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
)

// errLeft is the error of a player that ended its goroutine instead of returning.
var errLeft = errors.New("the player's goroutine ended")

// answer is what a player came back with.
type answer struct {
	move game.Move
	took time.Duration
	err  error
	busy <-chan struct{} // as in Result
}

// ask has pl move in a clone of p, on a goroutine of its own, and waits:
//
//	0          Limits.Time            + Margin             + Margin
//	├─ thinking ──┤─ its context is done ─┤─ it has forfeited ─┤ abandoned
//
// Without a limit of time only ctx ends the wait, two margins after it is done.
func (t Terms) ask(ctx context.Context, pl player.Player, p game.Position) answer {
	within, cancel := t.within(ctx)
	defer cancel()
	gone := make(chan struct{})
	c := t.think(within, pl, p.Clone(), gone)
	select {
	case a := <-c:
		return t.judge(a)
	case <-within.Done():
	}
	// Late or stopped; a player that listens to its context is about to answer.
	select {
	case a := <-c:
		return t.judge(a)
	case <-time.After(2 * t.margin()):
		return answer{move: game.NoMove, err: player.ErrTimeout, busy: gone}
	}
}

// within returns a context that is done when ctx is, or when the time for a move is over.
func (t Terms) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if t.Limits.Time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, t.Limits.Time)
}

// think returns where the answer will be, and closes gone when pl has returned.
func (t Terms) think(ctx context.Context, pl player.Player, p game.Position, gone chan<- struct{}) <-chan answer {
	c := make(chan answer, 1)
	go func() {
		start := time.Now()
		a := answer{move: game.NoMove, err: errLeft}
		defer func() {
			a.took = time.Since(start)
			c <- a
			close(gone)
		}()
		a.move, a.err = guarded(func() (game.Move, error) { return pl.Move(ctx, p, t.Limits) })
	}()
	return c
}

// judge turns an answer that came too late into a forfeit. The player's own clock counts and not when its
// answer was picked up, which on a busy machine may be later.
func (t Terms) judge(a answer) answer {
	if t.Limits.Time > 0 && a.took > t.Limits.Time+t.margin() {
		a.err = player.ErrTimeout
	}
	return a
}

// guarded calls f, and makes an error of its panic.
func guarded[T any](f func() (T, error)) (v T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}

// closeAll closes the players that can be closed, an abandoned one when its Move has returned. What Close
// says changes nothing about the game that is over.
func closeAll(players [2]player.Player, busy [2]<-chan struct{}) {
	for side, pl := range players {
		c, ok := pl.(io.Closer)
		if !ok {
			continue
		}
		stop := func() { guarded(func() (struct{}, error) { return struct{}{}, c.Close() }) }
		if busy[side] == nil {
			stop()
			continue
		}
		go func() {
			<-busy[side]
			stop()
		}()
	}
}
