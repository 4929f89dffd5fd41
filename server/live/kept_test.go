// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// rememberer plays the first free cell, and counts its moves.
type rememberer struct {
	moves  int
	closed *atomic.Int64
}

func (*rememberer) Name() string    { return "rememberer" }
func (*rememberer) Remembers() bool { return true }
func (r *rememberer) Close() error  { r.closed.Add(1); return nil }
func (r *rememberer) Move(_ context.Context, p game.Position, _ search.Limits) (game.Move, error) {
	r.moves++
	return p.AppendMoves(nil)[0], nil
}

// TestPlayerIsKeptAtSeat: a player is found again at its seat, unless the game lost moves, too many others came, or it took too long.
func TestPlayerIsKeptAtSeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s cache
		var closed atomic.Int64
		at := func(n int) seat { return seat{fmt.Sprint(n), "bot:x", 0, nobody} }
		first := &rememberer{closed: &closed}
		s.put(at(0), first, 3)
		if got := s.takePlayer(at(1), 4); got != nil {
			t.Error("a player of another game")
		}
		if got := s.takePlayer(at(0), 4); got != first {
			t.Errorf("got %v, want the first one", got)
		}
		s.put(at(0), first, 5)
		if got := s.takePlayer(at(0), 4); got != nil || closed.Load() != 1 {
			t.Errorf("after moves were taken back: %v, %d closed", got, closed.Load())
		}
		for n := range maxKept + 2 {
			s.put(at(n), &rememberer{closed: &closed}, 1)
		}
		if closed.Load() != 3 || s.takePlayer(at(0), 1) != nil || s.takePlayer(at(2), 1) == nil {
			t.Errorf("%d closed, want 3, the oldest ones", closed.Load())
		}
		s.forget("3")
		if closed.Load() != 4 || s.takePlayer(at(3), 1) != nil {
			t.Error("a forgotten game has players")
		}
		time.Sleep(keptFor + time.Second)
		if want := int64(3 + maxKept - 1); closed.Load() != want || s.takePlayer(at(4), 1) != nil {
			t.Errorf("%d closed in time, want %d", closed.Load(), want)
		}
		s.close()
		before := closed.Load()
		if s.put(at(1), first, 1); closed.Load() != before+1 {
			t.Error("a player is kept after the end")
		}
	})
}

// TestNobodyTakesTheShelf: the players of one member's games push each other out, and none of others.
func TestNobodyTakesTheShelf(t *testing.T) {
	for _, tc := range []struct {
		of   person
		want int
	}{{7, maxKeptOf}, {guest, maxKeptOfGuests}, {nobody, maxKept - 1}} {
		var s cache
		defer s.close()
		var closed atomic.Int64
		other := seat{"other", "bot:x", 0, 8}
		s.put(other, &rememberer{closed: &closed}, 1)
		for n := range maxKept - 1 {
			s.put(seat{fmt.Sprint(n), "bot:x", 0, tc.of}, &rememberer{closed: &closed}, 1)
		}
		if kept := maxKept - int(closed.Load()) - 1; kept != tc.want {
			t.Errorf("person %d has %d players, want %d", tc.of, kept, tc.want)
		}
		if s.takePlayer(other, 1) == nil {
			t.Errorf("person %d has pushed out the player of another", tc.of)
		}
	}
}

// TestPlayerRemembersGame: a player that remembers its game plays all of it, until a move is taken back or the game ends.
func TestPlayerRemembersGame(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.begin(request.Human, "memory", request.Clock{})
		for i, word := range []string{"a2", "b2"} {
			var err error
			if g, err = h.play(g.ID, 2*i, word); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if got := h.memory.moves; got != 2 || h.made.Load()-h.closed.Load() != 1 {
			t.Errorf("%d moves of a player, want 2; %d open", got, h.made.Load()-h.closed.Load())
		}
		g, err := h.Act(Actor{}, g.ID, 4, DoTakeback)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = h.play(g.ID, 2, "c3"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := h.memory.moves; got != 1 {
			t.Errorf("after a move was taken back: a player of %d moves, want 1", got)
		}
		if _, err := h.Act(Actor{}, g.ID, 4, DoResign); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if h.made.Load() != h.closed.Load() {
			t.Errorf("%d players made, %d closed at the end of the game", h.made.Load(), h.closed.Load())
		}
	})
}

// away is a player on another machine who does not answer.
type away struct{ player.Human }

func (away) Patience() time.Duration { return time.Minute }
func (away) Move(ctx context.Context, _ game.Position, _ search.Limits) (game.Move, error) {
	<-ctx.Done()
	return game.NoMove, ctx.Err()
}

// TestSilentPlayerLosesByClock: a player that does not answer takes no room, is asked again after a while, and loses by its clock.
func TestSilentPlayerLosesByClock(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.begin(request.Human, "away", request.Clock{})
		if _, err := h.play(g.ID, 0, "b2"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := h.Thinking(); n != 0 {
			t.Errorf("%d players think here, want 0", n)
		}
		time.Sleep(time.Minute)
		if g = h.look(g.ID); g.Trouble == nil || g.Thinking {
			t.Errorf("after a minute: trouble %v, thinking %t", g.Trouble, g.Thinking)
		}
		h.Retry()
		synctest.Wait()
		if g = h.look(g.ID); !g.Thinking {
			t.Error("it is not asked again")
		}
		g = h.begin(request.Human, "away", request.Clock{Seconds: 180})
		if _, err := h.play(g.ID, 0, "b2"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3*time.Minute + time.Second)
		g = h.look(g.ID)
		h.is(g, nil, "b2", "first wins time")
	})
}
