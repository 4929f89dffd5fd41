// SPDX-License-Identifier: Apache-2.0

package bots

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
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
	var back atomic.Int32
	h := NewHub(db, func() { back.Add(1) })
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
	ctx, over := context.WithCancel(t.Context())
	answers := make(chan int)
	go func() {
		answered := 0
		a := answerer{Game: krow.Game, Open: func(g game.Game, seed uint64) (player.Player, error) { return krow.Player(g, "rules", seed) }}
		defer a.Close()
		for last := (AskedMove{}); ; {
			asked, err := h.Next(ctx, token, last)
			if ctx.Err() != nil {
				answers <- answered
				return
			}
			if err != nil || asked.Name != "friend" || asked.Question == nil {
				t.Errorf("Next = %+v, %v", asked, err)
				continue
			}
			q := *asked.Question
			if q.Left != 3_600_000 || q.Game != "tictactoe" || q.Seed != 7 {
				t.Errorf("a question %+v", q)
			}
			if last = (AskedMove{}); answered%2 == 1 { // the answer is lost on its way: the question comes again
				if again, err := h.Next(ctx, token, last); err != nil || again.Question == nil || again.Question.ID != q.ID {
					t.Errorf("asked again: %+v, %v", again, err)
				}
			}
			last.ID = q.ID
			if last.Move, err = a.Answer(ctx, q); err != nil {
				t.Error(err)
			}
			answered++
		}
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
	over()
	if answered := <-answers; answered != asked || back.Load() != 1 {
		t.Errorf("%d answers to %d questions, came %d times", answered, asked, back.Load())
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
		mine = Of(db, Everybody, h)
		first := make(chan error, 1)
		go func() {
			_, err := h.Next(t.Context(), old, AskedMove{})
			first <- err
		}()
		for !h.connected("friend") {
			time.Sleep(time.Millisecond)
		}
		token, err := mine.Token("friend")
		if err != nil || token == old {
			t.Fatalf("a second token: %v", err)
		}
		if err := <-first; !errors.Is(err, errToken) {
			t.Errorf("the request with the old token: %v", err)
		}
		if asked, err := h.Next(t.Context(), token, AskedMove{}); err != nil || asked != (Asked{Name: "friend"}) {
			t.Errorf("nothing was asked: %+v, %v", asked, err)
		}
		for name, bad := range map[string]string{"old": old, "none": "", "foreign": "krow-bot-x"} {
			if _, err := h.Next(t.Context(), bad, AskedMove{}); !errors.Is(err, errToken) {
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
		if _, err := pl.Move(t.Context(), b, search.Limits{}); !errors.Is(err, errAway) || !errors.Is(err, player.ErrTimeout) || time.Since(start) != patience {
			t.Errorf("nobody there: %v after %v", err, time.Since(start))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := pl.Move(ctx, b, search.Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("a stopped game: %v", err)
		}
		replaced := make(chan Asked, 1)
		go func() {
			asked, _ := h.Next(t.Context(), token, AskedMove{})
			replaced <- asked
		}()
		for !h.connected("friend") {
			time.Sleep(time.Millisecond)
		}
		answered := make(chan error, 1)
		go func() {
			asked, err := h.Next(t.Context(), token, AskedMove{})
			if err == nil && asked.Question != nil {
				_, err = h.Next(t.Context(), token, AskedMove{ID: asked.Question.ID, Move: "<z9>"})
			}
			answered <- err
		}()
		if got := <-replaced; !got.Replaced {
			t.Errorf("the first of two programs: %+v", got)
		}
		if _, err := pl.Move(t.Context(), b, search.Limits{Time: time.Second}); err == nil || !strings.Contains(err.Error(), "answers") {
			t.Errorf("a move that is none: %v", err)
		}
		if list, err := mine.Away(); err != nil || len(list) != 1 || !list[0].Connected {
			t.Errorf("Away = %+v, %v", list, err)
		}
		if err := mine.DeleteAway("friend"); err != nil {
			t.Fatal(err)
		}
		if err := <-answered; !errors.Is(err, errToken) {
			t.Errorf("the request of a bot that is gone: %v", err)
		}
	})
}

func isMisuse(err error) bool {
	_, is := errors.AsType[*spec.Error](err)
	return is
}
