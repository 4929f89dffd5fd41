// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/internal/fault"
)

// TestClientsTakeTurns lets clients take turns in one slot and in two: nobody has a second one before all have had their first.
func TestClientsTakeTurns(t *testing.T) {
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
		{"members first", 1, "visitor_x visitor_y visitor_x member_a member_a member_b", "visitor_x member_a member_b member_a visitor_y visitor_x"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			q := NewQueue(tc.slots)
			var all []*Ticket
			for _, client := range strings.Fields(tc.come) {
				tk, err := q.Join(Client{Name: client, Trusted: !strings.HasPrefix(client, "visitor")})
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
				case <-tk.Turn:
				default:
					t.Fatal("a ticket runs and does not know")
				}
				got = append(got, tk.client.Name)
				q.Leave(tk)
			}
			if s := strings.Join(got, " "); s != tc.want {
				t.Errorf("turns %s, want %s", s, tc.want)
			}
			if r, w := q.Lengths(); r != 0 || w != 0 || len(q.served) != 0 {
				t.Errorf("left over: %d running, %d waiting, %v", r, w, q.served)
			}
		})
	}
}

// TestQueueTurns ends a turn when somebody waits, and not before.
func TestQueueTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(1)
		a, _ := q.Join(Client{Name: "a", Trusted: true})
		time.Sleep(time.Hour) // of the test's own clock
		if q.Over(a) {
			t.Error("a turn is over though nobody waits")
		}
		b, _ := q.Join(Client{Name: "b", Trusted: true})
		if !q.Over(a) {
			t.Error("a turn of an hour goes on though somebody waits")
		}
		if place, wait := q.Place(b); place != 1 || wait != fairTurn {
			t.Errorf("place %d in %v, want 1 in %v", place, wait, fairTurn)
		}
		q.Leave(a)
		if place, _ := q.Place(b); place != 0 || q.Over(b) {
			t.Errorf("b has place %d, over %t; want 0, false", place, q.Over(b))
		}
		q.Leave(b)
	})
}

func TestQueueLimits(t *testing.T) {
	q := NewQueue(1)
	for range maxOfClient {
		if _, err := q.Join(Client{Name: "a", Trusted: true}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := q.Join(Client{Name: "a", Trusted: true}); codeOf(err) != "too-many" {
		t.Errorf("one too many of a client: %v", err)
	}
	for i := range maxWaiting - maxOfClient + 1 {
		if _, err := q.Join(Client{Name: strings.Repeat("b", i+1), Trusted: true}); err != nil {
			t.Fatal(err)
		}
	}
	for range assuredTurns {
		if _, err := q.Join(Client{Name: "c", Trusted: true}); err != nil {
			t.Errorf("what a member is assured of: %v", err)
		}
	}
	if _, err := q.Join(Client{Name: "c", Trusted: true}); codeOf(err) != "busy" {
		t.Errorf("one too many of all: %v", err)
	}
	if got := q.turnLength(); got != leastTurn {
		t.Errorf("a turn with a full queue: %v, want %v", got, leastTurn)
	}
}

// TestQueueVisitors fills the queue with visitors: their part is full, and members still have turns.
func TestQueueVisitors(t *testing.T) {
	q := NewQueue(1)
	n := 0
	for i := range 1000 {
		if _, err := q.Join(Client{Name: strconv.Itoa(i)}); err == nil {
			n++
		}
	}
	if n != maxVisitors+1 { // one runs
		t.Errorf("%d visitors were taken, want %d", n, maxVisitors+1)
	}
	for i := range maxWaiting {
		for range assuredTurns {
			if _, err := q.Join(Client{Name: strconv.Itoa(i), Trusted: true}); err != nil {
				t.Fatalf("member %d: %v", i, err)
			}
		}
	}
	q.Leave(q.running[0])
	if !q.running[0].client.Trusted {
		t.Errorf("the next is %v", q.running[0].client)
	}
}

// TestShares: streams of visitors take nothing from members.
func TestShares(t *testing.T) {
	h := NewShares(1)
	n := 0
	for i := range 4 * visitorsPart {
		if h.Open(Client{Name: strconv.Itoa(i)}) == nil {
			n++
		}
	}
	if n != visitorsPart {
		t.Errorf("visitors have %d streams, want %d", n, visitorsPart)
	}
	for i := range 200 {
		for range assuredOfMine {
			if p := h.Open(Client{Name: strconv.Itoa(i), Trusted: true}); p != nil {
				t.Fatalf("member %d: %v", i, p)
			}
		}
	}
}

// TestAddressesShareOffers: one address does not take the room that all guests have for challenges, and members are not counted.
func TestAddressesShareOffers(t *testing.T) {
	h, now := NewShares(1), time.Now()
	n := 0
	for range 24 * 60 * 60 {
		if h.Offers.Take(Client{Name: "192.0.2.7"}, now) == nil {
			n++
		}
		if p := h.Offers.Take(Client{Name: "7", Trusted: true}, now); p != nil {
			t.Fatal(p)
		}
		now = now.Add(time.Second)
	}
	if n >= 200 { // of package meet, for a day
		t.Errorf("an address made %d offers in a day", n)
	}
}

// TestGuessesAreThrottled: many addresses that try one name are throttled as one address that tries many.
func TestGuessesAreThrottled(t *testing.T) {
	h, now := NewShares(1), time.Now()
	n := 0
	for i := range 100 {
		if h.Guess([]string{"bob", strconv.Itoa(i)}, now) == nil {
			n++
		}
	}
	if n != 10 {
		t.Errorf("%d guesses of one name, want 10", n)
	}
	if p := h.Guess([]string{"bob", "x"}, now.Add(h.guesses.rest)); p != nil {
		t.Errorf("a guess later: %v", p)
	}
	for range 10 {
		h.Guess([]string{"cyd", "y"}, now)
		h.Guessed([]string{"cyd", "y"})
	}
	if p := h.Guess([]string{"cyd", "y"}, now); p != nil {
		t.Errorf("after right passwords: %v", p)
	}
}

// TestJobs: what is refused is not stored, a client has a part of the queue, and jobs of others come between.
func TestJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		life, end := context.WithCancel(t.Context())
		var busy sync.WaitGroup
		j := NewJobs(JobOptions{Slots: 1, Life: life, Busy: &busy, Wait: time.Second, Failed: func(key string, err error) string { return err.Error() }})
		stored := 0
		var order []string
		start := func(client, key string, work time.Duration) error {
			done := time.Duration(0)
			return j.Start(Client{Name: client, Trusted: true}, func() (string, error) { stored++; return key, nil }, func(ctx context.Context, _ func(string)) error {
				order = append(order, key)
				for ; done < work; done += time.Second {
					select {
					case <-ctx.Done():
						return ctx.Err()
					case <-time.After(time.Second): // of the test's own clock
					}
				}
				return nil
			})
		}
		var refused int
		for i := range 51 {
			if err := start("member 1", "a"+strconv.Itoa(i), 10*time.Minute); err != nil {
				refused++
			}
		}
		if stored != jobsOfOne || refused != 51-stored {
			t.Errorf("%d stored, %d refused; want %d and %d", stored, refused, jobsOfOne, 51-jobsOfOne)
		}
		if err := start("member 2", "b", time.Minute/2); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Minute)
		synctest.Wait()
		if w := j.Look("b"); w.State != Stopped || w.Error != "" {
			t.Errorf("the other's job after three minutes: %+v", w)
		}
		if got := strings.Join(order[:3], " "); got != "a0 b a1" && got != "a0 b a0" {
			t.Errorf("the order of turns: %v", order)
		}
		j.Quit(end)
		busy.Wait()
	})
}

// codeOf returns the code of the fault that an error is.
func codeOf(err error) string {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e.Code
	}
	return ""
}
