// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/proof"
)

// solvingOf returns the work on a position.
func solvingOf(t *testing.T, game, moves string) *solving {
	t.Helper()
	in := &solveInput{Place: Place{Game: game, Moves: moves}, Seconds: 600, Hash: 1}
	if err := in.find(); err != nil {
		t.Fatal(err)
	}
	return &solving{in: in, events: make(chan any)}
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
			var events []any
			go func() {
				defer close(w.events)
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
			}()
			for e := range w.events {
				events = append(events, e)
			}
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
			if r, err := proof.Verify(t.Context(), bytes.NewReader(c.Data)); err != nil || r.Claim.Value != tc.value {
				t.Errorf("%s proves a %q, %v", c.Name, r.Claim.Value, err)
			}
		})
	}
}

// TestTurn: a turn that is over is told apart from a time that is up, and a certificate that is too large is not sent.
func TestTurn(t *testing.T) {
	db, err := store.Open(t.TempDir() + "/krow.db")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := New(Options{Store: db, Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var told []string
	send := sse.Sender(func(m sse.Message) error {
		told = append(told, fmt.Sprintf("%T", m.Data))
		return nil
	})
	mine, err := s.queue.join("a")
	if err != nil {
		t.Fatal(err)
	}
	w := solvingOf(t, "connect4", "")
	if err := s.turn(t.Context(), w, mine, 0, send); err != nil {
		t.Errorf("without time: %v", err)
	}
	other, err := s.queue.join("b")
	if err != nil {
		t.Fatal(err)
	}
	mine.since = time.Now().Add(-time.Hour)
	if err := s.turn(t.Context(), w, mine, time.Hour, send); !errors.Is(err, errTurn) {
		t.Errorf("while another waits: %v", err)
	}
	if v := w.known.Load(); v == nil || v.Solved {
		t.Errorf("known is %+v", v)
	}
	s.queue.leave(other)
	if slices.Contains(told, "web.SolvedMove") {
		t.Errorf("told %v", told)
	}
	file := &limited{&bytes.Buffer{}, 3}
	for i, want := range []error{nil, errLarge, errLarge} {
		if _, err := file.Write([]byte("ab")); err != want || i > 0 && file.Len() > 0 {
			t.Errorf("write %d: %v, %d bytes", i, err, file.Len())
		}
	}
}
