// SPDX-License-Identifier: Apache-2.0

package api

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// line shares a few slots among those who wait, in turns. The client with the fewest that run goes first; of several the one
// whose last turn is longest ago; then the one that came first. Callers hold the lock of whoever has the line.
//
//	slots    [ a1 ][ b1 ]
//	waiting  a2 a3 c1 c2 d1      c1 is next, then d1, and when a1 and b1 have ended, a2
type line struct {
	slots   int
	members bool // go before visitors
	running []*ticket
	waiting []*ticket
	turns   int            // given so far
	served  map[string]int // by client: the number of its last turn; emptied when nothing runs, and when there are too many
}

// ticket is work that waits or runs.
type ticket struct {
	client string
	turn   chan struct{} // closed when it may run
	since  time.Time     // when it began to run
	moved  chan struct{} // has something when its place in the line has changed
}

const maxServed = 10_000

// join lets a client wait. Where a slot is free its turn begins at once.
func (l *line) join(client string) *ticket {
	t := &ticket{client: client, turn: make(chan struct{}), moved: make(chan struct{}, 1)}
	l.waiting = append(l.waiting, t)
	l.fill()
	return t
}

// leave ends a turn, or the waiting for it.
func (l *line) leave(t *ticket) {
	l.remove(t)
	l.fill()
	if len(l.running) == 0 || len(l.served) > maxServed {
		clear(l.served)
	}
}

// again ends a turn, and lets the client wait for another one behind those who wait already.
func (l *line) again(t *ticket) *ticket {
	l.remove(t)
	return l.join(t.client)
}

func (l *line) remove(t *ticket) {
	is := func(o *ticket) bool { return o == t }
	l.running, l.waiting = slices.DeleteFunc(l.running, is), slices.DeleteFunc(l.waiting, is)
}

func (l *line) fill() {
	for len(l.running) < l.slots && len(l.waiting) > 0 {
		i := l.next()
		t := l.waiting[i]
		l.waiting = slices.Delete(l.waiting, i, i+1)
		l.running = append(l.running, t)
		l.turns++
		if l.served == nil {
			l.served = map[string]int{}
		}
		l.served[t.client] = l.turns
		t.since = time.Now()
		close(t.turn)
		for _, w := range l.waiting {
			select {
			case w.moved <- struct{}{}:
			default:
			}
		}
	}
}

// next returns the index of the ticket whose turn comes next.
func (l *line) next() int {
	best := 0
	for i, t := range l.waiting {
		o := l.waiting[best]
		if cmp.Or(l.rank(t.client)-l.rank(o.client), of(l.running, t.client)-of(l.running, o.client), l.served[t.client]-l.served[o.client]) < 0 {
			best = i
		}
	}
	return best
}

func (l *line) rank(client string) int {
	if l.members && strings.HasPrefix(client, visitorKey) {
		return 1
	}
	return 0
}

// of returns how many tickets are a client's.
func of(list []*ticket, client string) (n int) {
	for _, t := range list {
		if t.client == client {
			n++
		}
	}
	return n
}
