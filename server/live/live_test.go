// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

// thinker moves to the first free cell after a time, unless its search is stopped.
type thinker struct {
	takes  time.Duration
	closed *atomic.Int64
}

func (thinker) Name() string { return "thinker" }

func (p thinker) Move(ctx context.Context, pos game.Position, _ search.Limits) (game.Move, error) {
	select {
	case <-ctx.Done():
	case <-time.After(p.takes):
	}
	return pos.AppendMoves(nil)[0], nil
}

func (p thinker) Close() error { p.closed.Add(1); return nil }

// failing never moves.
type failing struct{ player.Human }

func (failing) Move(context.Context, game.Position, search.Limits) (game.Move, error) {
	panic("no idea")
}

// late has no move when its time is over, unless it is not the first one.
type late struct {
	player.Human
	first bool
}

func (p *late) Move(ctx context.Context, pos game.Position, _ search.Limits) (game.Move, error) {
	if p.first {
		<-ctx.Done()
		return game.NoMove, ctx.Err()
	}
	return pos.AppendMoves(nil)[0], nil
}

// hall is games in a store of their own.
type hall struct {
	*Games
	t       *testing.T
	db      *store.Store
	made    atomic.Int64 // players that can be closed
	closed  atomic.Int64
	moves   atomic.Int64
	thought atomic.Int64
	failed  atomic.Int64
	late    atomic.Int64
	memory  *rememberer // the one that was made last
}

func (h *hall) player(g game.Game, spec string, seed uint64) (player.Player, error) {
	if name, rest, ok := strings.Cut(spec, ":"); ok && name == "thinker" {
		d, err := time.ParseDuration(rest)
		h.made.Add(1)
		return thinker{d, &h.closed}, err
	}
	if spec == "memory" {
		h.made.Add(1)
		h.memory = &rememberer{closed: &h.closed}
		return h.memory, nil
	}
	if spec == "away" {
		return away{}, nil
	}
	if spec == "late" {
		return &late{first: h.late.Add(1) == 1}, nil
	}
	if spec == "failing" {
		return failing{}, nil
	}
	return krow.Player(g, spec, seed)
}

func position(spec, start, moves string) (game.Board, error) {
	g, err := krow.Game(spec)
	if err != nil {
		return nil, err
	}
	p := g.Start()
	return p.(game.Board), notation.Play(p, moves)
}

// inHall runs f with games on the clock of a bubble, and looks afterwards whether all players were closed.
func inHall(t *testing.T, f func(h *hall)) {
	t.Helper()
	file := storetest.File(t)
	synctest.Test(t, func(t *testing.T) {
		h := &hall{t: t}
		var err error
		if h.db, err = store.Open(file); err != nil {
			t.Fatal(err)
		}
		defer h.db.Close()
		h.Games = New(t.Context(), Options{
			Store: h.db, Player: h.player, Position: position,
			Moved:  func(thought time.Duration) { h.moves.Add(1); h.thought.Add(int64(thought)) },
			Failed: func(string, error) { h.failed.Add(1) },
		})
		f(h)
		h.Close()
		if h.made.Load() != h.closed.Load() {
			t.Errorf("%d players made, %d closed", h.made.Load(), h.closed.Load())
		}
	})
}

// applyMove plays a person's move.
func (h *hall) play(id string, plies int, word string) (Game, error) {
	h.t.Helper()
	b, _ := position("tictactoe", "", "")
	m, err := b.Game().Parse(word)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.Move(Actor{}, id, plies, m)
}

// begin begins a game of tic-tac-toe.
func (h *hall) begin(first, second string, c request.Clock) Game {
	h.t.Helper()
	g, err := h.Begin(Start{GameTerms: request.GameTerms{Game: "tictactoe", Clock: c}, First: first, Second: second})
	if err != nil {
		h.t.Fatal(err)
	}
	return g
}

// look returns a game as soon as nobody thinks.
func (h *hall) look(id string) Game {
	h.t.Helper()
	synctest.Wait()
	g, err := h.Game(id)
	if err != nil {
		h.t.Fatal(err)
	}
	return g
}

// is complains where a game does not have these moves and this ending.
func (h *hall) is(g Game, err error, moves, ending string) {
	h.t.Helper()
	got := strings.TrimSpace(g.Outcome + " " + g.Reason)
	if err != nil || g.Moves != moves || got != ending {
		h.t.Errorf("the game is %q, %s, %v, want %q, %s", g.Moves, got, err, moves, ending)
	}
}

func TestPeopleMoveInTurn(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.begin(request.Human, request.Human, request.Clock{})
		for i, step := range []struct {
			move string
			want string // the error
		}{
			{"b2", ""}, {"b2", "taken"}, {"a1", ""},
		} {
			after, err := h.play(g.ID, g.Plies, step.move)
			if (err == nil) != (step.want == "") || err != nil && !strings.Contains(err.Error(), step.want) {
				t.Fatalf("move %d, %s: %v, want %q", i, step.move, err, step.want)
			}
			if err == nil {
				g = after
			}
		}
		if _, err := h.play(g.ID, 1, "c3"); !errors.Is(err, request.ErrChanged) || err.Error() != "the game has changed meanwhile: it has 2 moves, not 1" {
			t.Errorf("a move in the past: %v", err)
		}
		if _, err := h.Act(Actor{}, g.ID, 2, DoFlag); !errors.Is(err, request.ErrInTime) {
			t.Errorf("a flag without clocks: %v", err)
		}
		g, err := h.Act(Actor{}, g.ID, 2, DoTakeback)
		h.is(g, err, "b2", "ongoing")
		g, err = h.Act(Actor{}, g.ID, 1, DoResign) // the second side is to move
		h.is(g, err, "b2", "first wins resigned")
		if _, err := h.play(g.ID, 1, "c3"); !errors.Is(err, game.ErrOver) {
			t.Errorf("a move after the end: %v", err)
		}
		if _, err := h.Act(Actor{}, g.ID, 1, DoResign); !errors.Is(err, request.ErrNoResigning) {
			t.Errorf("resigned twice: %v", err)
		}
		g, err = h.Act(Actor{}, g.ID, 1, DoTakeback) // the end, too
		h.is(g, err, "", "ongoing")
		if _, err := h.Act(Actor{}, g.ID, 0, DoTakeback); !errors.Is(err, request.ErrNoTakeback) {
			t.Errorf("nothing to take back: %v", err)
		}
		if err := h.Delete(g.ID); err != nil {
			t.Error(err)
		}
		if _, err := h.Game(g.ID); !errors.Is(err, store.ErrNoGame) {
			t.Errorf("a game that is forgotten: %v", err)
		}
		if h.moves.Load() != 2 || h.thought.Load() != 0 {
			t.Errorf("%d moves, %d ns thought, want 2 and none", h.moves.Load(), h.thought.Load())
		}
	})
}

// The clock of a side runs while it is to move, from the second move on; a move gives its increment.
func TestClocks(t *testing.T) {
	inHall(t, func(h *hall) {
		left := func(g Game, first, second time.Duration) {
			t.Helper()
			for side, want := range [2]time.Duration{first, second} {
				if got := g.Clock(game.Side(side), time.Now()).Left(); got != want {
					t.Errorf("after %d moves side %d has %v left, want %v", g.Plies, side, got, want)
				}
			}
		}
		g := h.begin(request.Human, request.Human, request.Clock{Seconds: 10, Increment: 2})
		time.Sleep(time.Minute)
		if g = h.look(g.ID); g.Running() {
			t.Error("the clock runs before the first move")
		}
		left(g, 10*time.Second, 10*time.Second)
		g, err := h.play(g.ID, 0, "b2")
		if err != nil || !g.Running() {
			t.Errorf("after a move the clock runs: %v, %v", g.Running(), err)
		}
		left(g, 12*time.Second, 10*time.Second)
		time.Sleep(3 * time.Second)
		left(h.look(g.ID), 12*time.Second, 7*time.Second)
		if _, err := h.Act(Actor{}, g.ID, 1, DoTakeback); !errors.Is(err, request.ErrClocked) {
			t.Errorf("taken back: %v", err)
		}
		g, _ = h.play(g.ID, 1, "a1")
		left(g, 12*time.Second, 9*time.Second)
		time.Sleep(12*time.Second - time.Millisecond)
		if _, err := h.Act(Actor{}, g.ID, 2, DoFlag); !errors.Is(err, request.ErrInTime) {
			t.Errorf("a flag with a millisecond left: %v", err)
		}
		time.Sleep(time.Millisecond)
		g, err = h.Act(Actor{}, g.ID, 2, DoFlag)
		h.is(g, err, "b2 a1", "second wins time")
		left(g, 0, 9*time.Second)
		time.Sleep(time.Minute)
		left(h.look(g.ID), 0, 9*time.Second)

		g = h.begin(request.Human, request.Human, request.Clock{Seconds: 10})
		g, _ = h.play(g.ID, 0, "b2")
		time.Sleep(11 * time.Second)
		g, err = h.play(g.ID, 1, "a1") // too late
		h.is(g, err, "b2", "first wins time")
	})
}

// A game with clocks that the build 0faa82d kept is read, and goes on.
func TestOldClock(t *testing.T) {
	inHall(t, func(h *hall) {
		old := store.Game{
			ID: "old", Game: "tictactoe", First: request.Human, Second: request.Human, Moves: "b2 a1", Plies: 2, Outcome: "ongoing",
			Extra: []byte(`{"clock":{"seconds":60,"increment":3,"spent":[1500,0]}}`),
		}
		if err := h.db.AddGame(old, ""); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		g, err := h.play("old", 2, "a2")
		h.is(g, err, "b2 a1 a2", "ongoing")
		if want := `{"clock":{"seconds":60,"increment":3,"spent":[3500,0],"since":946684802000}}`; string(g.Extra) != want {
			t.Errorf("the clocks are %s, want %s", g.Extra, want)
		}
		for side, want := range [2]time.Duration{62500 * time.Millisecond, 63 * time.Second} {
			if got := g.Clock(game.Side(side), time.Now()).Left(); got != want {
				t.Errorf("side %d has %v left, want %v", side, got, want)
			}
		}
	})
}

func TestPlayersAnswerPeople(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.begin(request.Human, "thinker:2s", request.Clock{})
		g, err := h.play(g.ID, 0, "b2")
		if err != nil || !g.Thinking {
			t.Errorf("after a move nobody thinks: %+v, %v", g, err)
		}
		if _, err := h.play(g.ID, 1, "a1"); !errors.Is(err, request.ErrTurn) {
			t.Errorf("a move for the player: %v", err)
		}
		changed, end := h.Watch(g.ID, false)
		time.Sleep(2 * time.Second)
		<-changed
		if g = h.look(g.ID); g.Thinking {
			t.Error("the player thinks in a person's turn")
		}
		h.is(g, nil, "b2 a1", "ongoing")
		if h.moves.Load() != 2 || h.thought.Load() != int64(2*time.Second) {
			t.Errorf("%d moves, %v thought, want 2 and 2s", h.moves.Load(), time.Duration(h.thought.Load()))
		}
		// A move that is taken back while the player thinks is not answered.
		if g, err = h.play(g.ID, 2, "c3"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		g, err = h.Act(Actor{}, g.ID, 3, DoTakeback)
		h.is(g, err, "b2 a1", "ongoing")
		time.Sleep(time.Minute)
		h.is(h.look(g.ID), nil, "b2 a1", "ongoing")
		g, err = h.Act(Actor{}, g.ID, 2, DoTakeback) // to the last turn of the person
		h.is(g, err, "", "ongoing")
		g, err = h.Act(Actor{}, g.ID, 0, DoResign)
		h.is(g, err, "", "second wins resigned")
		end()
	})
}

// A player's time follows from its clock; one that is too slow is stopped and moves in time.
func TestClockBoundsPlayers(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.begin("thinker:1h", request.Human, request.Clock{Seconds: 70})
		time.Sleep(time.Minute)
		g = h.look(g.ID)
		h.is(g, nil, "a1", "ongoing")
		// 9 free cells: a seventh of the time.
		if h.thought.Load() != int64(10*time.Second) {
			t.Errorf("thought for %v, want 10s", time.Duration(h.thought.Load()))
		}
	})
}

// Where no person plays, players move while somebody watches.
func TestPlayersMoveWhileWatched(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.begin("thinker:1s", "thinker:1s", request.Clock{})
		time.Sleep(time.Minute)
		h.is(h.look(g.ID), nil, "", "ongoing")
		_, end := h.Watch(g.ID, false)
		time.Sleep(2500 * time.Millisecond)
		end()
		time.Sleep(time.Minute)
		h.is(h.look(g.ID), nil, "a1 b1 c1", "ongoing") // the third was being thought about
		if _, err := h.Act(Actor{}, g.ID, 3, DoResign); !errors.Is(err, request.ErrNoResigning) {
			t.Errorf("resigned by nobody: %v", err)
		}
		_, end = h.Watch(g.ID, false)
		time.Sleep(time.Minute)
		end()
		h.is(h.look(g.ID), nil, "a1 b1 c1 a2 b2 c2 a3", "first wins win")
	})
}

// All who watch a game see each change, though what they see is made once for all. Nobody is told of what is no change.
func TestShow(t *testing.T) {
	inHall(t, func(h *hall) {
		g := h.begin(request.Human, request.Human, request.Clock{})
		const watchers, moves = 30, 5
		made := 0 // the game's sight is made by one at a time
		show := func(now Game, err error) any {
			if made++; err != nil {
				t.Error(err)
			}
			return now.Plies
		}
		var all sync.WaitGroup
		var told atomic.Int64
		for range watchers {
			changed, end := h.Watch(g.ID, false)
			all.Go(func() {
				defer end()
				for range moves {
					plies := h.Show(g.ID, show).(int)
					<-changed
					told.Add(1)
					if now := h.Show(g.ID, show).(int); now <= plies {
						t.Errorf("%d moves after %d", now, plies)
					}
				}
			})
		}
		synctest.Wait()
		if n := told.Load(); n != 0 {
			t.Errorf("%d were told before anything happened", n)
		}
		for i, m := range []string{"a1", "b1", "a2", "b2", "a3"} {
			if _, err := h.play(g.ID, i, m); err != nil {
				t.Error(err)
			}
			synctest.Wait()
		}
		all.Wait()
		if made != 1+moves {
			t.Errorf("what %d see was made %d times, want %d", watchers, made, 1+moves)
		}
		time.Sleep(2 * moment)
		if plies := h.Show(g.ID, show); plies != moves || made != 2+moves { // nobody watches any more
			t.Errorf("%d moves, made %d times", plies, made)
		}
	})
}

// Why a player did not move is told, and kept for a number of games.
func TestTroubleIsTold(t *testing.T) {
	inHall(t, func(h *hall) {
		var ids []string
		for range maxTroubles + 1 {
			g := h.begin("failing", request.Human, request.Clock{})
			ids = append(ids, g.ID)
			synctest.Wait()
		}
		kept := 0
		for _, id := range ids {
			g := h.look(id)
			if g.Trouble != nil {
				kept++
			}
			if text := fmt.Sprint(g.Trouble); text != "failing: panic: no idea" && text != "<nil>" || g.Thinking {
				t.Fatalf("the trouble of %s is %s", id, text)
			}
		}
		if kept != maxTroubles || h.look(ids[maxTroubles]).Trouble == nil || h.failed.Load() != maxTroubles+1 {
			t.Errorf("%d troubles kept of %d, the last one: %v", kept, h.failed.Load(), h.look(ids[maxTroubles]).Trouble)
		}
		wrong := new(PlayerError)
		if _, err := h.Begin(Start{GameTerms: request.GameTerms{Game: "tictactoe"}, First: "rndom", Second: request.Human}); !errors.As(err, &wrong) || wrong.Player != "rndom" {
			t.Errorf("a player who does not exist: %v", err)
		}
	})
}

// However many games a member has, players think in the games of others.
func TestMemberTakesPartOfTheRoom(t *testing.T) {
	inHall(t, func(h *hall) {
		ctx, cancel := context.WithTimeout(h.t.Context(), time.Second)
		defer cancel()
		taken := 0
		for range maxThinking {
			if _, err := h.roomOf(ctx, 1); err == nil {
				taken++
			}
		}
		if want := maxThinking / 4; taken != want {
			t.Errorf("%d players think for one member, want %d", taken, want)
		}
		leave, err := h.roomOf(h.t.Context(), 2)
		if err != nil {
			t.Fatalf("another member: %v", err)
		}
		leave()
		if len(h.room) != taken {
			t.Errorf("%d places are taken, want %d", len(h.room), taken)
		}
	})
}

// A player for whom there is no room waits, and is in trouble after a while.
func TestRoom(t *testing.T) {
	inHall(t, func(h *hall) {
		var leave func()
		for range maxThinking {
			var err error
			if leave, err = h.Room(h.t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		g := h.begin("thinker:1s", request.Human, request.Clock{})
		time.Sleep(Longest - 1)
		if g = h.look(g.ID); !g.Thinking || g.Trouble != nil {
			t.Errorf("a player who waits: %+v", g)
		}
		time.Sleep(1 * time.Nanosecond)
		if g = h.look(g.ID); g.Thinking || !errors.Is(g.Trouble, errBusy) {
			t.Errorf("a player who has waited too long: %+v", g)
		}
		leave()
		_, end := h.Watch(g.ID, false)
		time.Sleep(time.Second)
		h.is(h.look(g.ID), nil, "a1", "ongoing")
		end()
		// Close does not wait for a player to move.
		g = h.begin("thinker:1h", request.Human, request.Clock{})
		start := time.Now()
		h.Close()
		if h.is(h.look(g.ID), nil, "", "ongoing"); time.Since(start) != 0 {
			t.Errorf("closed after %v", time.Since(start))
		}
	})
}
