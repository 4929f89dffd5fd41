// SPDX-License-Identifier: Apache-2.0

// Package gate limits the use of a server by each client: turns on its cores, long jobs, requests, streams and connections.
// It also makes the server's TLS configuration, and reports whether other computers can reach its address.
//
// # Basics
//
//	q := gate.NewQueue(slots)
//	leave, err := q.Enter(ctx, client) // waits for a turn
//	defer leave()
//
// All limits are for a [Client]. All untrusted clients together can use only a part of each resource, so that members can
// always use the remaining part. The error for a refused request is a fault of the kind too-many or busy, with a text for the
// client.
package gate

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/krow-lab/krow/internal/fault"
)

// Client identifies who sends requests: a member, or an address from which visitors come. It does not depend on values that a
// client can choose, such as a cookie.
//
//	{"7", Trusted}          a member, wherever this member is logged in
//	{"192.0.2.7"}           a visitor: an address
//	{"2001:db8:1:2::"}      a visitor: the first 64 bits of an IPv6 address, which all addresses of a home share
type Client struct {
	Name    string
	Trusted bool // a member, or anybody on a server without members
}

// everyVisitor is the key under which all visitors together are counted.
var everyVisitor = Client{Name: "all"}

// Gate shares a few slots among clients, in turns. A ticket is a client's piece of work that waits or runs. The next turn is
// for the client with the fewest running tickets. If there are several such clients, the client whose last turn is longest ago
// is next, and then the client whose ticket has waited longest. In the gate of analyses, members come before visitors. Each
// analysis, job, large request body and other costly work goes through a Gate, and waits there for a slot.
//
//	slots    [ a1 ][ b1 ]
//	waiting  a2 a3 c1 c2 d1      c1 is next, then d1, and when a1 and b1 have ended, a2
type Gate struct {
	bounds

	mu      sync.Mutex
	running []*Ticket
	waiting []*Ticket
	turns   int            // number of turns given so far
	served  map[Client]int // number of the last turn of each client; emptied when nothing runs, or when the map is too large
	lasted  time.Duration  // average length of recent turns, for estimates of waiting times; 0 before the first
}

// bounds are the number of slots of a gate and its limits; a limit of 0 means none.
type bounds struct {
	slots     int
	what      string // name of the work in error messages, a plural
	first     bool   // members come before visitors
	most      int    // maximum number of waiting tickets
	visitors  int    // number of waiting tickets above which no visitor may join
	ofMember  int    // maximum number of tickets of one member, running or waiting
	ofVisitor int
	assured   int // number of tickets that a member may have even if too many wait
}

// Ticket is a client's piece of work that waits or runs.
type Ticket struct {
	client Client
	Turn   chan struct{} // closed when the work may run
	since  time.Time     // when the work began to run
	Moved  chan struct{} // receives a value when the ticket's place in the queue has changed
}

const maxServed = 10_000

const (
	// fairTurn is the time that an analysis may run before it must make room for a waiting analysis.
	fairTurn = 2 * time.Second
	// whole is the time that a ticket should wait at most. If many tickets wait, turns are therefore shorter than fairTurn, but
	// never shorter than leastTurn.
	leastTurn = 500 * time.Millisecond
	whole     = 30 * time.Second

	maxWaiting   = 400
	maxOfClient  = 16
	maxVisitors  = 200 // number of waiting tickets above which no visitor may join
	maxOfVisitor = 4
	assuredTurns = 2 // number of tickets that a member may have however long the queue is
)

// New returns a gate without limits on waiting tickets.
func New(slots int) *Gate { return &Gate{bounds: bounds{slots: slots}} }

// NewQueue returns the gate of analyses. When others wait, an analysis must end as soon as it has run for the length of a turn:
// see Over.
func NewQueue(slots int) *Gate {
	return &Gate{bounds: bounds{
		slots: slots, what: "analyses", first: true, most: maxWaiting, visitors: maxVisitors,
		ofMember: maxOfClient, ofVisitor: maxOfVisitor, assured: assuredTurns,
	}}
}

// LargeOfOne is the maximum number of requests with large bodies that one client may have, running or waiting.
const LargeOfOne = 4

// NewBodies returns the gate of requests with large bodies. A request keeps its slot until it is answered, because its body stays
// in memory until then.
func NewBodies(slots int) *Gate {
	return &Gate{bounds: bounds{slots: slots, what: "large requests", ofMember: LargeOfOne, ofVisitor: LargeOfOne}}
}

// Join adds a ticket for a client. If a slot is free, the ticket's turn begins at once. Join returns an error if too many
// tickets wait.
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

// Enter waits for a slot, and returns the function that frees it.
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

// Try takes a slot if one is free, and returns the function that frees it.
func (g *Gate) Try(client Client) (leave func(), ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.running) >= g.slots {
		return nil, false
	}
	t := g.add(client)
	return func() { g.Leave(t) }, true
}

// Leave removes a ticket, whether it waits or runs.
func (g *Gate) Leave(t *Ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.remove(t)
	g.fill()
	if len(g.running) == 0 || len(g.served) > maxServed {
		clear(g.served)
	}
}

// Again ends the turn of t, and returns a new ticket of the same client at the end of the queue. It is never refused.
func (g *Gate) Again(t *Ticket) *Ticket {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.remove(t)
	return g.add(t.client)
}

func (g *Gate) remove(t *Ticket) {
	is := func(o *Ticket) bool { return o == t }
	// If nobody waits, a turn may last much longer than turnLength. So the average counts at most twice turnLength for it.
	if slices.ContainsFunc(g.running, is) {
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

// next returns the index in waiting of the ticket that gets the next turn.
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

// of returns the number of tickets in list that belong to a client.
func of(list []*Ticket, client Client) (n int) {
	for _, t := range list {
		if t.client == client {
			n++
		}
	}
	return n
}

// turnLength returns how long an analysis may run while others wait.
func (g *Gate) turnLength() time.Duration {
	return max(leastTurn, min(fairTurn, whole*time.Duration(g.slots)/time.Duration(len(g.waiting)+1)))
}

// Place returns the place of a ticket in the queue, from 1, or 0 when it runs, and an estimate of its waiting time.
func (g *Gate) Place(t *Ticket) (place int, wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	place = slices.Index(g.waiting, t) + 1
	return place, time.Duration((place+g.slots-1)/g.slots) * max(g.lasted, g.turnLength())
}

// Over reports whether a running ticket has to end, because its turn is over and others wait.
func (g *Gate) Over(t *Ticket) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.waiting) > 0 && time.Since(t.since) >= g.turnLength()
}

// others reports whether other clients wait.
func (g *Gate) others(client Client) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return of(g.waiting, client) < len(g.waiting)
}

// Lengths returns the number of running tickets and the number of waiting tickets.
func (g *Gate) Lengths() (running, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.running), len(g.waiting)
}

func tooMany(text string) error { return fault.New("too-many", text) }

func busy(text string) error { return fault.New("busy", text) }
