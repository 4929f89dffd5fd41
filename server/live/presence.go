// SPDX-License-Identifier: Apache-2.0

package live

import (
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
)

// Absence is how long a person must have been absent before the opponent may claim the win. A game in which no move was made is
// aborted if the side to move is absent for this time.
const Absence = time.Minute

// reasonLeft is the reason of a win that was claimed because the loser had left.
const reasonLeft = "left"

// errPresent is returned for a claim of the win if the opponent has not been absent for long enough, or if the win of the game
// cannot be claimed.
var errPresent = fault.New("no-offer", "the win of a running game can be claimed after the opponent was away for a minute")

// chair identifies a person at a game.
type chair struct {
	game string
	seat Seat // the person's seat, without the name, which the person can change
}

func chairOf(id string, by Seat) chair {
	by.Name = ""
	return chair{id, by}
}

// presence describes whether a person is present at a game.
type presence struct {
	pages int       // open pages that show the game
	left  time.Time // when the last of these pages was closed, or when the person last sent a request without an open page
}

// Attend records that a person of the game has a page open that shows it. The returned function must be called when the page
// is closed.
func (gs *Games) Attend(id string, by Seat) (leave func()) {
	gs.count(id, by, 1)
	return func() { gs.count(id, by, -1) }
}

// quiet is the shortest pause between two requests of a person without an open page after which the watchers are notified that
// the person is back.
const quiet = 5 * time.Second

// Seen records a request of a player, who may be a program without an open page.
func (gs *Games) Seen(id string, by Seat) {
	c, now := chairOf(id, by), time.Now()
	gs.mu.Lock()
	p := gs.chairs[c]
	back := p.pages == 0 && now.Sub(p.left) >= quiet
	if p.pages == 0 {
		gs.chairs[c] = presence{left: now}
	}
	gs.mu.Unlock()
	if back {
		gs.notifyWatchers(id, false)
	}
}

// count adds pages to the number of open pages of a person at a game. If this change makes the person present or absent, all
// watchers are notified.
func (gs *Games) count(id string, by Seat, pages int) {
	c := chairOf(id, by)
	gs.mu.Lock()
	p := gs.chairs[c]
	before := p.pages
	p.pages += pages
	if p.pages == 0 {
		p.left = time.Now()
	}
	gs.chairs[c] = p
	gs.mu.Unlock()
	if (before == 0) != (p.pages == 0) {
		gs.notifyWatchers(id, false)
	}
	if pages < 0 && p.pages == 0 {
		if g, err := gs.loadGame(id); err != nil || !g.Ongoing() {
			gs.clearChairs(id, by)
		}
	}
}

// clearChairs removes the people of a finished game from the table of people, except people whose pages still show the game.
func (gs *Games) clearChairs(id string, seats ...Seat) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	for _, s := range seats {
		if c := chairOf(id, s); gs.chairs[c].pages == 0 {
			delete(gs.chairs, c)
		}
	}
}

// Away returns for how long each side of a game between two people has been absent. 0 means that the side is present, or
// that it need not be present, because a move may take days or the game is over.
func (gs *Games) Away(g *Game, now time.Time) (away [2]time.Duration) {
	if !g.two() || !g.Ongoing() || g.Limit().Turn >= 24*60*60 {
		return away
	}
	gs.mu.Lock()
	defer gs.mu.Unlock()
	for side, seat := range g.Seats {
		if p := gs.chairs[chairOf(g.ID, seat)]; p.pages == 0 {
			away[side] = max(now.Sub(later(later(p.left, g.Created), gs.expected)), time.Millisecond)
		}
	}
	return away
}

// unbegun reports whether the game will be aborted if the side to move stays absent.
func (g *Game) unbegun() bool {
	return g.two() && g.Ongoing() && g.Tournament == 0 && (g.Plies < abortPlies || g.Opening()) && g.Limit().Speed() != request.Correspondence
}

// untilAbort returns the time after which a game that is not begun is aborted if the side to move does not come.
func (gs *Games) untilAbort(g *Game, now time.Time) time.Duration {
	return Absence - gs.Away(g, now)[gs.Mover(*g)]
}

// abortUnbegun aborts a game if no move was made and the side to move is absent for too long. It reports whether it has
// aborted the game.
func (gs *Games) abortUnbegun(g Game) (bool, error) {
	absent := func(g *Game) bool { return g.unbegun() && gs.untilAbort(g, time.Now()) <= 0 }
	if !absent(&g) {
		return false, nil
	}
	_, err := gs.change(Actor{}, g.ID, g.Plies, func(g *Game) error {
		if !absent(g) {
			return errPresent
		}
		g.endGame(aborted, reasonAborted, time.Now())
		return nil
	})
	return true, err
}

// claim ends a game as won for the given person, if the opponent has been absent for Absence or longer.
func (gs *Games) claim(g *Game, by Actor, now time.Time) error {
	side, err := g.may(by.Seat)
	switch {
	case err != nil:
		return err
	case !g.Ongoing():
		return game.ErrOver
	case !g.Claimable() || gs.Away(g, now)[side.Other()] < Absence:
		return errPresent
	}
	g.endGame(game.WinFor(side).String(), reasonLeft, now)
	return nil
}

// Claimable reports whether a player may claim the win in this game after the opponent has been absent for Absence.
func (g *Game) Claimable() bool {
	return g.two() && g.Running() && !g.unbegun() && g.Limit().Speed() != request.Correspondence
}
