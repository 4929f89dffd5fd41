// SPDX-License-Identifier: Apache-2.0

package live

import (
	"testing"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
)

// TestOpponentLeft: a player who closes the page counts as away. After a minute the opponent wins by a claim, but not while the
// player is there, and not in a game by days.
func TestOpponentLeft(t *testing.T) {
	inHall(t, func(h *hall) {
		away := func(g Game) [2]time.Duration { return h.Away(&g, time.Now()) }
		begin := func(c request.Clock) Game {
			g := h.meet(Start{GameTerms: request.GameTerms{Clock: c}})
			g, _ = h.as(ann, g, "b2")
			g, _ = h.as(bob, g, "a1")
			return g
		}
		g := begin(request.Clock{Seconds: 300})
		defer h.Attend(g.ID, ann.Seat)()
		reload := h.Attend(g.ID, bob.Seat)
		changed, end := h.Watch(g.ID, false)
		defer end()
		time.Sleep(2 * Absence)
		if got := away(g); got != [2]time.Duration{} {
			t.Errorf("away with open pages: %v", got)
		}
		_, err := h.Act(ann, g.ID, 2, DoClaim)
		h.refused("a claim against a player who is there", err, errPresent)
		second := h.Attend(g.ID, bob.Seat) // a second page
		reload()
		if got := away(g)[game.Second]; got != 0 {
			t.Errorf("away for %v with one of two pages open", got)
		}
		second()
		<-changed
		time.Sleep(Absence - time.Second)
		h.Seen(g.ID, bob.Seat) // by a request alone
		<-changed
		time.Sleep(Absence - time.Second)
		if got := away(g)[game.Second]; got != Absence-time.Second {
			t.Errorf("away for %v", got)
		}
		_, err = h.Act(ann, g.ID, 2, DoClaim)
		h.refused("a claim before the time", err, errPresent)
		_, err = h.Act(eve, g.ID, 2, DoClaim)
		h.refused("a claim of a spectator", err, errSeat)
		time.Sleep(time.Second)
		g, err = h.Act(ann, g.ID, 2, DoClaim)
		h.is(g, err, "b2 a1", "first wins left")

		days := begin(request.Clock{Turn: 3 * 86400})
		time.Sleep(2 * Absence)
		_, err = h.Act(ann, days.ID, 2, DoClaim)
		h.refused("a claim in a game by days", err, errPresent)
		if got := away(days); got != [2]time.Duration{} {
			t.Errorf("away in a game by days: %v", got)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if _, kept := h.chairs[chairOf(g.ID, bob.Seat)]; kept {
			t.Error("the server remembers who left a game that is over")
		}
	})
}

// TestUnbegunGameAborts: a game whose mover is absent is aborted after a minute, before the second move or in the opening. A mover who is there,
// and a game by days, are waited for.
func TestUnbegunGameAborts(t *testing.T) {
	inHall(t, func(h *hall) {
		blitz := request.GameTerms{Clock: request.Clock{Seconds: 300}}
		nobody := h.meet(Start{GameTerms: blitz})
		answered := h.meet(Start{GameTerms: blitz})
		answered, _ = h.as(ann, answered, "b2")
		opening := h.meet(Start{GameTerms: request.GameTerms{Game: "gomoku:9", Rule: "swap2", Clock: blitz.Clock}})
		opening, _ = h.Answer(ann, opening.ID, 0, "e5 e6 d5")
		there := h.meet(Start{GameTerms: blitz})
		leave := h.Attend(there.ID, ann.Seat)
		days := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Turn: 86400}}})
		cup := h.meet(Start{GameTerms: blitz, Tournament: 1, Round: 1})
		time.Sleep(Absence - beat)
		h.is(h.look(nobody.ID), nil, "", "ongoing")
		time.Sleep(2 * beat)
		h.is(h.look(nobody.ID), nil, "", "aborted aborted")
		h.is(h.look(answered.ID), nil, "b2", "aborted aborted")
		h.is(h.look(opening.ID), nil, opening.Moves, "aborted aborted")
		time.Sleep(10 * Absence)
		h.is(h.look(there.ID), nil, "", "ongoing")
		h.is(h.look(days.ID), nil, "", "ongoing")
		h.is(h.look(cup.ID), nil, "", "second wins time")
		leave()
		time.Sleep(Absence + 2*beat)
		h.is(h.look(there.ID), nil, "", "aborted aborted")
	})
}
