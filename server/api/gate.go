// SPDX-License-Identifier: Apache-2.0

package api

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// gate shares a few slots among clients, in turns. The client with the fewest that run goes first; of several the one whose last
// turn is longest ago; then the one that came first. Analyses, jobs, large bodies and everything else that needs room pass one.
//
//	slots    [ a1 ][ b1 ]
//	waiting  a2 a3 c1 c2 d1      c1 is next, then d1, and when a1 and b1 have ended, a2
type gate struct {
	bounds

	mu      sync.Mutex
	running []*ticket
	waiting []*ticket
	turns   int            // given so far
	served  map[string]int // by client: the number of its last turn; emptied when nothing runs, and when there are too many
	lasted  time.Duration  // recent length of turns, which is shown to those that wait; 0 before the first
}

// bounds are the slots of a gate and how many may wait; 0 is no limit.
type bounds struct {
	slots     int
	what      string // shares the slots, in the words of a problem
	first     bool   // members go before visitors
	most      int    // that wait
	visitors  int    // that wait before another visitor is refused
	ofMember  int    // that run or wait, of one
	ofVisitor int
	assured   int // a member may have so many however many wait
}

// ticket is work that waits or runs.
type ticket struct {
	client string
	turn   chan struct{} // closed when it may run
	since  time.Time     // when it began to run
	moved  chan struct{} // has something when its place among those that wait has changed
}

const maxServed = 10_000

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

// newGate returns a gate without limits on those that wait.
func newGate(slots int) *gate { return &gate{bounds: bounds{slots: slots}} }

// newQueue returns the gate of analyses. One that has run for its turn ends when others wait.
func newQueue(slots int) *gate {
	return &gate{bounds: bounds{
		slots: slots, what: "analyses", first: true, most: maxWaiting, visitors: maxVisitors,
		ofMember: maxOfClient, ofVisitor: maxOfVisitor, assured: assuredTurns,
	}}
}

// join lets a client wait. If a slot is free its turn begins at once.
func (g *gate) join(client string) (*ticket, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	mine, most, room := of(g.running, client)+of(g.waiting, client), g.ofMember, g.most
	if strings.HasPrefix(client, visitorKey) {
		most, room = g.ofVisitor, g.visitors
	}
	switch {
	case most > 0 && mine >= most:
		return nil, tooMany.with("you have too many "+g.what+" open", "")
	case room > 0 && len(g.waiting) >= room && !(isMember(client) && mine < g.assured):
		return nil, busy.with("too many "+g.what+" are waiting", "")
	}
	return g.add(client), nil
}

func (g *gate) add(client string) *ticket {
	t := &ticket{client: client, turn: make(chan struct{}), moved: make(chan struct{}, 1)}
	g.waiting = append(g.waiting, t)
	g.fill()
	return t
}

// enter waits for a slot, and returns the function that gives it back.
func (g *gate) enter(ctx context.Context, client string) (leave func(), err error) {
	t, err := g.join(client)
	if err != nil {
		return nil, err
	}
	select {
	case <-t.turn:
		return func() { g.leave(t) }, nil
	case <-ctx.Done():
		g.leave(t)
		return nil, ctx.Err()
	}
}

// try takes a slot if one is free.
func (g *gate) try(client string) (leave func(), ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.running) >= g.slots {
		return nil, false
	}
	t := g.add(client)
	return func() { g.leave(t) }, true
}

// leave gives the ticket back, whether it waits or runs.
func (g *gate) leave(t *ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.remove(t)
	g.fill()
	if len(g.running) == 0 || len(g.served) > maxServed {
		clear(g.served)
	}
}

// again ends a turn for another one, behind those that wait already. There is always room for it.
func (g *gate) again(t *ticket) *ticket {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.remove(t)
	return g.add(t.client)
}

func (g *gate) remove(t *ticket) {
	is := func(o *ticket) bool { return o == t }
	if slices.ContainsFunc(g.running, is) { // with nobody waiting, a turn may be much longer than its length
		g.lasted += (min(time.Since(t.since), 2*g.turnLength()) - g.lasted) / 4
	}
	g.running, g.waiting = slices.DeleteFunc(g.running, is), slices.DeleteFunc(g.waiting, is)
}

func (g *gate) fill() {
	for len(g.running) < g.slots && len(g.waiting) > 0 {
		i := g.next()
		t := g.waiting[i]
		g.waiting = slices.Delete(g.waiting, i, i+1)
		g.running = append(g.running, t)
		g.turns++
		if g.served == nil {
			g.served = map[string]int{}
		}
		g.served[t.client] = g.turns
		t.since = time.Now()
		close(t.turn)
		for _, w := range g.waiting {
			select {
			case w.moved <- struct{}{}:
			default:
			}
		}
	}
}

// next returns the index of the ticket whose turn comes next.
func (g *gate) next() int {
	best := 0
	for i, t := range g.waiting {
		o := g.waiting[best]
		if cmp.Or(g.rank(t.client)-g.rank(o.client), of(g.running, t.client)-of(g.running, o.client), g.served[t.client]-g.served[o.client]) < 0 {
			best = i
		}
	}
	return best
}

func (g *gate) rank(client string) int {
	if g.first && strings.HasPrefix(client, visitorKey) {
		return 1
	}
	return 0
}

// of returns the number of tickets of a client.
func of(list []*ticket, client string) (n int) {
	for _, t := range list {
		if t.client == client {
			n++
		}
	}
	return n
}

// turnLength returns how long an analysis may run while others wait.
func (g *gate) turnLength() time.Duration {
	return max(leastTurn, min(fairTurn, whole*time.Duration(g.slots)/time.Duration(len(g.waiting)+1)))
}

// place returns the ticket's place among those that wait, from 1, or 0 when it runs, and about how long it waits.
func (g *gate) place(t *ticket) (place int, wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	place = slices.Index(g.waiting, t) + 1
	return place, time.Duration((place+g.slots-1)/g.slots) * max(g.lasted, g.turnLength())
}

// over reports whether a ticket that runs has had its turn, and others wait.
func (g *gate) over(t *ticket) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.waiting) > 0 && time.Since(t.since) >= g.turnLength()
}

// others reports whether other clients wait.
func (g *gate) others(client string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return of(g.waiting, client) < len(g.waiting)
}

func (g *gate) lengths() (running, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.running), len(g.waiting)
}

// inside has an operation wait for a slot of the gate. Its body has been read then, so that no slow sender has a slot.
func inside[I, O any](g *gate, f func(context.Context, *I) (O, error)) func(context.Context, *I) (O, error) {
	return func(ctx context.Context, in *I) (out O, err error) {
		leave, err := g.enter(ctx, visitOf(ctx).client)
		if err != nil {
			return out, err
		}
		defer leave()
		return f(ctx, in)
	}
}
