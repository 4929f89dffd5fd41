// SPDX-License-Identifier: Apache-2.0

package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/store"
)

// errBusy is reported for a player that cannot think because too many other players are thinking.
var errBusy = fault.New("busy", "too many players are thinking")

// Room waits until a player may think. The number of players that may think at once is limited. Room takes one of the places
// for thinking players, and leave frees the place.
func (gs *Games) Room(ctx context.Context) (leave func(), err error) {
	select {
	case gs.room <- struct{}{}:
		return func() { <-gs.room }, nil
	case <-ctx.Done():
		return nil, errBusy
	}
}

// roomOf does the same as Room for a computer player in a game whose owner is p. The games of one owner may take only some of
// the places.
func (gs *Games) roomOf(ctx context.Context, p person) (leave func(), err error) {
	own, _ := gs.own.LoadOrStore(p, make(chan struct{}, p.thinking()))
	places := own.(chan struct{})
	select {
	case places <- struct{}{}:
	case <-ctx.Done():
		return nil, errBusy
	}
	all, err := gs.Room(ctx)
	if err != nil {
		<-places
		return nil, err
	}
	return func() { all(); <-places }, nil
}

// Retry lets all players that failed to move try again.
func (gs *Games) Retry() {
	gs.mu.Lock()
	ids := slices.Collect(maps.Keys(gs.troubles))
	gs.mu.Unlock()
	for _, id := range ids {
		gs.wake(id)
	}
}

// Thinking returns the number of players that are thinking.
func (gs *Games) Thinking() int { return len(gs.room) }

func (gs *Games) wake(id string) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	a := gs.at(id)
	if a.thinking || gs.life.Err() != nil {
		a.again = true
		gs.clear(id)
		return
	}
	a.thinking = true
	delete(gs.troubles, id)
	gs.tasks.Go(func() { gs.playMoves(id) })
}

// playMoves plays the moves of computer players, one after the other, until it is a person's turn.
func (gs *Games) playMoves(id string) {
	for thinking := true; thinking; {
		more := false
		err := rescue.Call(func() (err error) { more, err = gs.playOnce(id); return err })
		gs.mu.Lock()
		a := gs.at(id)
		thinking = (more || a.again) && err == nil && gs.life.Err() == nil
		a.thinking, a.again = thinking, false
		if err != nil {
			gs.troubles[id] = err
			gs.o.Failed(id, err)
		}
		for other := range gs.troubles {
			if len(gs.troubles) > maxTroubles && other != id {
				delete(gs.troubles, other)
			}
		}
		var spectators []chan struct{}
		// If playOnce has played a move, it has called Options.Changed, but has not notified the watchers.
		if more || err != nil {
			spectators = a.notifyPlayers()
		}
		gs.clear(id)
		gs.mu.Unlock()
		signal(spectators)
	}
}

// playOnce plays one move and reports whether there was a move to play.
func (gs *Games) playOnce(id string) (more bool, err error) {
	// stop is set before the game is read, so that every later change of the game stops the search.
	ctx, cancel := context.WithCancel(gs.life)
	defer cancel()
	gs.mu.Lock()
	a := gs.at(id)
	a.stop = cancel
	alone := len(a.watchers) == 0
	stills := gs.stills
	gs.mu.Unlock()

	g, err := gs.loadGame(id)
	if errors.Is(err, store.ErrNoGame) {
		return false, nil
	}
	if err != nil || !g.Ongoing() || g.person() || alone && g.First != request.Human && g.Second != request.Human {
		return false, err
	}
	m, took, err := gs.choose(ctx, g)
	switch {
	case gs.life.Err() != nil:
		return false, nil
	case errors.Is(ctx.Err(), context.Canceled): // the game has changed meanwhile: look at it again
		return true, nil
	case err == errBusy:
		return false, err
	}
	spec, came := g.players()[g.Board.Turn()], time.Now()
	g, err = gs.updateGame(id, g.Plies, func(g *Game) error {
		err := err
		if !g.Ongoing() {
			return request.ErrChanged
		}
		if err == nil {
			err = g.applyMove(m, came, 0)
		}
		if err != nil && g.flag(came) == nil {
			err = nil // the player is out of time, and has lost the game
		}
		if err != nil {
			err = &PlayerError{spec, err}
		}
		return err
	})
	switch {
	case errors.Is(err, request.ErrChanged), errors.Is(err, store.ErrConflict): // the game has changed meanwhile: look at it again
		return true, nil
	case errors.Is(err, store.ErrNoGame):
		return false, nil
	case err != nil:
		gs.mu.Lock()
		defer gs.mu.Unlock()
		if gs.stills != stills { // the process was suspended during the search, so the player had no time: try again
			return true, nil
		}
		return false, err
	}
	gs.o.Moved(took)
	if !g.Ongoing() {
		gs.cache.forget(id)
	}
	_, err = gs.publishChange(id)
	return true, err
}

// choose returns the move of the side to move, and the time for which the player thought. A player is made for each move, with
// a seed that follows from the game and the ply; a player that remembers its game is kept until the game ends.
func (gs *Games) choose(ctx context.Context, g Game) (m game.Move, took time.Duration, err error) {
	whole := ctx
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(gs.o.Longest, Longest))
	defer cancel()
	leave, err := gs.roomOf(ctx, ownerOf(g))
	if err != nil {
		return game.NoMove, 0, err
	}
	leave = sync.OnceFunc(leave)
	defer leave()
	defer rescue.Into(&err)
	side, start := g.Board.Turn(), time.Now()
	at := seat{g.ID, g.players()[side], int(side), ownerOf(g)}
	p := gs.cache.takePlayer(at, g.Plies)
	if p == nil {
		h := fnv.New64a()
		fmt.Fprintf(h, "%s %d", g.ID, g.Plies)
		if p, err = gs.o.Player(g.Board.Game(), g.players()[side], h.Sum64()); err != nil {
			return game.NoMove, 0, err
		}
	}
	c := g.Clock(side, start)
	if k, ok := p.(player.Clocked); ok && c != nil {
		k.SetClock(*c)
	}
	if away, ok := p.(player.Patient); ok {
		leave()
		limit := away.Patience()
		if c != nil {
			limit = c.Left()
		}
		ctx, cancel = context.WithTimeout(whole, limit)
		defer cancel()
	} else if c != nil {
		budget, _ := c.Budget(game.FreeCells(g.Board))
		ctx, cancel = context.WithTimeout(ctx, budget)
		defer cancel()
	}
	failed := true // stays true after a panic
	defer func() {
		if failed {
			player.Close(p)
			return
		}
		gs.cache.put(at, p, g.Plies+1)
	}()
	m, err = p.Move(ctx, g.Board.Clone(), search.Limits{})
	failed = err != nil || ctx.Err() != nil
	return m, time.Since(start), err
}
