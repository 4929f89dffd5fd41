// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
)

// A match is a queue of games that will be over some day, in the order of their numbers:
//
//	start ──> [game 5] [game 4] [game 3] [game 2] ──> deliver
//	           running  over     running  running
//
// start adds a game and sets it going whenever one of the Concurrency slots is free; deliver takes the
// oldest and waits for it.
type future chan Result

// ahead is how many games per slot may be over before the oldest in the queue is.
const ahead = 16

// recount counts the games of an earlier run. It says whether they decided the test.
func (m Match) recount(t *Tally, b *book) (decided bool, err error) {
	for i, r := range m.Played {
		opening, err := b.opening(i)
		if err != nil {
			return false, err
		}
		fits := r.A == seatOfA(i) && r.Opening == len(opening) && slices.Equal(r.Moves[:r.Opening], opening)
		if r.Index != i || !fits && !m.Swap2 {
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
	slots := max(m.Concurrency, 1)
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
	if t.games() < m.Games {
		return context.Cause(ctx)
	}
	return nil
}

// seatOfA returns where A sits in game i.
func seatOfA(i int) game.Side { return game.Side(i % 2) }

// game plays game i. The err of the result ends the match: that of the opening, of ctx, or of New in the
// first game.
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
	var players [2]player.Player
	defer func() { closeAll(players, r.busy) }()
	for _, side := range []game.Side{game.First, game.Second} {
		if players[side], err = m.seat(i, side); err != nil {
			r.forfeit(side, "error: "+oneLine(err))
			if i == 0 {
				r.err = err
			}
			return r
		}
	}
	if m.Swap2 {
		r = m.playSwap2(ctx, p, &players, i)
	} else {
		r = Play(ctx, p, players, m.terms())
		r.A = seatOfA(i)
	}
	r.Index = i
	if r.Outcome == game.Ongoing {
		r.err = context.Cause(ctx)
	}
	return r
}

// seat makes the player who sits at side in game i.
func (m Match) seat(i int, side game.Side) (player.Player, error) {
	f := m.A
	if side != seatOfA(i) {
		f = m.B
	}
	pl, err := guarded(func() (player.Player, error) { return f.New(playerSeed(m.Seed, i, side)) })
	if err == nil && pl == nil {
		err = errors.New("there is none")
	}
	if s, ok := pl.(player.Starter); ok && err == nil {
		_, err = guarded(func() (struct{}, error) { return struct{}{}, s.Start() })
	}
	if err != nil {
		return nil, fmt.Errorf("player %s: %w", f.Name, err)
	}
	return pl, nil
}
