// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/clock"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
)

// A match is a queue of games in the order of their numbers. Each is a channel that its result will come from:
//
//	start ──> [game 5] [game 4] [game 3] [game 2] ──> deliver
//	           running  over     running  running
//
// start adds a game and sets it going whenever one of the slots, as many as Jobs, is free. deliver takes the oldest
// and waits for it.
type future chan Result

// ahead is how many games per slot may be over before the oldest in the queue is.
const ahead = 16

// recount counts the games of an earlier run, and says whether they decided the test.
func (m Match) recount(t *Tally, b *book) (decided bool, err error) {
	for i, r := range m.Played {
		opening, err := b.opening(i)
		if err != nil {
			return false, err
		}
		fits := r.A == seatOfA(i) && r.Opening == len(opening) && slices.Equal(r.Moves[:r.Opening], opening)
		if r.Index != i || !fits && m.Opening == "" {
			return false, fmt.Errorf("game %d of those played already is not of this match", i)
		}
		t.Add(r)
		if t.decided() {
			return true, nil
		}
	}
	return false, nil
}

func (m Match) start(ctx context.Context, b *book) <-chan future {
	slots := max(m.Jobs, 1)
	free := make(chan struct{}, slots)
	queue := make(chan future, ahead*slots)
	go func() {
		defer close(queue)
		for i := len(m.Played); i < m.Games; i++ {
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				return
			}
			opening, err := b.opening(i)
			f := make(future, 1)
			queue <- f
			go func() {
				f <- m.game(ctx, i, opening, err)
				<-free
			}()
		}
	}()
	return queue
}

func (m Match) deliver(ctx context.Context, queue <-chan future, t *Tally) error {
	for f := range queue {
		r := <-f
		if r.err != nil {
			return r.err
		}
		t.Add(r)
		if m.OnGame != nil {
			if err := m.OnGame(r); err != nil {
				return err
			}
		}
		if t.decided() {
			return nil
		}
	}
	if t.sum.Games < m.Games {
		return context.Cause(ctx)
	}
	return nil
}

func seatOfA(i int) game.Side { return game.Side(i % 2) }

// game plays game i. The err of the result ends the match: that of the opening, of ctx, or of New in the first game.
func (m Match) game(ctx context.Context, i int, opening []game.Move, err error) Result {
	r := Result{Index: i, A: seatOfA(i), Opening: len(opening), Moves: opening, err: err}
	if r.err == nil && ctx.Err() != nil {
		r.err = context.Cause(ctx)
	}
	if r.err != nil {
		return r
	}
	p, err := replay(m.Game, opening)
	if err != nil {
		r.err = err
		return r
	}
	var seats [2]*seat
	defer func() {
		for _, s := range seats {
			if s != nil {
				s.close()
			}
		}
	}()
	for side := range game.Side(2) {
		if seats[side], err = m.seat(i, side); err != nil {
			r.forfeit(side, "error: "+oneLine(err))
			if i == 0 {
				r.err = err
			}
			return r
		}
	}
	if m.Opening != "" {
		r = m.playByRule(ctx, p, &seats, r)
	} else {
		r = m.play(ctx, p, seats, r)
	}
	if r.Outcome == game.Ongoing {
		r.err = context.Cause(ctx)
	}
	return r
}

func (m Match) seat(i int, side game.Side) (*seat, error) {
	f := m.A
	if side != seatOfA(i) {
		f = m.B
	}
	pl, err := guarded(func() (player.Player, error) { return f.New(playerSeed(m.Seed, i, side)) })
	if err == nil && pl == nil {
		err = errors.New("there is none")
	}
	c := m.clock()
	if p, ok := pl.(player.Clocked); ok && c.Left() != clock.Unlimited {
		p.SetClock(*c)
	}
	if p, ok := pl.(player.Starter); ok && err == nil {
		_, err = guarded(func() (struct{}, error) { return struct{}{}, p.Start() })
	}
	if err != nil {
		return nil, fmt.Errorf("player %s: %w", f.Name, err)
	}
	return &seat{player: pl, clock: c}, nil
}

func (m Match) clock() *clock.Clock {
	return clock.New(clock.Control{Turn: m.Limits.Time, Match: m.Clock.Match, Increment: m.Clock.Increment, Margin: m.margin()})
}
