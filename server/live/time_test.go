// SPDX-License-Identifier: Apache-2.0

package live

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
)

// stand begins a game whose end keeps keepTime busy for a time, in which nobody looks at clocks.
func (h *hall) stand(after, stands time.Duration) {
	g := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: int(after.Seconds())}}})
	h.o.Changed = func(changed Game) {
		if changed.ID == g.ID && !changed.Ongoing() {
			time.Sleep(stands)
		}
	}
	if _, err := h.as(ann, g, "b2"); err != nil {
		h.t.Fatal(err)
	}
}

// TestStandstill: a process that stood still for longer than a side has left takes no time from it, whether a move or the watch over
// the clocks comes first afterwards.
func TestStandstill(t *testing.T) {
	inHall(t, func(h *hall) {
		h.stand(2*time.Second, 12*time.Second) // from 2.5 s to 14.5 s
		idle := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: 10}}})
		idle, _ = h.as(ann, idle, "b2")
		moved := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: 10}}})
		moved, _ = h.as(ann, moved, "b2")
		time.Sleep(14 * time.Second)
		moved, err := h.as(bob, moved, "a1")
		h.is(moved, err, "b2 a1", "ongoing")
		time.Sleep(2 * time.Second)
		h.is(h.look(idle.ID), nil, "b2", "ongoing")
		idle = h.look(idle.ID)
		left := idle.Clock(game.Second, time.Now()).Left()
		if left < 5*time.Second || left > 8*time.Second {
			t.Errorf("%v of 10 s are left after 4 s and a standstill", left)
		}
		if left := moved.Clock(game.Second, time.Now()).Left(); left < 6*time.Second || left > 8*time.Second {
			t.Errorf("%v of 10 s are left after 2 s and a standstill", left)
		}
		time.Sleep(9 * time.Second)
		h.is(h.look(idle.ID), nil, "b2", "first wins time")
	})
}

// TestStandstillAlone: a standstill takes no time from somebody who plays a program, or by a link. The game ends by a claim.
func TestStandstillAlone(t *testing.T) {
	inHall(t, func(h *hall) {
		h.stand(2*time.Second, 12*time.Second) // from 2.5 s to 14.5 s
		byLink := h.begin(request.Human, request.Human, request.Clock{Seconds: 10})
		byLink, _ = h.play(byLink.ID, 0, "b2")
		bot := h.begin(request.Human, "random", request.Clock{Seconds: 10})
		bot, _ = h.play(bot.ID, 0, "b2")
		time.Sleep(15 * time.Second)
		for _, id := range []string{byLink.ID, bot.ID} {
			g := h.look(id)
			if left := g.Clock(g.Board.Turn(), time.Now()).Left(); left < 6*time.Second || left > 8*time.Second {
				t.Errorf("%s: %v of 10 s are left after 3 s and a standstill", g.Second, left)
			}
		}
		time.Sleep(9 * time.Second)
		h.is(h.look(byLink.ID), nil, "b2", "ongoing")
		g, err := h.Act(Actor{}, byLink.ID, 1, DoFlag)
		h.is(g, err, "b2", "first wins time")
		if h.mu.Lock(); len(h.due) != 0 {
			t.Errorf("%d games are still watched", len(h.due))
		}
		h.mu.Unlock()
	})
}

// TestStandstillOfPlayer: a player whose time went by in a standstill is asked again.
func TestStandstillOfPlayer(t *testing.T) {
	inHall(t, func(h *hall) {
		h.stand(2*time.Second, 12*time.Second) // from 2.5 s to 14.5 s
		g := h.begin(request.Human, "late", request.Clock{Seconds: 80})
		h.late.Store(0) // one was made to see whether it can be
		g, _ = h.play(g.ID, 0, "b2")
		time.Sleep(15 * time.Second)
		if g = h.look(g.ID); g.Plies != 2 || g.Trouble != nil || h.failed.Load() != 0 {
			t.Errorf("%q, %v", g.Moves, g.Trouble)
		}
	})
}

// TestStandstillInMove: a process that stands still while it plays a move takes no time from the side.
func TestStandstillInMove(t *testing.T) {
	inHall(t, func(h *hall) {
		var stands atomic.Bool
		h.o.Position = func(spec, start, moves string) (game.Board, error) {
			if stands.CompareAndSwap(true, false) {
				time.Sleep(11500 * time.Millisecond)
			}
			return position(spec, start, moves)
		}
		h.stand(2*time.Second, 12*time.Second) // from 2.5 s to 14.5 s
		g := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: 10}}})
		g, _ = h.as(ann, g, "b2")
		time.Sleep(2750 * time.Millisecond)
		stands.Store(true)
		g, err := h.as(bob, g, "a1")
		h.is(g, err, "b2 a1", "ongoing")
		if left := g.Clock(game.Second, time.Now()).Left(); left < 7*time.Second {
			t.Errorf("%v of 10 s are left after 2.75 s and a standstill", left)
		}
	})
}

// TestStandstillOfManyGames: to set the clocks of many games takes longer than a beat, and is no standstill.
func TestStandstillOfManyGames(t *testing.T) {
	inHall(t, func(h *hall) {
		var slow atomic.Bool
		h.o.Position = func(spec, start, moves string) (game.Board, error) {
			if slow.Load() {
				time.Sleep(20 * time.Millisecond)
			}
			return position(spec, start, moves)
		}
		h.stand(2*time.Second, 12*time.Second) // from 2.5 s to 14.5 s
		var all []Game
		for range 50 {
			g := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: 20}}})
			g, _ = h.as(ann, g, "b2")
			all = append(all, g)
		}
		slow.Store(true)
		time.Sleep(13 * time.Second)
		for i := range 20 { // until 34 s
			time.Sleep(time.Second)
			g := h.look(all[49].ID)
			if left, want := g.Clock(game.Second, time.Now()).Left(), 18*time.Second-time.Duration(i)*time.Second; i > 4 && (left-want).Abs() > 3*time.Second {
				t.Errorf("%v are left at %d s, want %v", left, 14+i, want)
			}
		}
	})
}

// TestLost: which time is given back, by the machine's clock and by the one of the process.
func TestLost(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name             string
		wall, real, want time.Duration
	}{
		{"a beat", beat, beat, 0},
		{"a late beat", 800 * time.Millisecond, 800 * time.Millisecond, 0},
		{"a process that was stopped", 12 * s, 12 * s, 12*s - beat},
		{"a machine that was suspended", 12 * s, beat, 12*s - beat},
		{"a clock that was set forward", 3600 * s, beat, 3600*s - beat},
		{"a clock that was set back", -3600 * s, beat, -3600*s - beat},
		{"a clock that is a little fast", beat + time.Millisecond, beat, 0},
	}
	for _, tc := range tests {
		if got := lost(tc.wall, tc.real); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestClockSetBack: while the machine's clock says that a side begins to think in the future, it loses no time and gains none.
func TestClockSetBack(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: 10}}})
		g, _ = h.as(ann, g, "b2")
		if left := g.Clock(game.Second, time.Now().Add(-time.Hour)).Left(); left != 10*time.Second {
			t.Errorf("%v of 10 s are left an hour before the move", left)
		}
		g.press(time.Now().Add(-time.Hour), 0)
		if spent := g.meta.Clock.Spent[game.Second]; spent != 0 {
			t.Errorf("%d ms were spent", spent)
		}
	})
}

// TestPanicOfTheWatch: a panic while a game ends on time is reported, and the clocks of other games are still watched.
func TestPanicOfTheWatch(t *testing.T) {
	inHall(t, func(h *hall) {
		bad := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: 1}}})
		h.o.Changed = func(changed Game) {
			if changed.ID == bad.ID && !changed.Ongoing() {
				panic("a fault")
			}
		}
		bad, _ = h.as(ann, bad, "b2")
		good := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: 5}}})
		good, _ = h.as(ann, good, "b2")
		time.Sleep(20 * time.Second)
		if h.failed.Load() == 0 {
			t.Error("nothing was reported")
		}
		h.is(h.look(bad.ID), nil, "b2", "first wins time")
		h.is(h.look(good.ID), nil, "b2", "first wins time")
	})
}
