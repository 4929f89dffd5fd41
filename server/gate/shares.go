// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"maps"
	"strings"
	"sync"
	"time"
)

// Shares limits how much of the server, except its cores, each client can use. All visitors together can use only a part, so
// that members can always use the remaining part.
type Shares struct {
	Requests, Files, Games, Offers, Tries, Tokens *Share

	mu sync.Mutex
	// A stream is an answer that sends events to a browser until one side closes it.
	all      int            // open streams
	visitors int            // open streams of visitors
	streams  map[Client]int // open streams by client
	guesses  *rates[string] // guesses of passwords by name, or by name and browser if the member has used that browser before
	// origins limits the guesses of passwords by address. It allows more guesses than the field guesses, because a class or a
	// club may share an address.
	origins *rates[string]
}

const (
	maxStreams    = 3000 // maximum number of streams of all clients together
	visitorsPart  = 2000 // maximum number of streams of all visitors together
	clientsPart   = 160  // maximum number of streams of one client: enough for 40 guests at one address, with four streams each
	assuredOfMine = 16   // number of streams that a member may always have
)

// NewShares returns the limits of a server that has just started. Two limits recover with time: the number of games that a
// client may begin, and the number of guesses at the password of a name. patience multiplies this time. It is greater than 1
// only in tests, for slow machines.
func NewShares(patience int) *Shares {
	slowly := time.Duration(patience)
	games := newRates[Client](60, slowly*time.Second)
	tries := newRates[Client](100, 3*time.Second)
	return &Shares{
		Requests: &Share{
			member: newRates[Client](1000, 20*time.Millisecond), visitor: newRates[Client](200, 50*time.Millisecond), visitors: newRates[Client](300, time.Second/300),
			refusal: "you ask too much: wait some seconds", crowd: "too many visitors ask at once",
		},
		// Files of the page have a high limit, because a file costs little and a browser requests a dozen at once, perhaps for
		// each pupil of a class at the same address.
		Files: &Share{
			member: newRates[Client](1000, 20*time.Millisecond), visitor: newRates[Client](1000, 20*time.Millisecond), visitors: newRates[Client](3000, time.Second/500),
			refusal: "you ask too much: wait some seconds", crowd: "too many visitors ask at once",
		},
		Games: &Share{
			member: games, visitor: games, visitors: newRates[Client](200, time.Second/10),
			refusal: "you begin too many games: wait some seconds", crowd: "visitors begin too many games",
		},
		// Challenges and tournaments of visitors are limited, so that one address cannot use up the number allowed for all
		// visitors.
		Offers: &Share{visitor: newRates[Client](30, 10*time.Minute), refusal: "you offer too much: wait some minutes"},
		// Tries at puzzles are limited, because the server stores them.
		Tries: &Share{member: tries, visitor: tries, refusal: "you try too many puzzles: wait some seconds"},
		// Unknown session tokens are limited, because each requires a request to the store.
		Tokens:  &Share{visitors: newRates[Client](100, time.Second/20)},
		streams: map[Client]int{}, guesses: newRates[string](10, slowly*6*time.Second), origins: newRates[string](40, 3*time.Second),
	}
}

// Share limits how often something may happen: for each member, for each visitor, and for all visitors together. A nil field
// means no limit.
type Share struct {
	mu                        sync.Mutex
	member, visitor, visitors *rates[Client]

	refusal, crowd string
}

// Take counts an action of a client. It returns an error if the client, or all visitors together, have done too many.
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

// Guess counts a try to log in under each of the keys, or returns an error if there were too many tries with one of the keys.
// A try from a browser in which the member has not logged in before has two keys: the name, and the address from which the try
// comes. So the tries from one address are limited even if it tries many names, and the tries for one name are limited even if
// they come from many addresses.
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

// Guessed undoes the count of a try whose password was right. Earlier tries still count: otherwise members could guess the
// passwords of others without limit, if they log in themselves between the guesses.
func (h *Shares) Guessed(keys []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range keys {
		if r := h.guessesOf(key); !r.free[key].IsZero() {
			r.free[key] = r.free[key].Add(-r.rest)
		}
	}
}

// rates limits the events of each key. It allows a number of events at once (burst), and then one event in each period (rest).
type rates[K comparable] struct {
	burst int
	rest  time.Duration
	free  map[K]time.Time // the time at which the previous events of the key no longer count
	swept time.Time
}

// If rates has more than maxKeys keys, it removes the keys whose events are too old to count.
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
