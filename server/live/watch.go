// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"sync"
	"time"
)

type activity struct {
	thinking bool
	again    bool                   // wake was called while a player was thinking, so the game must be checked again afterwards
	stop     context.CancelFunc     // ends the search in progress
	watchers map[chan struct{}]bool // the channels of the watchers; the value is true if the watcher plays
	seen     *subscription          // the view of spectators; nil after a change
}

// subscription contains the spectators' view of a game. All spectators who request the view within a short time (moment) share
// it, unless the game changes meanwhile.
type subscription struct {
	mu    sync.Mutex
	shown any
	at    time.Time
}

// moment is the time for which a view may be reused. The clocks in a view are late by at most this time.
const moment = 20 * time.Millisecond

// at returns the activity of a game. An activity is kept as long as it is in use. The caller holds the lock.
func (gs *Games) at(id string) *activity {
	a := gs.now[id]
	if a == nil {
		a = &activity{stop: func() {}, watchers: map[chan struct{}]bool{}}
		gs.now[id] = a
	}
	return a
}

// clear removes the activity of a game that is not in use. The caller holds the lock.
func (gs *Games) clear(id string) {
	if a := gs.now[id]; a != nil && !a.thinking && len(a.watchers) == 0 {
		delete(gs.now, id)
	}
}

// Watch returns a channel that receives a value after each change of a game, and a function that ends the watch. It also starts the
// computer player to move. People who play receive a change before spectators do.
func (gs *Games) Watch(id string, plays bool) (changed <-chan struct{}, end func()) {
	c := make(chan struct{}, 1)
	gs.mu.Lock()
	gs.at(id).watchers[c] = plays
	gs.mu.Unlock()
	gs.wake(id)
	return c, func() {
		gs.mu.Lock()
		defer gs.mu.Unlock()
		delete(gs.at(id).watchers, c)
		gs.clear(id)
	}
}

// Show returns the result of show for the current state of a watched game. Calls within a short time (moment) share one result.
func (gs *Games) Show(id string, show func(Game, error) any) any {
	gs.mu.Lock()
	a := gs.at(id)
	if a.seen == nil {
		a.seen = &subscription{}
	}
	s := a.seen
	gs.clear(id)
	gs.mu.Unlock()

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown == nil || time.Since(s.at) > moment {
		s.at = time.Now()
		s.shown = show(gs.Game(id))
	}
	return s.shown
}

// notifyWatchers tells the watchers of a game that the game has changed. If position is true, the position has changed:
// notifyWatchers then stops the search in the previous position, and the result of this search is dropped.
func (gs *Games) notifyWatchers(id string, position bool) {
	var spectators []chan struct{}
	gs.mu.Lock()
	if a := gs.now[id]; a != nil {
		if position {
			a.stop()
		}
		spectators = a.notifyPlayers()
	}
	gs.mu.Unlock()
	signal(spectators)
}

// notifyPlayers notifies the people who play a game, and returns the channels of the spectators. The caller notifies spectators
// after it has released the lock, because each spectator needs the lock.
func (a *activity) notifyPlayers() (spectators []chan struct{}) {
	a.seen = nil
	var players []chan struct{}
	for w, plays := range a.watchers {
		if plays {
			players = append(players, w)
		} else {
			spectators = append(spectators, w)
		}
	}
	signal(players)
	return spectators
}

func signal(watchers []chan struct{}) {
	for _, w := range watchers {
		select {
		case w <- struct{}{}:
		default: // the watcher has not received the previous value yet, and will see both changes
		}
	}
}
