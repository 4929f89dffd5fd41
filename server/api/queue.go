// SPDX-License-Identifier: Apache-2.0

package api

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// queue is the line of analyses. One that has run for its turn ends when others wait.
type queue struct {
	mu sync.Mutex
	line
	lasted time.Duration // how long turns took lately, to tell those that wait; 0 before the first
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
)

var (
	errFull = busy.with("too many analyses are waiting", "")
	errMany = tooMany.with("you have too many analyses open", "")
)

func newQueue(slots int) *queue { return &queue{line: line{slots: slots, members: true}} }

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
	return q.line.join(client), nil
}

// leave gives the ticket back, whether it waits or runs.
func (q *queue) leave(t *ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ran(t)
	q.line.leave(t)
}

// again gives the ticket back for another one, which waits. There is always room for it.
func (q *queue) again(t *ticket) *ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ran(t)
	return q.line.again(t)
}

// ran notes how long the turn of a ticket was, if it had one.
func (q *queue) ran(t *ticket) {
	if !t.since.IsZero() && slices.Contains(q.running, t) {
		took := min(time.Since(t.since), 2*q.turnLength()) // with nobody waiting, a turn may be much longer
		q.lasted += (took - q.lasted) / 4
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
