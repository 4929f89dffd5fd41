// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/store/storetest"
)

// solvingOf returns the work on a position.
func solvingOf(t *testing.T, game, moves string) *solving {
	t.Helper()
	in := &solveInput{Place: Place{Game: game, Moves: moves}, Seconds: 600, Hash: 1}
	if err := in.find(); err != nil {
		t.Fatal(err)
	}
	return &solving{in: in}
}

// TestSolving: work that is cut short again and again goes on, and tells each thing once.
func TestSolving(t *testing.T) {
	tests := []struct {
		game, moves string
		value       string
		plies       int
		count       int // moves
	}{
		{"tictactoe", "b2 a1", "draw", 0, 7},
		{"mnk:5,5,4", "", "draw", 0, 25},
		{"connect4:5x4", "", "draw", 20, 5},
		{"connect4:4x4", "112233", "win", 1, 4},
	}
	for _, tc := range tests {
		t.Run(tc.game+" "+tc.moves, func(t *testing.T) {
			w := solvingOf(t, tc.game, tc.moves)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			for range 2 { // turns that end before anything is proved
				if err := w.run(ctx); err == nil && tc.plies != 1 {
					t.Error("solved without time")
				}
			}
			if err := w.run(t.Context()); err != nil {
				t.Error(err)
			}
			events := w.events
			if tc.plies == 1 {
				events = events[max(0, len(events)-tc.count-2):] // it needs no search, so that every turn tells all
			}
			if len(events) != tc.count+2 {
				t.Fatalf("%d events: %v", len(events), events)
			}
			v, ok := events[0].(Solution)
			if !ok || !v.Solved || v.Value != tc.value || len(v.PV) == 0 || tc.plies > 0 && *v.Plies != tc.plies {
				t.Errorf("first came %+v", events[0])
			}
			for _, e := range events[1 : 1+tc.count] {
				m, ok := e.(SolvedMove)
				if !ok || !m.Solved || m.Move == v.PV[0] && m.Value != v.Value {
					t.Errorf("then came %+v", e)
				}
			}
			c, ok := events[1+tc.count].(Certificate)
			if !ok {
				t.Fatalf("last came %+v", events[1+tc.count])
			}
			if r, err := proof.Verify(t.Context(), bytes.NewReader(c.Data), proof.Limits{}); err != nil || r.Claim.Value != tc.value {
				t.Errorf("%s proves a %q, %v", c.Name, r.Claim.Value, err)
			}
		})
	}
}

// TestSolvingTakesTurns: a turn that is over is no end, and a certificate that is too large is not sent.
func TestSolvingTakesTurns(t *testing.T) { synctest.Test(t, testSolvingTakesTurns) }

func testSolvingTakesTurns(t *testing.T) {
	db := storetest.Open(t)
	s, err := New(Options{Store: db, Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	send := sse.Sender(func(sse.Message) error { return nil })
	// The work lasts until another client waits and the turn is long over.
	var other *gate.Ticket
	begun := false
	work := func(ctx context.Context) error {
		if other, err = s.queue.Join(gate.Client{Name: "b"}); err != nil {
			return err
		}
		time.Sleep(time.Hour) // of the test's own clock
		begun = true
		<-ctx.Done()
		return ctx.Err()
	}
	if err := s.turn(t.Context(), gate.Client{Name: "a"}, false, send, work, func() error { return nil }); err != errTurn || !begun {
		t.Errorf("while another waits: %v", err)
	}
	s.queue.Leave(other)
	gone := errors.New("gone")
	if err := s.turn(t.Context(), gate.Client{Name: "a"}, false, send, func(ctx context.Context) error { <-ctx.Done(); return nil }, func() error { return gone }); err != errGone {
		t.Errorf("without a reader: %v", err)
	}
	w := solvingOf(t, "connect4", "")
	late, cancel := context.WithTimeout(t.Context(), -1)
	defer cancel()
	var told []sse.Message
	if err := w.run(late); err == nil || w.tell(func(m sse.Message) error { told = append(told, m); return nil }) != nil {
		t.Errorf("without time: %v", err)
	}
	if v, ok := told[0].Data.(Solution); !ok || v.Solved || len(told) != 1 {
		t.Errorf("told %+v", told)
	}
	file := &limited{&bytes.Buffer{}, 3}
	for i, want := range []error{nil, errLarge, errLarge} {
		if _, err := file.Write([]byte("ab")); err != want || i > 0 && file.Len() > 0 {
			t.Errorf("write %d: %v, %d bytes", i, err, file.Len())
		}
	}
}

// TestGivesWay: an analysis without a time begins when no player of a game needs its core, and makes room for one.
func TestGivesWay(t *testing.T) {
	db := storetest.Open(t)
	s, err := New(Options{Store: db, Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	send := sse.Sender(func(sse.Message) error { return nil })
	leave, err := s.live.Room(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	thinking := -1
	go func() {
		ended <- s.turn(t.Context(), gate.Client{Name: "a"}, true, send, func(ctx context.Context) error {
			thinking = s.live.Thinking()
			again, err := s.live.Room(ctx)
			if err != nil {
				return err
			}
			defer again()
			<-ctx.Done()
			return ctx.Err()
		}, func() error { return nil })
	}()
	leave()
	if err := <-ended; err != errTurn || thinking != 0 {
		t.Errorf("%v, begun while %d players thought", err, thinking)
	}
}
