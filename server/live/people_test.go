// SPDX-License-Identifier: Apache-2.0

package live

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

var (
	ann  = Actor{Seat: Seat{Member: 7}}
	bob  = Actor{Seat: Seat{Member: 9}}
	eve  = Actor{Seat: Seat{Guest: "e5", Name: "Eve"}}
	free = [2]Seat{ann.Seat, bob.Seat}
)

// meet begins a game of tic-tac-toe between ann and bob.
func (h *hall) meet(s Start) Game {
	h.t.Helper()
	s.Game = cmp.Or(s.Game, "tictactoe")
	if s.Seats == [2]Seat{} {
		s.Seats = free
	}
	s.First, s.Second = request.Human, request.Human
	g, err := h.Begin(s)
	if err != nil {
		h.t.Fatal(err)
	}
	return g
}

// as plays a move of a person.
func (h *hall) as(by Actor, g Game, word string) (Game, error) {
	h.t.Helper()
	m, err := g.Board.Game().Parse(word)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.Move(by, g.ID, g.Plies, m)
}

// refused complains where a change was not refused in this way.
func (h *hall) refused(what string, err, want error) {
	h.t.Helper()
	if !errors.Is(err, want) {
		h.t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// TestOnlySeatsChangeGame: only who has a seat changes anything, and moves only in turn. What needs both happens when both want it.
func TestOnlySeatsChangeGame(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.meet(Start{})
		do := func(by Actor, d Action) (Game, error) { return h.Act(by, g.ID, g.Plies, d) }
		_, err := h.as(eve, g, "b2")
		h.refused("a stranger moves", err, errSeat)
		_, err = h.as(Actor{}, g, "b2")
		h.refused("nobody moves", err, errSeat)
		_, err = h.as(bob, g, "b2")
		h.refused("a move out of turn", err, request.ErrTurn)
		for _, d := range []Action{DoResign, DoDraw, DoTakeback, DoDecline, DoAbort, DoRematch} {
			_, err = do(eve, d)
			h.refused("a stranger: "+string(d), err, errSeat)
		}
		_, err = h.Say(eve, g.ID, 0, "hello")
		h.refused("a stranger says hello", err, errSeat)
		h.refused("deleted while it goes on", h.Delete(g.ID), errKept)

		g, _ = h.as(ann, g, "b2")
		_, err = do(bob, DoTakeback)
		h.refused("a takeback without a move", err, request.ErrNoTakeback)
		if g, err = do(ann, DoTakeback); err != nil || !g.Offers()[0].Takeback || g.Moves != "b2" {
			t.Errorf("a takeback is asked for: %+v, %v, %q", g.Offers(), err, g.Moves)
		}
		if g, err = do(bob, DoDecline); err != nil || g.Offers() != ([2]Offers{}) {
			t.Errorf("declined: %+v, %v", g.Offers(), err)
		}
		_, err = do(bob, DoDecline)
		h.refused("declined twice", err, errOffer)
		_, _ = do(ann, DoTakeback)
		g, err = do(bob, DoTakeback)
		h.is(g, err, "", "ongoing")
		g, _ = h.as(ann, g, "a1")
		g, _ = h.as(bob, g, "b2")
		_, err = do(ann, DoAbort)
		h.refused("aborted after two moves", err, errNoAbort)
		g, _ = do(ann, DoDraw)
		g, _ = h.as(ann, g, "a2")
		if g.Offers() != ([2]Offers{}) {
			t.Error("an offer outlives the move")
		}
		_, _ = do(bob, DoDraw)
		g, err = do(ann, DoDraw)
		h.is(g, err, "a1 b2 a2", "draw agreed")
		if g.Offers() != ([2]Offers{}) {
			t.Error("an offer outlives the game")
		}
		_, err = do(ann, DoResign)
		h.refused("resigned after the end", err, game.ErrOver)

		if g, err = do(bob, DoRematch); err != nil || g.Next() != "" {
			t.Errorf("a rematch is offered: %q, %v", g.Next(), err)
		}
		if g, err = do(ann, DoRematch); err != nil || g.Next() == "" {
			t.Fatalf("a rematch is taken: %q, %v", g.Next(), err)
		}
		_, err = do(ann, DoRematch)
		h.refused("a second rematch", err, errOffer)
		next := h.look(g.Next())
		if next.Seats != ([2]Seat{bob.Seat, ann.Seat}) {
			t.Errorf("the rematch is of %+v", next.Seats)
		}
		g, err = h.Act(ann, next.ID, 0, DoResign) // out of turn
		h.is(g, err, "", "first wins resigned")
		if err := h.Delete(g.ID); err != nil {
			t.Error(err)
		}
	})
}

// TestGuestHoldsSeatByKey: a guest is known by a key, and a bot plays the other side.
func TestGuestHoldsSeatByKey(t *testing.T) {
	inHall(t, func(h *hall) {
		g, err := h.Begin(Start{GameTerms: request.GameTerms{Game: "tictactoe"}, First: request.Human, Second: "thinker:1s", Seats: [2]Seat{eve.Seat}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.as(ann, g, "b2")
		h.refused("a member on a guest's seat", err, errSeat)
		if g, err = h.as(eve, g, "b2"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		if g = h.look(g.ID); g.Plies != 2 {
			t.Errorf("the bot has not moved: %q", g.Moves)
		}
		g, err = h.Act(eve, g.ID, 2, DoTakeback)
		h.is(g, err, "", "ongoing")
		g, err = h.Act(eve, g.ID, 0, DoResign)
		h.is(g, err, "", "second wins resigned")
		_, err = h.Begin(Start{GameTerms: request.GameTerms{Game: "tictactoe", Rated: true}, First: request.Human, Second: request.Human, Seats: [2]Seat{eve.Seat, ann.Seat}})
		h.refused("a rated game of a guest", err, ErrRated)
	})
}

// TestServerEndsGameOnTime: between people the server ends a game that is out of time. Lag is given back up to a bound, and what is said
// or offered does not stop a clock.
func TestServerEndsGameOnTime(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: 10}}})
		g, _ = h.as(ann, g, "b2")
		time.Sleep(2 * time.Second)
		if _, err := h.Say(ann, g.ID, 1, "luck"); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		if _, err := h.Act(bob, g.ID, 1, DoDraw); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		left := func(side game.Side) time.Duration { return g.Clock(side, time.Now()).Left() }
		slow := bob
		slow.Lag = time.Minute
		g, _ = h.as(slow, g, "a1")
		if got := left(game.Second); got.Round(10*time.Millisecond) != 6*time.Second+mostLag {
			t.Errorf("after 4 s with lag there are %v of 10 s", got)
		}
		time.Sleep(10*time.Second + mostLag - time.Millisecond)
		if g = h.look(g.ID); !g.Ongoing() {
			t.Error("the game is over before a late move could come")
		}
		time.Sleep(2 * beat)
		h.is(h.look(g.ID), nil, "b2 a1", "second wins time")

		each := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Turn: 5}}})
		for i, by := range []Actor{ann, bob, ann} {
			var err error
			if each, err = h.as(by, each, []string{"a1", "b1", "c1"}[i]); err != nil {
				t.Fatal(err)
			}
			time.Sleep(4 * time.Second)
		}
		if got := each.Clock(game.Second, time.Now()).Left(); got != time.Second {
			t.Errorf("%v of a move's 5 s are left after 4 s", got)
		}
		time.Sleep(2 * time.Second)
		h.is(h.look(each.ID), nil, "a1 b1 c1", "first wins time")
	})
}

// TestTakebackTime: a move that is given back gives no time back.
func TestTakebackTime(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: 20, Increment: 3}}})
		g, _ = h.as(ann, g, "b2")
		time.Sleep(2 * time.Second)
		g, _ = h.as(bob, g, "a1")
		time.Sleep(4 * time.Second)
		before := [2]time.Duration{g.Clock(0, time.Now()).Left(), g.Clock(1, time.Now()).Left()}
		_, _ = h.Act(bob, g.ID, 2, DoTakeback)
		g, err := h.Act(ann, g.ID, 2, DoTakeback)
		h.is(g, err, "b2", "ongoing")
		for side, was := range before { // changes of one moment are kept a millisecond apart
			if is := g.Clock(game.Side(side), time.Now()).Left(); (is - was).Abs() > 5*time.Millisecond {
				t.Errorf("side %d has %v left, had %v", side, is, was)
			}
		}
	})
}

// TestClocksStandWhileAway: clocks stand still while the server is away, and a move that was answered is there.
func TestClocksStandWhileAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := storetest.Open(t)
		h := &hall{t: t, db: db}
		start := func() {
			h.Games = New(t.Context(), Options{Store: db, Player: h.player, Position: position, Moved: func(time.Duration) {}, Failed: func(id string, err error) { t.Error(id, err) }})
			if err := h.Resume(); err != nil {
				t.Fatal(err)
			}
		}
		start()
		g := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: 60}}})
		g, _ = h.as(ann, g, "b2")
		alone := h.begin(request.Human, request.Human, request.Clock{Seconds: 60})
		alone, _ = h.play(alone.ID, 0, "b2")
		time.Sleep(10*time.Second + 100*time.Millisecond)
		h.Stop() // as a kill: nothing is asked
		synctest.Wait()
		h.Close()
		time.Sleep(time.Hour)
		start()
		if g = h.look(g.ID); !g.Running() || g.Plies != 1 {
			t.Fatalf("the game after an hour: %s %s, %d moves", g.Outcome, g.Reason, g.Plies)
		}
		if left := g.Clock(game.Second, time.Now()).Left(); left < 49*time.Second || left > 50*time.Second {
			t.Errorf("%v are left, want 49.9 s", left)
		}
		alone = h.look(alone.ID)
		if left := alone.Clock(game.Second, time.Now()).Left(); left < 49*time.Second || left > 50*time.Second {
			t.Errorf("%v are left without seats, want 49.9 s", left)
		}
		time.Sleep(52 * time.Second)
		h.is(h.look(g.ID), nil, "b2", "first wins time")
		h.Close()
	})
}

// TestRatingsChangeOnce: the ratings are those of Glicko-2 and change once, with the end.
func TestRatingsChangeOnce(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.meet(Start{GameTerms: request.GameTerms{Rated: true, Clock: request.Clock{Seconds: 300}}})
		aborted := h.meet(Start{GameTerms: request.GameTerms{Rated: true, Clock: request.Clock{Seconds: 300}}})
		if _, err := h.Act(bob, aborted.ID, 0, DoAbort); err != nil {
			t.Error(err)
		}
		g, err := h.Act(bob, g.ID, 0, DoResign)
		h.is(g, err, "", "first wins resigned")
		for range 2 {
			if _, err := h.Say(ann, g.ID, 0, "thanks"); err != nil {
				t.Error(err)
			}
		}
		all, err := h.db.Ratings(0, "tictactoe blitz")
		if err != nil || len(all) != 2 || all[0].Member != 7 || all[0].Games != 1 || all[1].Games != 1 {
			t.Fatalf("ratings %+v, %v", all, err)
		}
		// Two players of whom nothing is known: 1500 ± 350. By the paper's steps the winner has 1662.3 ± 290.3.
		if math.Abs(all[0].Rating-1662.3) > 0.1 || math.Abs(all[0].Deviation-290.3) > 0.1 || math.Abs(all[0].Rating+all[1].Rating-3000) > 1e-6 {
			t.Errorf("ratings %+v", all)
		}
		m, err := h.db.Games(store.GameFilter{By: ann.Seat, Against: bob.Seat})
		if err != nil || len(m) != 2 || m[0].Ended.IsZero() {
			t.Errorf("meetings %+v, %v", m, err)
		}
		h.refused("a rated game is deleted", h.Delete(g.ID), errKept)
	})
}

// TestSpeed: the classes have the bounds that the reference gives.
func TestSpeed(t *testing.T) {
	for c, want := range map[request.Clock]string{
		{Seconds: 60}: request.Bullet, {Seconds: 180}: request.Blitz, {Seconds: 120, Increment: 2}: request.Blitz, {Seconds: 480}: request.Rapid, {Seconds: 300, Increment: 5}: request.Rapid,
		{Seconds: 1500}: request.Classical,
	} {
		if got := c.Speed(); got != want {
			t.Errorf("%+v is %s, want %s", c, got, want)
		}
	}
	if got := (request.Clock{Turn: 259200}).Speed() + (request.Clock{}).Speed() + (request.Clock{Turn: 10}).Speed(); got != request.Correspondence+request.Correspondence+request.Blitz {
		t.Errorf("by moves: %s", got)
	}
}

// TestOpening: the opening is answered by the seats that it asks, and a swap exchanges them.
func TestOpening(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.meet(Start{GameTerms: request.GameTerms{Game: "gomoku:9", Rule: "swap2", Clock: request.Clock{Seconds: 60, Increment: 9}}})
		_, err := h.as(ann, g, "e5")
		h.refused("a move in the opening", err, errOpening)
		_, err = h.Answer(bob, g.ID, 0, "e5 e6 d5")
		h.refused("an answer of the other", err, request.ErrTurn)
		if _, err = h.Answer(ann, g.ID, 0, "e5"); err == nil {
			t.Error("one stone is no answer to three")
		}
		if g, err = h.Answer(ann, g.ID, 0, "e5 e6 d5"); err != nil || g.Plies != 3 {
			t.Fatalf("%q, %v", g.Moves, err)
		}
		_, err = h.Answer(ann, g.ID, 0, "e5 e6 d5")
		h.refused("an answer twice", err, request.ErrChanged)
		if q, ok := h.questionOf(g); !ok || q.Who != 1 || !q.Two {
			t.Errorf("asked: %+v, %v", q, ok)
		}
		g, err = h.Answer(bob, g.ID, 1, "swap")
		if err != nil || g.Opening() || g.Seats != ([2]Seat{bob.Seat, ann.Seat}) {
			t.Errorf("after the swap: %+v, %v", g.Seats, err)
		}
		for side := range game.Side(2) { // stones of the opening bring no time
			if left := g.Clock(side, time.Now()).Left(); left.Round(time.Second) != time.Minute {
				t.Errorf("side %d has %v after the opening", side, left)
			}
		}
		_, err = h.Act(ann, g.ID, 3, DoTakeback)
		h.refused("a stone of the opening is taken back", err, request.ErrNoTakeback)
		_, err = h.Answer(ann, g.ID, 2, "swap")
		h.refused("an answer after the opening", err, errNoOpening)
		if g, err = h.as(ann, g, "a1"); err != nil || g.Plies != 4 { // White, who began
			t.Errorf("%q, %v", g.Moves, err)
		}
		_, err = h.Act(bob, g.ID, 4, DoTakeback)
		h.refused("a stone of the opening is taken back", err, request.ErrNoTakeback)
		_, _ = h.Act(ann, g.ID, 4, DoTakeback)
		g, err = h.Act(bob, g.ID, 4, DoTakeback)
		h.is(g, err, "e5 e6 d5", "ongoing")
	})
}

// TestAnswerWithoutOpening: a game that has no opening by a rule refuses answers, with seats and without.
func TestAnswerWithoutOpening(t *testing.T) {
	inHall(t, func(h *hall) {
		solo, err := h.Begin(Start{GameTerms: request.GameTerms{Game: "tictactoe"}, First: request.Human, Second: request.Human})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range []Game{solo, h.meet(Start{})} {
			_, err := h.Answer(ann, g.ID, 0, "swap")
			h.refused("an answer", err, errNoOpening)
		}
	})
}

// TestDelay: spectators see what was there a while ago, and not the end before its time.
func TestDelay(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.meet(Start{GameTerms: request.GameTerms{Delay: 10}})
		g, _ = h.as(ann, g, "b2")
		time.Sleep(4 * time.Second)
		g, _ = h.as(bob, g, "a1")
		for _, plies := range []int{0, 1, 2} {
			_, err := h.Act(eve, g.ID, plies, DoFlag)
			h.refused("a claim of a spectator", err, errSeat)
		}
		g, _ = h.Act(ann, g.ID, 2, DoResign)
		for _, step := range []struct {
			after time.Duration
			moves string
			over  bool
		}{{0, "", false}, {6 * time.Second, "b2", false}, {4 * time.Second, "b2 a1", true}} {
			time.Sleep(step.after)
			seen, next, err := h.As(eve.Seat, g, time.Now())
			if err != nil || seen.Moves != step.moves || seen.Ongoing() == step.over || (next == 0) != step.over {
				t.Errorf("a spectator sees %q %s, %v more, %v", seen.Moves, seen.Outcome, next, err)
			}
			if own, _, _ := h.As(bob.Seat, g, time.Now()); own.Moves != "b2 a1" || own.Ongoing() {
				t.Errorf("a player sees %q", own.Moves)
			}
		}
	})
}

// TestLagIsABudget: a side that lies about its way pays for most of its thoughts, and an ordinary way is given back whole.
func TestLagIsABudget(t *testing.T) {
	const moves, thought, way = 12, 450 * time.Millisecond, 80 * time.Millisecond
	inHall(t, func(h *hall) {
		g := h.meet(Start{GameTerms: request.GameTerms{Game: "gomoku:9", Clock: request.Clock{Seconds: 20}}})
		liar, honest := ann, bob
		liar.Lag, honest.Lag = time.Minute, way
		began := time.Now()
		for i := range moves {
			for side, by := range []Actor{liar, honest} {
				if i > 0 || side > 0 { // the clock runs from the second move on
					time.Sleep(thought)
				}
				var err error
				if g, err = h.as(by, g, fmt.Sprintf("%c%d", "ace"[i/4]+byte(side), 2*(i%4)+1)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if all := time.Since(began); all < (2*moves-1)*thought {
			t.Fatalf("the moves took %v", all)
		}
		left := func(side game.Side) time.Duration { return g.Clock(side, time.Now()).Left() }
		if paid := 20*time.Second - left(game.First); paid < (moves-1)*thought*6/10 {
			t.Errorf("%v of thought cost %v", (moves-1)*thought, paid)
		}
		if paid, want := 20*time.Second-left(game.Second), moves*(thought-way); (paid - want).Abs() > 50*time.Millisecond {
			t.Errorf("%v of thought cost %v, want %v", moves*thought, paid, want)
		}
	})
}

// TestLagEndsGame: who is out of time and has no budget left has lost at once.
func TestLagEndsGame(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: 10}}})
		liar := bob
		liar.Lag = time.Minute
		g, _ = h.as(ann, g, "b2")
		time.Sleep(time.Second)
		g, _ = h.as(liar, g, "a1")
		g, _ = h.as(ann, g, "a2")
		time.Sleep(9*time.Second + 500*time.Millisecond + lagOfMove + 2*beat)
		h.is(h.look(g.ID), nil, "b2 a1 a2", "first wins time")
	})
}
