// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"bytes"
	"context"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
)

// sessionOf returns a session for a position.
func sessionOf(t *testing.T, spec, moves string) *Session {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start()
	if err := notation.Play(p, moves); err != nil {
		t.Fatal(err)
	}
	return NewSession(p, Options{Hash: 1 << 20})
}

// TestSessionContinues: work that is cut short again and again continues, and each thing is reported once.
func TestSessionContinues(t *testing.T) {
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
			w := sessionOf(t, tc.game, tc.moves)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			for range 2 { // turns that end before anything is proved
				if err := w.Work(ctx); err == nil && tc.plies != 1 {
					t.Error("solved without time")
				}
			}
			if err := w.Work(t.Context()); err != nil {
				t.Error(err)
			}
			events := w.events
			if tc.plies == 1 {
				events = events[max(0, len(events)-tc.count-2):] // it needs no search, so that every turn tells all
			}
			if len(events) != tc.count+2 {
				t.Fatalf("%d events: %v", len(events), events)
			}
			v, ok := events[0].(SolvedLine)
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

// TestSessionWithoutTime reports what is known when nothing is proved, and holds back a certificate that is too large.
func TestSessionWithoutTime(t *testing.T) {
	w := sessionOf(t, "connect4", "")
	late, cancel := context.WithTimeout(t.Context(), -1)
	defer cancel()
	var told []any
	if err := w.Work(late); err == nil || w.Report(func(event any) error { told = append(told, event); return nil }) != nil {
		t.Errorf("without time: %v", err)
	}
	if v, ok := told[0].(SolvedLine); !ok || v.Solved || len(told) != 1 {
		t.Errorf("told %+v", told)
	}
	file := &limited{&bytes.Buffer{}, 3}
	for i, want := range []error{nil, errLarge, errLarge} {
		if _, err := file.Write([]byte("ab")); err != want || i > 0 && file.Len() > 0 {
			t.Errorf("write %d: %v, %d bytes", i, err, file.Len())
		}
	}
}
