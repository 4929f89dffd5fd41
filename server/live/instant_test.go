// SPDX-License-Identifier: Apache-2.0

package live

import (
	"sync"
	"testing"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
)

// meanwhile lets do happen while the next change has read its game and not yet stored it. Nobody else may be reading games then,
// so it waits for those who look whether a program is to move.
func (h *hall) meanwhile(do func()) {
	for h.looking() {
		time.Sleep(time.Millisecond)
	}
	h.o.Position = func(spec, start, moves string) (game.Board, error) {
		b, err := position(spec, start, moves)
		h.o.Position = position
		do()
		return b, err
	}
}

func (h *hall) looking() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.now {
		if a.thinking {
			return true
		}
	}
	return false
}

// TestNothingIsRefusedInOneInstant: whatever a side says or offers does not refuse what the other side does in that instant.
func TestNothingIsRefusedInOneInstant(t *testing.T) {
	act := func(do Action) func(*hall, Actor, Game) (Game, error) {
		return func(h *hall, by Actor, g Game) (Game, error) { return h.Act(by, g.ID, g.Plies, do) }
	}
	say := func(h *hall, by Actor, g Game) (Game, error) { return h.Say(by, g.ID, g.Plies, "luck") }
	move := func(h *hall, by Actor, g Game) (Game, error) { return h.as(by, g, "c1") }
	mine := map[string]func(*hall, Actor, Game) (Game, error){
		"move": move, "say": say, "draw": act(DoDraw), "takeback": act(DoTakeback), "resign": act(DoResign),
	}
	theirs := map[string]func(*hall, Actor, Game) (Game, error){"say": say, "draw": act(DoDraw), "takeback": act(DoTakeback)}
	inHall(t, func(h *hall) {
		for name, do := range mine {
			for other, disturb := range theirs {
				g := h.meet(Start{GameTerms: request.GameTerms{Clock: request.Clock{Seconds: 60}}})
				g, _ = h.as(ann, g, "b2")
				g, _ = h.as(bob, g, "a1")
				was := g
				h.meanwhile(func() {
					if _, err := disturb(h, bob, was); err != nil {
						t.Errorf("%s: %v", other, err)
					}
				})
				g, err := do(h, ann, was)
				if err != nil {
					t.Errorf("%s, and %s in that instant: %v", name, other, err)
					continue
				}
				if name == "move" && (g.Moves != "b2 a1 c1" || g.Offers() != ([2]Offers{})) {
					t.Errorf("after a move and %s in that instant: %q, %+v", other, g.Moves, g.Offers())
				}
				if other == "say" && len(g.Said()) == 0 {
					t.Errorf("after %s the phrase is lost", name)
				}
			}
		}
	})
}

// TestMoveOfAnotherPositionInOneInstant: a move is played in the position that its sender knows, or not at all.
func TestMoveOfAnotherPositionInOneInstant(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.meet(Start{})
		g, _ = h.as(ann, g, "b2")
		was := g
		h.meanwhile(func() {
			_, _ = h.Act(ann, was.ID, 1, DoTakeback)
			g, _ = h.Act(bob, was.ID, 1, DoTakeback)
			g, _ = h.as(ann, g, "a3")
		})
		_, err := h.as(bob, was, "c1")
		h.refused("a move after another one", err, request.ErrChanged)
		h.is(h.look(g.ID), nil, "a3", "ongoing")
	})
}

// TestRematchInOneInstant: both sides ask for a rematch at once, and one begins.
func TestRematchInOneInstant(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.meet(Start{})
		g, _ = h.Act(ann, g.ID, 0, DoResign)
		done := make(chan error, 1)
		h.meanwhile(func() {
			h.meanwhile(func() {
				_, err := h.Act(bob, g.ID, 0, DoRematch)
				done <- err
			})
		})
		_, err := h.Act(ann, g.ID, 0, DoRematch)
		// A watcher may read the game as well, and bob acts during that read. So the test looks when both have acted.
		if other := <-done; err != nil || other != nil {
			t.Fatal(err, other)
		}
		if after := h.look(g.ID); after.Next() == "" {
			t.Errorf("no rematch: %+v", after.Offers())
		}
	})
}

// TestMovesAndPhrasesAtOnce: of moves while the other side talks, and offers, none is refused.
func TestMovesAndPhrasesAtOnce(t *testing.T) {
	inHall(t, func(h *hall) {
		for range 10 {
			g := h.meet(Start{})
			for i, word := range []string{"b2", "a1", "c1", "a3"} {
				by, other := ann, bob
				if i%2 == 1 {
					by, other = bob, ann
				}
				var all sync.WaitGroup
				now := g
				all.Go(func() { _, _ = h.Say(other, now.ID, now.Plies, "oops") }) // it may come after the move
				all.Go(func() { _, _ = h.Act(other, now.ID, now.Plies, DoDraw) })
				var err error
				if g, err = h.as(by, now, word); err != nil {
					t.Fatal(err)
				}
				all.Wait()
			}
		}
	})
}

// TestPhraseDoesNotStopPlayer: a player thinks on while the other side talks.
func TestPhraseDoesNotStopPlayer(t *testing.T) {
	inHall(t, func(h *hall) {
		g, err := h.Begin(Start{GameTerms: request.GameTerms{Game: "tictactoe"}, First: request.Human, Second: "thinker:2s", Seats: [2]Seat{eve.Seat}})
		if err != nil {
			t.Fatal(err)
		}
		if g, err = h.as(eve, g, "b2"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(1500 * time.Millisecond)
		if _, err := h.Say(eve, g.ID, 1, "thinking"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if g = h.look(g.ID); g.Plies != 2 || len(g.Said()) != 1 || h.failed.Load() != 0 {
			t.Errorf("%q and %d phrases, half a second after the player had thought", g.Moves, len(g.Said()))
		}
		if made := h.made.Load(); made > 3 { // two sides are looked at when the game begins
			t.Errorf("%d players were made for one move", made)
		}
	})
}
