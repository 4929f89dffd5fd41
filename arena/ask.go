// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/krow-lab/krow/player"
)

// errLeft is the error of a player that ended its goroutine instead of returning.
var errLeft = errors.New("the player's goroutine ended")

// answer is what a player came back with.
type answer[T any] struct {
	value T
	took  time.Duration
	err   error
	busy  <-chan struct{} // as in Result
}

// ask has a player answer by f, on a goroutine of its own, and waits:
//
//	0          Limits.Time            + Margin             + Margin
//	├─ thinking ──┤─ its context is done ─┤─ it has forfeited ─┤ abandoned
//
// Without a limit of time only ctx ends the wait, two margins after it is done.
func ask[T any](ctx context.Context, t Terms, f func(ctx context.Context) (T, error)) answer[T] {
	within, cancel := t.within(ctx)
	defer cancel()
	gone := make(chan struct{})
	c := think(within, f, gone)
	select {
	case a := <-c:
		a.err = t.judge(a.took, a.err)
		return a
	case <-within.Done():
	}
	// Late or stopped; a player that listens to its context is about to answer.
	select {
	case a := <-c:
		a.err = t.judge(a.took, a.err)
		return a
	case <-time.After(2 * t.margin()):
		return answer[T]{err: player.ErrTimeout, busy: gone}
	}
}

// within returns a context that is done when ctx is, or when the time for a move is over.
func (t Terms) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if t.Limits.Time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, t.Limits.Time)
}

// think returns where the answer will be, and closes gone when f has returned.
func think[T any](ctx context.Context, f func(ctx context.Context) (T, error), gone chan<- struct{}) <-chan answer[T] {
	c := make(chan answer[T], 1)
	go func() {
		start := time.Now()
		a := answer[T]{err: errLeft}
		defer func() {
			a.took = time.Since(start)
			c <- a
			close(gone)
		}()
		a.value, a.err = guarded(func() (T, error) { return f(ctx) })
	}()
	return c
}

// judge returns the error of an answer, a forfeit where it came too late. The player's own clock counts and not when its
// answer was picked up, which on a busy machine may be later.
func (t Terms) judge(took time.Duration, err error) error {
	if t.Limits.Time > 0 && took > t.Limits.Time+t.margin() {
		return player.ErrTimeout
	}
	return err
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
