// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/server/store/storetest"
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
		{"members first", 1, "visitor_x visitor_y visitor_x member_a member_a member_b", "visitor_x member_a member_b member_a visitor_y visitor_x"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			q := newQueue(tc.slots)
			var all []*ticket
			for _, client := range strings.Fields(tc.come) {
				client = strings.ReplaceAll(client, "_", " ")
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
				got = append(got, strings.ReplaceAll(tk.client, " ", "_"))
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
	if _, err := q.join("a"); codeOf(err) != "too-many" {
		t.Errorf("one too many of a client: %v", err)
	}
	for i := range maxWaiting - maxOfClient + 1 {
		if _, err := q.join(strings.Repeat("b", i+1)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := q.join("c"); codeOf(err) != "busy" {
		t.Errorf("one too many of all: %v", err)
	}
	if got := q.turnLength(); got != leastTurn {
		t.Errorf("a turn with a full queue: %v, want %v", got, leastTurn)
	}
}

// TestQueueVisitors fills the queue with visitors: their part is full, and members still have turns.
func TestQueueVisitors(t *testing.T) {
	q := newQueue(1)
	n := 0
	for i := range 1000 {
		if _, err := q.join(visitorKey + strconv.Itoa(i)); err == nil {
			n++
		}
	}
	if n != maxVisitors+1 { // one runs
		t.Errorf("%d visitors were taken, want %d", n, maxVisitors+1)
	}
	for i := range maxWaiting {
		for range assuredTurns {
			if _, err := q.join(memberKey + strconv.Itoa(i)); err != nil {
				t.Fatalf("member %d: %v", i, err)
			}
		}
	}
	q.leave(q.running[0])
	if !isMember(q.running[0].client) {
		t.Errorf("the next is %s", q.running[0].client)
	}
}

// TestShares: streams of visitors take nothing from members.
func TestShares(t *testing.T) {
	h := newShares()
	n := 0
	for i := range 4 * visitorsPart {
		if h.open(visitorKey+strconv.Itoa(i)) == nil {
			n++
		}
	}
	if n != visitorsPart {
		t.Errorf("visitors have %d streams, want %d", n, visitorsPart)
	}
	for i := range 200 {
		for range assuredOfMine {
			if p := h.open(memberKey + strconv.Itoa(i)); p != nil {
				t.Fatalf("member %d: %v", i, p)
			}
		}
	}
}

// TestOffers: one address does not take the room that all guests have for challenges, and members are not counted.
func TestOffers(t *testing.T) {
	h, now := newShares(), time.Now()
	n := 0
	for range 24 * 60 * 60 {
		if h.offer(visitorKey+"192.0.2.7", now) == nil {
			n++
		}
		if p := h.offer(memberKey+"7", now); p != nil {
			t.Fatal(p)
		}
		now = now.Add(time.Second)
	}
	if n >= 200 { // of package meet, for a day
		t.Errorf("an address made %d offers in a day", n)
	}
}

// TestGuesses: many addresses that try one name are throttled as one address that tries many.
func TestGuesses(t *testing.T) {
	h, now := newShares(), time.Now()
	n := 0
	for i := range 100 {
		if h.guess([]string{"bob", strconv.Itoa(i)}, now) == nil {
			n++
		}
	}
	if n != 10 {
		t.Errorf("%d guesses of one name, want 10", n)
	}
	if p := h.guess([]string{"bob", "x"}, now.Add(h.guesses.rest)); p != nil {
		t.Errorf("a guess later: %v", p)
	}
	for range 10 {
		h.guess([]string{"cyd", "y"}, now)
		h.guessed([]string{"cyd", "y"})
	}
	if p := h.guess([]string{"cyd", "y"}, now); p != nil {
		t.Errorf("after right passwords: %v", p)
	}
}

// TestJobs: what is refused is not stored, a client has a part of the queue, and jobs of others come between.
func TestJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Server{log: slog.New(slog.DiscardHandler)}
		s.life, s.end = context.WithCancel(t.Context())
		j := newJobs(s, 1)
		stored := 0
		var order []string
		start := func(client, key string, work time.Duration) error {
			done := time.Duration(0)
			return j.start(client, func() (string, error) { stored++; return key, nil }, func(ctx context.Context, _ func(string)) error {
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
		if w := j.look("b"); w.State != stopped || w.Error != "" {
			t.Errorf("the other's job after three minutes: %+v", w)
		}
		if got := strings.Join(order[:3], " "); got != "a0 b a1" && got != "a0 b a0" {
			t.Errorf("the order of turns: %v", order)
		}
		s.end()
		s.busy.Wait()
	})
}

// TestInTurns: whoever makes room for others waits for the next turn, however many wait by then.
func TestInTurns(t *testing.T) {
	s, err := New(Options{Store: storetest.Open(t), Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var others []*ticket
	waited := false
	send := sse.Sender(func(m sse.Message) error {
		if _, waited = m.Data.(Queued); waited {
			for _, o := range others {
				s.queue.leave(o)
			}
		}
		return nil
	})
	steps, err := inTurns(t.Context(), s, visitorKey+"x", send, func(next func() error) (int, error) {
		for i := range maxVisitors + 1 {
			o, err := s.queue.join(memberKey + strconv.Itoa(i))
			if err != nil {
				return 0, err
			}
			others = append(others, o)
		}
		s.queue.mu.Lock()
		s.queue.running[0].since = time.Now().Add(-time.Hour)
		s.queue.mu.Unlock()
		return 2, next()
	})
	if err != nil || steps != 2 || !waited {
		t.Errorf("%d steps, %v, waited: %t", steps, err, waited)
	}
	if running, waiting := s.queue.lengths(); running+waiting > 0 {
		t.Errorf("%d run and %d wait when all have ended", running, waiting)
	}
}

// TestPublishingTakesATurn: a module is compiled when it is published, which may take seconds and hundreds of megabytes.
func TestPublishingTakesATurn(t *testing.T) {
	s, err := New(Options{Store: storetest.Open(t), Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const client = memberKey + "1"
	for range maxOfClient {
		if _, err := s.queue.join(client); err != nil {
			t.Fatal(err)
		}
	}
	in := &publishBotInput{BotRef: BotRef{"module"}}
	in.Body.Version = 1
	if _, err := s.publishBot(context.WithValue(t.Context(), visitKey{}, visit{client: client}), in); codeOf(err) != "too-many" {
		t.Errorf("got %v, want too-many", err)
	}
}

// codeOf returns the code of the problem that an error is.
func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return problemOf(err).Code
}
