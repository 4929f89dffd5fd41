// SPDX-License-Identifier: Apache-2.0

package web

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"
)

// queue shares a few slots among many analyses. Members go before visitors. The client with the fewest running goes first;
// of several the one whose last turn is longest ago; then the one that came first. An analysis that has run for its turn ends when others wait.
//
//	slots    [ a1 ][ b1 ]
//	waiting  a2 a3 c1 c2 d1      c1 is next, then d1, and when a1 and b1 have ended, a2
type queue struct {
	mu      sync.Mutex
	slots   int
	running []*ticket
	waiting []*ticket
	turns   int            // given so far
	served  map[string]int // by client: the number of its last turn; emptied when nothing runs, and when there are too many
	lasted  time.Duration  // how long turns took lately, to tell those that wait; 0 before the first
}

// ticket is an analysis that waits or runs.
type ticket struct {
	client string
	turn   chan struct{} // closed when it may run
	since  time.Time     // when it began to run
	moved  chan struct{} // has something when its place in the queue has changed
}

const (
	// fairTurn is how long an analysis may run while others wait.
	fairTurn = 2 * time.Second
	// Turns become shorter, down to leastTurn, so that all that wait take about whole.
	leastTurn = 500 * time.Millisecond
	whole     = 30 * time.Second

	maxWaiting   = 400
	maxOfClient  = 16
	maxVisitors  = 200 // of all visitors
	maxOfVisitor = 4
	assuredTurns = 2 // a member may wait with so many however long the queue is

	maxServed = 10_000
)

var (
	errFull = busy.because("too many analyses are waiting", "")
	errMany = tooMany.because("you have too many analyses open", "")
)

func newQueue(slots int) *queue { return &queue{slots: slots, served: map[string]int{}} }

// turnLength returns how long an analysis may run while others wait.
func (q *queue) turnLength() time.Duration {
	return max(leastTurn, min(fairTurn, whole*time.Duration(q.slots)/time.Duration(len(q.waiting)+1)))
}

func (q *queue) join(client string) (*ticket, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	mine, most, room := of(q.running, client)+of(q.waiting, client), maxOfClient, maxWaiting
	if strings.HasPrefix(client, visitorKey) {
		most, room = maxOfVisitor, maxVisitors
	}
	switch {
	case mine >= most:
		return nil, errMany
	case len(q.waiting) >= room && !(isMember(client) && mine < assuredTurns):
		return nil, errFull
	}
	t := &ticket{client: client, turn: make(chan struct{}), moved: make(chan struct{}, 1)}
	q.waiting = append(q.waiting, t)
	q.fill()
	return t, nil
}

func of(list []*ticket, client string) (n int) {
	for _, t := range list {
		if t.client == client {
			n++
		}
	}
	return n
}

// rank orders clients: members come first.
func rank(client string) int {
	if strings.HasPrefix(client, visitorKey) {
		return 1
	}
	return 0
}

func (q *queue) next() int {
	best := 0
	for i, t := range q.waiting {
		o := q.waiting[best]
		if cmp.Or(rank(t.client)-rank(o.client), of(q.running, t.client)-of(q.running, o.client), q.served[t.client]-q.served[o.client]) < 0 {
			best = i
		}
	}
	return best
}

// fill lets tickets run while there are slots. The caller holds the lock.
func (q *queue) fill() {
	for len(q.running) < q.slots && len(q.waiting) > 0 {
		i := q.next()
		t := q.waiting[i]
		q.waiting = slices.Delete(q.waiting, i, i+1)
		q.running = append(q.running, t)
		q.turns++
		q.served[t.client] = q.turns
		t.since = time.Now()
		close(t.turn)
		for _, w := range q.waiting {
			select {
			case w.moved <- struct{}{}:
			default:
			}
		}
	}
}

// leave gives the ticket back, whether it waits or runs.
func (q *queue) leave(t *ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !t.since.IsZero() && slices.Contains(q.running, t) {
		took := min(time.Since(t.since), 2*q.turnLength()) // with nobody waiting, a turn may be much longer
		q.lasted += (took - q.lasted) / 4
	}
	is := func(o *ticket) bool { return o == t }
	q.running = slices.DeleteFunc(q.running, is)
	q.waiting = slices.DeleteFunc(q.waiting, is)
	q.fill()
	if len(q.running) == 0 || len(q.served) > maxServed {
		clear(q.served)
	}
}

// place returns the ticket's place among those that wait, from 1, or 0 when it runs, and about how long it waits.
func (q *queue) place(t *ticket) (place int, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	place = slices.Index(q.waiting, t) + 1
	return place, time.Duration((place+q.slots-1)/q.slots) * max(q.lasted, q.turnLength())
}

// over says whether a ticket that runs has had its turn, and others wait.
func (q *queue) over(t *ticket) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting) > 0 && time.Since(t.since) >= q.turnLength()
}

func (q *queue) lengths() (running, waiting int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.running), len(q.waiting)
}
