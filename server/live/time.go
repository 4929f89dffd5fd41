// SPDX-License-Identifier: Apache-2.0

package live

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/server/store"
)

// beat is the interval at which clocks are checked, and the accuracy with which the store knows when games were last served.
const beat = 250 * time.Millisecond

// A process without a beat for longer than standstill has stood still, and is not only slow. A step of the machine's clock matters from
// smallStep on.
const (
	standstill = time.Second
	smallStep  = 500 * time.Millisecond
)

// retry is the time after which a game that could not be ended is tried again.
const retry = 5 * time.Second

// Limit returns the time that each side has, or the zero Clock.
func (g *Game) Limit() (c Clock) {
	if k := g.meta.Clock; k != nil {
		c = k.Clock
	}
	return c
}

// publishChange returns a game that has changed. It watches over the clock, and calls Options.Changed for a game between people.
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

// watchClock ends a game when the side to move is out of time, and corrects the clock after a standstill.
func (gs *Games) watchClock(g Game) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	if !g.Running() {
		delete(gs.due, g.ID)
		return
	}
	gs.due[g.ID] = time.Now().Add(g.Clock(g.Board.Turn(), time.Now()).Left() + g.lag(g.Board.Turn()))
	if !gs.beating && gs.life.Err() == nil {
		gs.beating, gs.served = true, time.Now()
		gs.tasks.Go(gs.keepTime)
	}
}

// lost returns the time by which running clocks must be corrected after a pause in which nobody checked them. The machine's clock
// has advanced by wall, and the process measured real. Games are timed by the machine's clock, so a step of it is taken back. A
// process
// that stood still, as one of a machine that was suspended, gives its time back.
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

// catchUp sets the clocks of games after the process stood still, or the machine's clock was set. No game changes before.
func (gs *Games) catchUp() {
	for _, id := range gs.setClocks() {
		gs.notifyWatchers(id, false)
		if _, err := gs.publishChange(id); err != nil && !errors.Is(err, store.ErrNoGame) {
			gs.o.Failed(id, err)
		}
	}
}

// setClocks sets the clocks, and returns the games whose clocks were set.
func (gs *Games) setClocks() (ids []string) {
	gs.still.Lock()
	defer gs.still.Unlock()
	now := time.Now()
	gs.mu.Lock()
	by := lost(now.Round(0).Sub(gs.served.Round(0)), now.Sub(gs.served))
	if gs.beating && by != 0 {
		ids = slices.Collect(maps.Keys(gs.due))
		gs.stills++
	}
	gs.served = now
	gs.mu.Unlock()
	for _, id := range ids {
		g, err := gs.loadGame(id)
		if err == nil && g.Running() {
			_, err = gs.updateNow(id, g.Plies, func(g *Game) error {
				took := time.Since(now) // for the games before this one
				g.meta.Clock.Since = min(g.since().Add(by+took).UnixMilli(), now.Add(took).UnixMilli())
				return nil
			})
		}
		if err != nil && !errors.Is(err, store.ErrNoGame) {
			gs.o.Failed(id, err)
		}
	}
	if len(ids) > 0 { // many games take longer than standstill, which would be one otherwise
		gs.mu.Lock()
		gs.served = time.Now()
		gs.mu.Unlock()
	}
	return ids
}

// keepTime ends games that are out of time, and notes when they were last served, while a clock runs.
func (gs *Games) keepTime() {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		if err := gs.o.Store.Serve(time.Now()); err != nil {
			gs.o.Failed("", err)
		}
		select {
		case <-gs.life.Done():
			_ = gs.o.Store.Serve(time.Now()) // the last beat stands otherwise
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

// flagged ends a game whose time is over.
func (gs *Games) flagged(id string) {
	g, err := gs.loadGame(id)
	if err == nil && g.Held() {
		err = rescue.Call(func() error { _, err := gs.Act(Actor{}, id, g.Plies, DoFlag); return err })
	}
	switch {
	case err == nil && !g.Held(): // it ends by a move that is too late, or by a claim
		gs.mu.Lock()
		delete(gs.due, id)
		gs.mu.Unlock()
	case err == nil, errors.Is(err, errChanged): // a move came first, and is looked at again
	case errors.Is(err, errInTime): // the clock was set, or the game is over
		if g, err := gs.Game(id); err == nil {
			gs.watchClock(g)
		}
	case errors.Is(err, store.ErrNoGame):
		gs.mu.Lock()
		delete(gs.due, id)
		gs.mu.Unlock()
	default: // as a full disk
		gs.mu.Lock()
		gs.due[id] = time.Now().Add(retry)
		gs.mu.Unlock()
		gs.o.Failed(id, err)
	}
}

// manyGames is more than the number of games between people that are ever in progress at once.
const manyGames = 100_000

// abandoned is the time after which a game without seats, whose clock ran, is no longer checked.
const abandoned = 24 * time.Hour

// Resume continues games after the server was away. Their clocks have stood still meanwhile.
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
