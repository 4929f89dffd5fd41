// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"maps"
	"strings"
	"sync"
	"time"
)

// Shares limit the use that each client makes of the server, except of its cores. All visitors together are limited to a part, so
// that members always find room.
type Shares struct {
	Requests, Files, Games, Offers, Tries, Tokens *Share

	mu       sync.Mutex
	all      int            // open streams
	visitors int            // open streams of visitors
	streams  map[Client]int // open streams by client
	guesses  *rates[string] // of passwords, by a name, or by a name and a browser
	origins  *rates[string] // of passwords, by address: more, because a class or a club room may share one
}

const (
	maxStreams    = 3000 // of all clients together
	visitorsPart  = 2000 // of all visitors together
	clientsPart   = 48   // of one client: the tabs of three browsers and their analyses
	assuredOfMine = 16   // streams that a member may always have
)

// NewShares returns the limits of a server that has just started. Limits of games and guesses recover more slowly by the factor
// patience, for tests on slow machines.
func NewShares(patience int) *Shares {
	slowly := time.Duration(patience)
	games := newRates[Client](60, slowly*time.Second)
	tries := newRates[Client](100, 3*time.Second)
	return &Shares{
		Requests: &Share{
			member: newRates[Client](1000, 20*time.Millisecond), visitor: newRates[Client](200, 50*time.Millisecond), visitors: newRates[Client](300, time.Second/300),
			refusal: "you ask too much: wait some seconds", crowd: "too many visitors ask at once",
		},
		// A file of the page costs little, and a browser requests a dozen at once, perhaps for each pupil of a class.
		Files: &Share{
			member: newRates[Client](1000, 20*time.Millisecond), visitor: newRates[Client](1000, 20*time.Millisecond), visitors: newRates[Client](3000, time.Second/500),
			refusal: "you ask too much: wait some seconds", crowd: "too many visitors ask at once",
		},
		Games: &Share{
			member: games, visitor: games, visitors: newRates[Client](200, time.Second/10),
			refusal: "you begin too many games: wait some seconds", crowd: "visitors begin too many games",
		},
		// Challenges and tournaments of visitors, so that one address cannot use up the room of all.
		Offers: &Share{visitor: newRates[Client](30, 10*time.Minute), refusal: "you offer too much: wait some minutes"},
		// Tries at puzzles, which the server keeps.
		Tries: &Share{member: tries, visitor: tries, refusal: "you try too many puzzles: wait some seconds"},
		// Session tokens that this process does not know: each costs a look into the store.
		Tokens:  &Share{visitors: newRates[Client](100, time.Second/20)},
		streams: map[Client]int{}, guesses: newRates[string](10, slowly*6*time.Second), origins: newRates[string](40, 3*time.Second),
	}
}

// Share limits how often something may happen: for each member, for each visitor, and for all visitors together. A nil field is
// no limit.
type Share struct {
	mu                        sync.Mutex
	member, visitor, visitors *rates[Client]

	refusal, crowd string
}

// Take counts an action of a client, or returns an error if the client, or all visitors, have had too many.
func (s *Share) Take(client Client, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.visitor
	if client.Trusted {
		own = s.member
	}
	switch {
	case !own.take(client, now):
		return tooMany(s.refusal)
	case !client.Trusted && !s.visitors.take(everyVisitor, now):
		return busy(s.crowd)
	}
	return nil
}

// Open counts a new stream of a client, or returns an error if too many are open.
func (h *Shares) Open(client Client) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	mine := h.streams[client]
	switch {
	case client.Trusted && mine < assuredOfMine:
	case mine >= clientsPart:
		return tooMany("you have too many streams open")
	case h.all >= maxStreams, !client.Trusted && h.visitors >= visitorsPart:
		return busy("too many streams are open")
	}
	h.count(client, 1)
	return nil
}

// Shut counts the end of a client's stream.
func (h *Shares) Shut(client Client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count(client, -1)
}

func (h *Shares) count(client Client, n int) {
	h.all += n
	if !client.Trusted {
		h.visitors += n
	}
	if h.streams[client] += n; h.streams[client] == 0 {
		delete(h.streams, client)
	}
}

// ByAddress is the prefix of keys that count guesses by address.
const ByAddress = "address "

func (h *Shares) guessesOf(key string) *rates[string] {
	if strings.HasPrefix(key, ByAddress) {
		return h.origins
	}
	return h.guesses
}

// Guess counts a try to log in under each of its keys, or returns an error if one of them has had too many tries. A try has keys
// for its name and its address: one address cannot try many names, nor many addresses one name.
func (h *Shares) Guess(keys []string, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range keys {
		if !h.guessesOf(key).may(key, now) {
			return tooMany("too many tries: wait a minute")
		}
	}
	for _, key := range keys {
		h.guessesOf(key).take(key, now)
	}
	return nil
}

// Guessed undoes the count of a try whose password was right. Earlier tries still count, because a member may guess the passwords
// of others.
func (h *Shares) Guessed(keys []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range keys {
		if r := h.guessesOf(key); !r.free[key].IsZero() {
			r.free[key] = r.free[key].Add(-r.rest)
		}
	}
}

// rates allow burst events at once for each key, and then one event in each rest.
type rates[K comparable] struct {
	burst int
	rest  time.Duration
	free  map[K]time.Time // when the events so far no longer count
	swept time.Time
}

// maxKeys is the number of keys above which rates forget the keys whose events no longer count.
const maxKeys = 10_000

func newRates[K comparable](burst int, rest time.Duration) *rates[K] {
	return &rates[K]{burst: burst, rest: rest, free: map[K]time.Time{}}
}

func (r *rates[K]) may(key K, now time.Time) bool {
	at, counted := r.free[key]
	return !counted || at.Sub(now) <= time.Duration(r.burst-1)*r.rest
}

func (r *rates[K]) take(key K, now time.Time) bool {
	if r == nil {
		return true
	}
	if len(r.free) > maxKeys && now.Sub(r.swept) > r.rest {
		maps.DeleteFunc(r.free, func(_ K, at time.Time) bool { return at.Before(now) })
		r.swept = now
	}
	if !r.may(key, now) {
		return false
	}
	at := r.free[key]
	if at.Before(now) {
		at = now
	}
	r.free[key] = at.Add(r.rest)
	return true
}
