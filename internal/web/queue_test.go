// SPDX-License-Identifier: Apache-2.0

package web

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestQueue lets clients take turns in one slot and in two: nobody has a second one before all have had their first.
func TestQueue(t *testing.T) {
	tests := []struct {
		name  string
		slots int
		come  string // clients in the order in which they ask
		want  string // in the order in which they run
	}{
		{"in order", 1, "a b c", "a b c"},
		{"one of each first", 1, "a a a b b c", "a b c a b a"},
		{"two slots", 2, "a b b b c", "a b c b b"},
		{"alone", 2, "a a a", "a a a"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			q := newQueue(tc.slots)
			var all []*ticket
			for _, client := range strings.Fields(tc.come) {
				tk, err := q.join(client)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, tk)
			}
			var got []string
			for range all {
				// Those that run end in the order in which they began.
				tk := q.running[0]
				select {
				case <-tk.turn:
				default:
					t.Fatal("a ticket runs and does not know")
				}
				got = append(got, tk.client)
				q.leave(tk)
			}
			if s := strings.Join(got, " "); s != tc.want {
				t.Errorf("turns %s, want %s", s, tc.want)
			}
			if r, w := q.lengths(); r != 0 || w != 0 || len(q.served) != 0 {
				t.Errorf("left over: %d running, %d waiting, %v", r, w, q.served)
			}
		})
	}
}

// TestQueueTurns ends a turn when somebody waits, and not before.
func TestQueueTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1)
		a, _ := q.join("a")
		time.Sleep(time.Hour) // of the test's own clock
		if q.over(a) {
			t.Error("a turn is over though nobody waits")
		}
		b, _ := q.join("b")
		if !q.over(a) {
			t.Error("a turn of an hour goes on though somebody waits")
		}
		if place, wait := q.place(b); place != 1 || wait != fairTurn {
			t.Errorf("place %d in %v, want 1 in %v", place, wait, fairTurn)
		}
		q.leave(a)
		if place, _ := q.place(b); place != 0 || q.over(b) {
			t.Errorf("b has place %d, over %t; want 0, false", place, q.over(b))
		}
		q.leave(b)
	})
}

func TestQueueLimits(t *testing.T) {
	q := newQueue(1)
	for range maxOfClient {
		if _, err := q.join("a"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := q.join("a"); !errors.Is(err, errMany) {
		t.Errorf("one too many of a client: %v", err)
	}
	for i := range maxWaiting - maxOfClient + 1 {
		if _, err := q.join(strings.Repeat("b", i+1)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := q.join("c"); !errors.Is(err, errFull) {
		t.Errorf("one too many of all: %v", err)
	}
	if got := q.turnLength(); got != leastTurn {
		t.Errorf("a turn with a full queue: %v, want %v", got, leastTurn)
	}
}
