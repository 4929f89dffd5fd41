// SPDX-License-Identifier: Apache-2.0

package live

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/server/store"
)

// beat is the interval at which clocks are checked, and at which the store records that a process serves the games.
const beat = 250 * time.Millisecond

// If the clocks were not checked for longer than standstill, the process counts as suspended. A slow process that is not
// suspended checks the clocks within that time. Steps of the machine's clock below smallStep are ignored.
const (
	standstill = time.Second
	smallStep  = 500 * time.Millisecond
)

// retry is the time after which keepTime again tries to end a game whose end could not be stored.
const retry = 5 * time.Second

// Limit returns the time control of the game, or the zero Clock if it has none.
func (g *Game) Limit() (c request.Clock) {
	if k := g.meta.Clock; k != nil {
		c = k.Clock
	}
	return c
}

// publishChange is called after a change of a game, and returns the game. It updates the time at which keepTime must check the
// game's clock, and calls Options.Changed for a game between people.
func (gs *Games) publishChange(id string) (Game, error) {
	g, err := gs.Game(id)
	if err != nil {
		return g, err
	}
	gs.watchClock(g)
	if g.Held() && gs.o.Changed != nil {
		gs.o.Changed(g)
	}
	return g, nil
}

// watchClock registers a game with keepTime. keepTime then ends the game when the side to move is out of time, or is absent from
// a game that has not begun, and corrects the clock after a standstill.
func (gs *Games) watchClock(g Game) {
	now := time.Now()
	var due time.Time
	if g.Running() {
		due = now.Add(g.Clock(g.Board.Turn(), now).Left() + g.lag(g.Board.Turn()))
	}
	if g.unbegun() {
		if at := now.Add(gs.untilAbort(&g, now)); due.IsZero() || at.Before(due) {
			due = at
		}
	}
	if !g.Ongoing() {
		gs.clearChairs(g.ID, g.Seats[:]...)
	}
	gs.mu.Lock()
	defer gs.mu.Unlock()
	if due.IsZero() {
		delete(gs.due, g.ID)
		return
	}
	gs.due[g.ID] = due
	if !gs.beating && gs.life.Err() == nil {
		gs.beating, gs.served = true, time.Now()
		gs.tasks.Go(gs.keepTime)
	}
}

// lost returns the time by which running clocks must be corrected after a pause in which nobody checked them. wall is the time
// by which the machine's clock has advanced, and real the time that the process has measured. Games are timed by the machine's
// clock, so a step of that clock is corrected. If the process stood still, for example because the machine was suspended, the
// sides get that time back.
func lost(wall, real time.Duration) time.Duration {
	counts := real
	if counts > standstill {
		counts = beat
	}
	if d := wall - counts; d.Abs() >= smallStep {
		return d
	}
	return 0
}

// catchUp corrects the clocks of games after the process stood still or the machine's clock was set. It is called before
// every change of a game.
func (gs *Games) catchUp() {
	for _, id := range gs.setClocks() {
		gs.notifyWatchers(id, false)
		if _, err := gs.publishChange(id); err != nil && !errors.Is(err, store.ErrNoGame) {
			gs.o.Failed(id, err)
		}
	}
}

// setClocks corrects the running clocks if that is necessary, and returns the IDs of their games.
func (gs *Games) setClocks() (ids []string) {
	gs.still.Lock()
	defer gs.still.Unlock()
	now := time.Now()
	gs.mu.Lock()
	by := lost(now.Round(0).Sub(gs.served.Round(0)), now.Sub(gs.served))
	if gs.beating && by != 0 {
		ids = slices.Collect(maps.Keys(gs.due))
		gs.stills++
		gs.expected = now
	}
	gs.served = now
	gs.mu.Unlock()
	for _, id := range ids {
		g, err := gs.loadGame(id)
		if err == nil && g.Running() {
			_, err = gs.updateNow(id, g.Plies, func(g *Game) error {
				took := time.Since(now) // time that the loop has taken for the previous games
				g.meta.Clock.Since = min(g.since().Add(by+took).UnixMilli(), now.Add(took).UnixMilli())
				return nil
			})
		}
		if err != nil && !errors.Is(err, store.ErrNoGame) {
			gs.o.Failed(id, err)
		}
	}
	// The field served is set again, because the loop may take longer than the constant standstill: the next call would otherwise
	// correct the clocks by the time that the loop took.
	if len(ids) > 0 {
		gs.mu.Lock()
		gs.served = time.Now()
		gs.mu.Unlock()
	}
	return ids
}

// keepTime runs while a game has a clock to check. It ends the games in which a side is out of time or did not come, and
// records when the process last served the games.
func (gs *Games) keepTime() {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		if err := gs.o.Store.Serve(time.Now()); err != nil {
			gs.o.Failed("", err)
		}
		select {
		case <-gs.life.Done():
			_ = gs.o.Store.Serve(time.Now()) // an error is ignored: the store then keeps the time of the previous call
			return
		case <-tick.C:
		}
		if err := rescue.Call(func() error { gs.catchUp(); return nil }); err != nil {
			gs.o.Failed("", err)
		}
		var late []string
		gs.mu.Lock()
		for id, at := range gs.due {
			if !time.Now().Before(at) {
				late = append(late, id)
			}
		}
		if gs.beating = len(gs.due) > 0; !gs.beating {
			gs.mu.Unlock()
			return
		}
		gs.mu.Unlock()
		for _, id := range late {
			gs.flagged(id)
		}
	}
}

// flagged handles a game in which the side to move has run out of time or did not come. It ends the game if people have seats.
func (gs *Games) flagged(id string) {
	g, err := gs.loadGame(id)
	if err == nil && g.Held() {
		err = rescue.Call(func() error {
			done, err := gs.abortUnbegun(g)
			if !done {
				_, err = gs.Act(Actor{}, id, g.Plies, DoFlag)
			}
			return err
		})
	}
	switch {
	case err == nil && !g.Held(): // a game without seats ends only when somebody moves too late, or claims a win on time
		gs.mu.Lock()
		delete(gs.due, id)
		gs.mu.Unlock()
	case err == nil, errors.Is(err, request.ErrChanged): // ended, or changed first: the next beat checks it again if it is still in due
	case errors.Is(err, request.ErrInTime), errors.Is(err, errPresent): // the clock was corrected, the side to move came, or the game is over
		if g, err := gs.Game(id); err == nil {
			gs.watchClock(g)
		}
	case errors.Is(err, store.ErrNoGame):
		gs.mu.Lock()
		delete(gs.due, id)
		gs.mu.Unlock()
	default: // the end could not be stored, for example because the disk is full: try again later
		gs.mu.Lock()
		gs.due[id] = time.Now().Add(retry)
		gs.mu.Unlock()
		gs.o.Failed(id, err)
	}
}

// manyGames is a limit for queries, larger than any number of games between people in progress at once.
const manyGames = 100_000

// abandoned limits the games without seats whose clocks Resume continues: the game must have changed within this time before
// the server stopped.
const abandoned = 24 * time.Hour

// Resume continues the games after a restart of the server. It corrects their clocks, so that the time without a server
// does not count.
func (gs *Games) Resume() error {
	served, err := gs.o.Store.Served()
	if err != nil {
		return err
	}
	all, err := gs.o.Store.Games(store.GameFilter{Going: true, Count: manyGames})
	if err != nil {
		return err
	}
	ids, err := gs.o.Store.ClockedGames(served.Add(-abandoned))
	if err != nil {
		return err
	}
	for _, m := range all {
		ids = append(ids, m.ID)
	}
	now := time.Now()
	for _, id := range ids {
		g, err := gs.loadGame(id)
		if err != nil {
			gs.o.Failed(id, err)
			continue
		}
		if !g.Running() {
			gs.watchClock(g)
			continue
		}
		since := g.since()
		last := later(since, served)
		if !g.Held() && g.Clock(g.Board.Turn(), last).Left() <= 0 {
			continue
		}
		g.meta.Clock.Since = since.Add(now.Sub(last)).UnixMilli()
		if err := gs.saveGame(g, g.Plies); err != nil {
			return err
		}
		gs.watchClock(g)
	}
	return nil
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
