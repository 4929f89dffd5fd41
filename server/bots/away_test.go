// SPDX-License-Identifier: Apache-2.0

package bots

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

// TestAway: a program elsewhere plays a game by its token, also when its connection breaks in the midst of it.
func TestAway(t *testing.T) {
	db := fresh(t)
	token, err := Of(db, Everybody, nil).Token("friend")
	if err != nil {
		t.Fatal(err)
	}
	back := 0
	h := NewHub(db, func() { back++ })
	defer h.Close()
	ref, _, err := ParseRef("bot:Friend")
	if err != nil {
		t.Fatal(err)
	}
	b := board(t, "tictactoe")
	_, open, err := Players(db, h, b.Game(), ref)
	if err != nil {
		t.Fatal(err)
	}
	pl, err := open(7)
	if err != nil {
		t.Fatal(err)
	}
	pl.(player.Clocked).SetClock(clockOf(time.Hour))
	// The program answers two questions with each connection.
	ended := make(chan int)
	go func() {
		answered := 0
		a := Answerer{Game: krow.Game, Open: func(g game.Game, seed uint64) (player.Player, error) { return krow.Player(g, "rules", seed) }}
		defer a.Close()
		for over := false; !over; {
			name, questions, leave, err := h.Connect(token)
			if err != nil || name != "friend" {
				t.Errorf("Connect = %s, %v", name, err)
			}
			for range 2 {
				q := <-questions
				if q.Over {
					over = true
					break
				}
				if q.Left != 3_600_000 || q.Game != "tictactoe" || q.Seed != 7 {
					t.Errorf("a question %+v", q)
				}
				move, err := a.Answer(t.Context(), q)
				if err == nil {
					err = h.Answer(token, q.ID, move)
				}
				if err != nil {
					t.Error(err)
				}
				answered++
			}
			leave()
		}
		ended <- answered
	}()
	asked := 0
	for b.Outcome() == game.Ongoing {
		m, err := pl.Move(t.Context(), b, search.Limits{Time: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		asked++
		b.Play(m)
	}
	// The end of the game is told to a program that is there.
	var answered int
	for waiting := true; waiting; {
		player.Close(pl)
		select {
		case answered = <-ended:
			waiting = false
		case <-time.After(time.Millisecond):
		}
	}
	if answered != asked || back < 2 {
		t.Errorf("%d answers to %d questions, %d connections", answered, asked, back)
	}
}

func clockOf(left time.Duration) clock.Clock {
	c := clock.New(clock.Control{Match: left})
	return *c
}

// TestAwayFaults: what is wrong is told in a line, and a bot that is not there is waited for as long as its time is.
func TestAwayFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := storetest.Open(t)
		mine := Of(db, Everybody, nil)
		old, err := mine.Token("friend")
		if err != nil {
			t.Fatal(err)
		}
		ref, _, _ := ParseRef("bot:friend")
		b := board(t, "tictactoe")
		if _, _, err := Players(db, nil, b.Game(), ref); err == nil || !strings.Contains(err.Error(), "author's machine") {
			t.Errorf("without a server: %v", err)
		}
		h := NewHub(db, func() {})
		defer h.Close()
		mine = Of(db, Everybody, h)
		_, first, _, err := h.Connect(old)
		if err != nil {
			t.Fatal(err)
		}
		token, err := mine.Token("friend")
		if err != nil || token == old {
			t.Fatalf("a second token: %v", err)
		}
		if _, open := <-first; open {
			t.Error("the connection of the old token goes on")
		}
		for name, bad := range map[string]string{"old": old, "none": "", "foreign": "krow-bot-x"} {
			if _, _, _, err := h.Connect(bad); !errors.Is(err, ErrToken) {
				t.Errorf("the %s token: %v", name, err)
			}
		}
		if _, err := mine.Token("<b>"); !isMisuse(err) {
			t.Errorf("a name with markup: %v", err)
		}
		if _, err := mine.Save("friend", place(0)); !errors.Is(err, store.ErrBotTaken) {
			t.Errorf("a bot of the same name: %v", err)
		}
		if _, err := Of(db, "eve", nil).Token("FRIEND"); !errors.Is(err, store.ErrBotTaken) {
			t.Errorf("somebody else's name: %v", err)
		}
		_, open, err := Players(db, h, b.Game(), ref)
		if err != nil {
			t.Fatal(err)
		}
		pl, err := open(1)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := pl.Move(t.Context(), b, search.Limits{}); !errors.Is(err, ErrAway) || !errors.Is(err, player.ErrTimeout) || time.Since(start) != patience {
			t.Errorf("nobody there: %v after %v", err, time.Since(start))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := pl.Move(ctx, b, search.Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("a stopped game: %v", err)
		}
		_, questions, leave, err := h.Connect(token)
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			q := <-questions
			if err := h.Answer(token, q.ID, "<z9>"); err != nil {
				t.Error(err)
			}
			if err := h.Answer(token, q.ID, "a1"); !errors.Is(err, ErrAnswered) {
				t.Errorf("a second answer: %v", err)
			}
		}()
		if _, err := pl.Move(t.Context(), b, search.Limits{Time: time.Second}); err == nil || !strings.Contains(err.Error(), "answers") {
			t.Errorf("a move that is none: %v", err)
		}
		<-answered
		if list, err := mine.Away(); err != nil || len(list) != 1 || !list[0].Connected {
			t.Errorf("Away = %+v, %v", list, err)
		}
		if err := mine.DeleteAway("friend"); err != nil {
			t.Fatal(err)
		}
		if _, open := <-questions; open {
			t.Error("the connection of a bot that is gone goes on")
		}
	})
}

func isMisuse(err error) bool {
	_, is := errors.AsType[*spec.Error](err)
	return is
}
