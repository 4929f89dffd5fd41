// SPDX-License-Identifier: Apache-2.0

// Package gate decides who gets how much of a server, and when: turns on its cores, long jobs, requests, streams and connections.
//
// # Basics
//
//	q := gate.NewQueue(slots)
//	leave, err := q.Enter(ctx, client) // waits for a turn
//	defer leave()
//
// Every decision is about a [Client]. All untrusted clients together have a part of everything, so that members always
// find room. What is refused is a fault of the kind too-many or busy, in words for the client.
package gate

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/krow-lab/krow/internal/fault"
)

// Client is somebody who calls the server: a member, or an address from which visitors come. Values that a client chooses, such
// as a cookie, do not count.
//
//	{"7", Trusted}          a member, wherever this member is logged in
//	{"192.0.2.7"}           a visitor: an address
//	{"2001:db8:1:2::"}      the first 64 bits of an address of IPv6: a home has all that begin so
type Client struct {
	Name    string
	Trusted bool // a member, or anybody on a server without members
}

// everyVisitor is the client that all visitors are together.
var everyVisitor = Client{Name: "all"}

// Gate shares a few slots among clients, in turns. The client with the fewest that run goes first; of several the one whose last
// turn is longest ago; then the one that came first. Each analysis, job, large request body and other costly work goes through a
// Gate, and waits there for a slot.
//
//	slots    [ a1 ][ b1 ]
//	waiting  a2 a3 c1 c2 d1      c1 is next, then d1, and when a1 and b1 have ended, a2
type Gate struct {
	bounds

	mu      sync.Mutex
	running []*Ticket
	waiting []*Ticket
	turns   int            // given so far
	served  map[Client]int // by client: the number of its last turn; emptied when nothing runs, and when there are too many
	lasted  time.Duration  // recent length of turns, from which waiting times are estimated; 0 before the first
}

// bounds are the slots of a gate and the maximum number of waiting requests; 0 is no limit.
type bounds struct {
	slots     int
	what      string // shares the slots, in the words of a problem
	first     bool   // members go before visitors
	most      int    // that wait
	visitors  int    // that wait before another visitor is refused
	ofMember  int    // that run or wait, of one
	ofVisitor int
	assured   int // tickets that a member may always have
}

// Ticket is work that waits or runs.
type Ticket struct {
	client Client
	Turn   chan struct{} // closed when it may run
	since  time.Time     // when it began to run
	Moved  chan struct{} // receives a value when the place among the waiting tickets has changed
}

const maxServed = 10_000

const (
	// fairTurn is the time that an analysis may run while others wait.
	fairTurn = 2 * time.Second
	// Turns become shorter, down to leastTurn, so that all that wait take about whole.
	leastTurn = 500 * time.Millisecond
	whole     = 30 * time.Second

	maxWaiting   = 400
	maxOfClient  = 16
	maxVisitors  = 200 // of all visitors
	maxOfVisitor = 4
	assuredTurns = 2 // tickets with which a member may wait however long the queue is
)

// New returns a gate without limits on waiting tickets.
func New(slots int) *Gate { return &Gate{bounds: bounds{slots: slots}} }

// NewQueue returns the gate of analyses. One that has run for its turn ends when others wait.
func NewQueue(slots int) *Gate {
	return &Gate{bounds: bounds{
		slots: slots, what: "analyses", first: true, most: maxWaiting, visitors: maxVisitors,
		ofMember: maxOfClient, ofVisitor: maxOfVisitor, assured: assuredTurns,
	}}
}

// LargeOfOne is the maximum number of requests with large bodies of one client that are served or wait.
const LargeOfOne = 4

// NewBodies returns a gate of requests with large bodies. A request has its slot until it is answered, because its body is kept as
// long.
func NewBodies(slots int) *Gate {
	return &Gate{bounds: bounds{slots: slots, what: "large requests", ofMember: LargeOfOne, ofVisitor: LargeOfOne}}
}

// Join lets a client wait. If a slot is free its turn begins at once.
func (g *Gate) Join(client Client) (*Ticket, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	mine, most, room := of(g.running, client)+of(g.waiting, client), g.ofMember, g.most
	if !client.Trusted {
		most, room = g.ofVisitor, g.visitors
	}
	switch {
	case most > 0 && mine >= most:
		return nil, tooMany("you have too many " + g.what + " open")
	case room > 0 && len(g.waiting) >= room && !(client.Trusted && mine < g.assured):
		return nil, busy("too many " + g.what + " are waiting")
	}
	return g.add(client), nil
}

func (g *Gate) add(client Client) *Ticket {
	t := &Ticket{client: client, Turn: make(chan struct{}), Moved: make(chan struct{}, 1)}
	g.waiting = append(g.waiting, t)
	g.fill()
	return t
}

// Enter waits for a slot, and returns the function that gives it back.
func (g *Gate) Enter(ctx context.Context, client Client) (leave func(), err error) {
	t, err := g.Join(client)
	if err != nil {
		return nil, err
	}
	select {
	case <-t.Turn:
		return func() { g.Leave(t) }, nil
	case <-ctx.Done():
		g.Leave(t)
		return nil, ctx.Err()
	}
}

// Try takes a slot if one is free.
func (g *Gate) Try(client Client) (leave func(), ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.running) >= g.slots {
		return nil, false
	}
	t := g.add(client)
	return func() { g.Leave(t) }, true
}

// Leave gives the ticket back, whether it waits or runs.
func (g *Gate) Leave(t *Ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.remove(t)
	g.fill()
	if len(g.running) == 0 || len(g.served) > maxServed {
		clear(g.served)
	}
}

// Again ends a turn and joins again, behind the waiting tickets. There is always room for it.
func (g *Gate) Again(t *Ticket) *Ticket {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.remove(t)
	return g.add(t.client)
}

func (g *Gate) remove(t *Ticket) {
	is := func(o *Ticket) bool { return o == t }
	if slices.ContainsFunc(g.running, is) { // with nobody waiting, a turn may be much longer than its length
		g.lasted += (min(time.Since(t.since), 2*g.turnLength()) - g.lasted) / 4
	}
	g.running, g.waiting = slices.DeleteFunc(g.running, is), slices.DeleteFunc(g.waiting, is)
}

func (g *Gate) fill() {
	for len(g.running) < g.slots && len(g.waiting) > 0 {
		i := g.next()
		t := g.waiting[i]
		g.waiting = slices.Delete(g.waiting, i, i+1)
		g.running = append(g.running, t)
		g.turns++
		if g.served == nil {
			g.served = map[Client]int{}
		}
		g.served[t.client] = g.turns
		t.since = time.Now()
		close(t.Turn)
		for _, w := range g.waiting {
			select {
			case w.Moved <- struct{}{}:
			default:
			}
		}
	}
}

// next returns the index of the ticket whose turn comes next.
func (g *Gate) next() int {
	best := 0
	for i, t := range g.waiting {
		o := g.waiting[best]
		if cmp.Or(g.rank(t.client)-g.rank(o.client), of(g.running, t.client)-of(g.running, o.client), g.served[t.client]-g.served[o.client]) < 0 {
			best = i
		}
	}
	return best
}

func (g *Gate) rank(client Client) int {
	if g.first && !client.Trusted {
		return 1
	}
	return 0
}

// of returns the number of tickets of a client.
func of(list []*Ticket, client Client) (n int) {
	for _, t := range list {
		if t.client == client {
			n++
		}
	}
	return n
}

// turnLength returns the time that an analysis may run while others wait.
func (g *Gate) turnLength() time.Duration {
	return max(leastTurn, min(fairTurn, whole*time.Duration(g.slots)/time.Duration(len(g.waiting)+1)))
}

// Place returns the place of a ticket among the waiting ones, from 1, or 0 when it runs, and an estimate of its waiting time.
func (g *Gate) Place(t *Ticket) (place int, wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	place = slices.Index(g.waiting, t) + 1
	return place, time.Duration((place+g.slots-1)/g.slots) * max(g.lasted, g.turnLength())
}

// Over reports whether a ticket that runs has had its turn, and others wait.
func (g *Gate) Over(t *Ticket) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.waiting) > 0 && time.Since(t.since) >= g.turnLength()
}

// Others reports whether other clients wait.
func (g *Gate) Others(client Client) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return of(g.waiting, client) < len(g.waiting)
}

// Lengths returns the numbers of tickets that run and that wait.
func (g *Gate) Lengths() (running, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.running), len(g.waiting)
}

func tooMany(text string) error { return fault.New("too-many", text) }

func busy(text string) error { return fault.New("busy", text) }
