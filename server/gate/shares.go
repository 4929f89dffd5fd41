// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"maps"
	"strings"
	"sync"
	"time"
)

// Shares bound the share of each client, except for cores: requests, open streams, new games, tries. Visitors together have a
// part of it, so that members always find room.
type Shares struct {
	mu       sync.Mutex
	all      int            // open streams
	visitors int            // those of visitors
	streams  map[Client]int // by client
	games    rates[Client]  // begun, by client
	offers   rates[Client]  // challenges and tournaments of visitors, by client
	requests rates[Client]  // of visitors, by client
	asked    rates[Client]  // requests of members, by client
	tries    rates[Client]  // at puzzles, by client
	guesses  rates[string]  // of passwords, by name, or by name and browser
	origins  rates[string]  // of passwords, by address: a class or a club room may have one
	files    rates[Client]  // of the page, by client: a browser asks for a dozen at once

	allGames, allRequests, allFiles, tokens rates[Client] // of all visitors
}

const (
	maxStreams    = 3000 // of all clients
	visitorsPart  = 2000 // of all visitors
	clientsPart   = 48   // of one: the tabs of three browsers and their analyses
	assuredOfMine = 16   // streams that a member may always have
)

// NewShares returns the shares of a server at its start. Games and guesses come patience times as slowly, for
// tests on slow machines.
func NewShares(patience int) *Shares {
	slowly := time.Duration(patience)
	return &Shares{
		streams: map[Client]int{}, games: newRates[Client](60, slowly*time.Second), offers: newRates[Client](30, 10*time.Minute),
		requests: newRates[Client](200, 50*time.Millisecond), asked: newRates[Client](1000, 20*time.Millisecond),
		tries: newRates[Client](100, 3*time.Second), files: newRates[Client](1000, 20*time.Millisecond),
		guesses: newRates[string](10, slowly*6*time.Second), origins: newRates[string](40, 3*time.Second),
		allGames: newRates[Client](200, time.Second/10), allRequests: newRates[Client](300, time.Second/300),
		allFiles: newRates[Client](3000, time.Second/500), tokens: newRates[Client](100, time.Second/20),
	}
}

// Admit counts a request of a client, or says why it is refused. Visitors together have a part of the cores, so that
// members are answered however many visitors come.
func (h *Shares) Admit(client Client, page bool, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	mine, all := &h.requests, &h.allRequests
	if page { // a file of the page, which costs little: a class opens the page at once
		mine, all = &h.files, &h.allFiles
	}
	switch {
	case client.Trusted && h.asked.take(client, now):
		return nil
	case client.Trusted, !mine.take(client, now):
		return tooMany("you ask too much: wait some seconds")
	case !all.take(everyVisitor, now):
		return busy("too many visitors ask at once")
	}
	return nil
}

// Strange counts the token of a session that is not known here, or says that there are too many of them to look each up.
func (h *Shares) Strange(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tokens.take(everyVisitor, now)
}

// Open takes a stream for a client, or says why it gets none.
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

// Shut gives a stream back.
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

// Begin counts a game of a client, or says why it may not begin one.
func (h *Shares) Begin(client Client, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.games.take(client, now) {
		return tooMany("you begin too many games: wait some seconds")
	}
	if !client.Trusted && !h.allGames.take(everyVisitor, now) {
		return busy("visitors begin too many games")
	}
	return nil
}

// Try counts a try at a puzzle that is kept, or says that there were too many.
func (h *Shares) Try(client Client, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.tries.take(client, now) {
		return tooMany("you try too many puzzles: wait some seconds")
	}
	return nil
}

// Offer counts a challenge or a tournament of a visitor, or says that there were too many: one address does not take the room
// of all.
func (h *Shares) Offer(client Client, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !client.Trusted && !h.offers.take(client, now) {
		return tooMany("you offer too much: wait some minutes")
	}
	return nil
}

// ByAddress begins the keys of guesses by address.
const ByAddress = "address "

func (h *Shares) guessesOf(key string) *rates[string] {
	if strings.HasPrefix(key, ByAddress) {
		return &h.origins
	}
	return &h.guesses
}

// Guess counts a try to log in for each of its keys, or says that it is too early for another. Names and addresses have
// counts of their own, so that nobody tries many names, and many addresses do not try one name.
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

// Guessed takes back the count of a try that was right. Earlier tries still count: a member
// may guess the passwords of others.
func (h *Shares) Guessed(keys []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range keys {
		if r := h.guessesOf(key); !r.free[key].IsZero() {
			r.free[key] = r.free[key].Add(-r.rest)
		}
	}
}

// rates let something happen burst times at once, and then once in each rest, for each key.
type rates[K comparable] struct {
	burst int
	rest  time.Duration
	free  map[K]time.Time // when what happened so far no longer counts
	swept time.Time
}

// maxKeys bounds the memory of rates: keys whose events no longer count are forgotten then.
const maxKeys = 10_000

func newRates[K comparable](burst int, rest time.Duration) rates[K] {
	return rates[K]{burst: burst, rest: rest, free: map[K]time.Time{}}
}

func (r *rates[K]) may(key K, now time.Time) bool {
	at, counted := r.free[key]
	return !counted || at.Sub(now) <= time.Duration(r.burst-1)*r.rest
}

func (r *rates[K]) take(key K, now time.Time) bool {
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
