// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// A client is a member, or an address from which visitors come. What it chooses itself, such as a cookie, does not matter.
//
//	member 7                 wherever this member is logged in
//	visitor 192.0.2.7        an address
//	visitor 2001:db8:1:2::   the first 64 bits of one of IPv6: a home has all that begin so
const (
	memberKey  = "member "
	visitorKey = "visitor "
)

func isMember(client string) bool { return strings.HasPrefix(client, memberKey) }

func whose(ctx huma.Context) string { return visitOf(ctx.Context()).client }

// shares bound what each client has of the server besides its cores: open streams and new games. Visitors together have a
// part of it, so that members always find room.
type shares struct {
	mu       sync.Mutex
	all      int            // open streams
	visitors int            // those of visitors
	streams  map[string]int // by client
	games    rates          // begun, by client
	offers   rates          // challenges and tournaments of visitors, by client
	requests rates          // of visitors, by client
	asked    rates          // requests of members, by client
	tries    rates          // at puzzles, by client
	guesses  rates          // of passwords, by name, or by name and browser
	origins  rates          // of passwords, by address: a class or a club room may have one
	files    rates          // of the page, by client: a browser asks for a dozen at once

	allGames, allRequests, allFiles, tokens rates // of all visitors
}

const (
	maxStreams    = 3000 // of all clients
	visitorsPart  = 2000 // of all visitors
	clientsPart   = 48   // of one: the tabs of three browsers and their analyses
	assuredOfMine = 16   // a member has so many however many the others have
)

// making bounds how many players are made at once for what is asked: each may take tens of megabytes before it has done
// anything. Members do not wait for visitors.
var making = map[bool]*gate{true: newGate(2), false: newGate(2)}

func newShares() *shares {
	return &shares{
		streams: map[string]int{}, games: newRates(60, time.Second), offers: newRates(30, 10*time.Minute), guesses: newRates(10, 6*time.Second), origins: newRates(40, 3*time.Second), files: newRates(1000, 20*time.Millisecond),
		requests: newRates(200, 50*time.Millisecond), asked: newRates(1000, 20*time.Millisecond), tries: newRates(100, 3*time.Second),
		allGames: newRates(200, time.Second/10), allRequests: newRates(300, time.Second/300), allFiles: newRates(3000, time.Second/500),
		tokens: newRates(100, time.Second/20),
	}
}

// everyVisitor is the key of what visitors do together.
const everyVisitor = visitorKey + "all"

// tarpit is how long a client waits who asks too much: a client that waits asks less.
const tarpit = time.Second

// admit counts a request of a client, or says why it is refused. Visitors together have a part of the cores, so that
// members are answered however many visitors come.
func (h *shares) admit(client, path string, now time.Time) *Problem {
	h.mu.Lock()
	defer h.mu.Unlock()
	mine, all := &h.requests, &h.allRequests
	if !strings.HasPrefix(path, "/api/") { // a file of the page, which costs little: a class opens the page at once
		mine, all = &h.files, &h.allFiles
	}
	switch {
	case isMember(client) && h.asked.take(client, now):
		return nil
	case isMember(client), !mine.take(client, now):
		return tooMany.with("you ask too much: wait some seconds", "")
	case !all.take(everyVisitor, now):
		return busy.with("too many visitors ask at once", "")
	}
	return nil
}

// strange counts the token of a session that is not known here, or says that there are too many of them to look each up.
func (h *shares) strange(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tokens.take(everyVisitor, now)
}

// open takes a stream for a client, or says why it gets none.
func (h *shares) open(client string) *Problem {
	h.mu.Lock()
	defer h.mu.Unlock()
	mine := h.streams[client]
	switch {
	case isMember(client) && mine < assuredOfMine:
	case mine >= clientsPart:
		return tooMany.with("you have too many streams open", "")
	case h.all >= maxStreams, !isMember(client) && h.visitors >= visitorsPart:
		return busy.with("too many streams are open", "")
	}
	h.count(client, 1)
	return nil
}

func (h *shares) shut(client string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count(client, -1)
}

func (h *shares) count(client string, n int) {
	h.all += n
	if !isMember(client) {
		h.visitors += n
	}
	if h.streams[client] += n; h.streams[client] == 0 {
		delete(h.streams, client)
	}
}

// begin counts a game of a client, or says why it may not begin one.
func (h *shares) begin(client string, now time.Time) *Problem {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.games.take(client, now) {
		return tooMany.with("you begin too many games: wait some seconds", "")
	}
	if !isMember(client) && !h.allGames.take(everyVisitor, now) {
		return busy.with("visitors begin too many games", "")
	}
	return nil
}

// try counts a try at a puzzle that is kept, or says that there were too many.
func (h *shares) try(client string, now time.Time) *Problem {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.tries.take(client, now) {
		return tooMany.with("you try too many puzzles: wait some seconds", "")
	}
	return nil
}

// offer counts a challenge or a tournament of a visitor, or says that there were too many: one address does not take the room
// of all.
func (h *shares) offer(client string, now time.Time) *Problem {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !isMember(client) && !h.offers.take(client, now) {
		return tooMany.with("you offer too much: wait some minutes", "")
	}
	return nil
}

// addressKey begins the keys of guesses by address.
const addressKey = "address "

func (h *shares) guessesOf(key string) *rates {
	if strings.HasPrefix(key, addressKey) {
		return &h.origins
	}
	return &h.guesses
}

// guess counts a try to log in for each of its keys, or says that it is too early for another. Names and addresses have
// counts of their own, so that nobody tries many names, and many addresses do not try one name.
func (h *shares) guess(keys []string, now time.Time) *Problem {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range keys {
		if !h.guessesOf(key).may(key, now) {
			return tooMany.with("too many tries: wait a minute", "")
		}
	}
	for _, key := range keys {
		h.guessesOf(key).take(key, now)
	}
	return nil
}

// guessed takes back the count of a try that was right. The others before it still count: somebody with a name here may
// guess those of others.
func (h *shares) guessed(keys []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range keys {
		if r := h.guessesOf(key); !r.free[key].IsZero() {
			r.free[key] = r.free[key].Add(-r.rest)
		}
	}
}

// rates let something happen burst times at once, and then once in each rest, for each key.
type rates struct {
	burst int
	rest  time.Duration
	free  map[string]time.Time // when what happened so far no longer counts
	swept time.Time
}

// maxKeys bounds the memory of rates: those of whom nothing counts any more are forgotten then.
const maxKeys = 10_000

func newRates(burst int, rest time.Duration) rates {
	return rates{burst: burst, rest: rest, free: map[string]time.Time{}}
}

func (r *rates) may(key string, now time.Time) bool {
	at, counted := r.free[key]
	return !counted || at.Sub(now) <= time.Duration(r.burst-1)*r.rest
}

func (r *rates) take(key string, now time.Time) bool {
	if len(r.free) > maxKeys && now.Sub(r.swept) > r.rest {
		maps.DeleteFunc(r.free, func(_ string, at time.Time) bool { return at.Before(now) })
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

// streaming counts a stream while it is open, or refuses it.
func (s *Server) streaming(ctx huma.Context, next func(huma.Context)) {
	client := whose(ctx)
	if p := s.shares.open(client); p != nil {
		s.refuse(ctx, p)
		return
	}
	defer s.shares.shut(client)
	s.numbers.streams.Inc()
	defer s.numbers.streams.Dec()
	c, cancel := context.WithCancel(ctx.Context())
	defer cancel()
	s.whileLoggedIn(c, cancel)
	next(huma.WithContext(ctx, c))
}

// whileLoggedIn cancels the context of a stream when the session ends that has opened it: what is sent is for who it was. It
// looks every pulse, since another process may end sessions too.
func (s *Server) whileLoggedIn(ctx context.Context, cancel context.CancelFunc) {
	token := visitOf(ctx).token
	if token == "" {
		return
	}
	time.AfterFunc(pulse, func() {
		if ctx.Err() != nil {
			return
		}
		if _, err := s.club.Session(token); errors.Is(err, store.ErrNoSession) {
			cancel()
			return
		}
		s.whileLoggedIn(ctx, cancel)
	})
}

// beginning counts what a client begins, or refuses it.
func (s *Server) beginning(ctx huma.Context, next func(huma.Context)) {
	if p := s.shares.begin(whose(ctx), time.Now()); p != nil {
		s.refuse(ctx, p)
		return
	}
	next(ctx)
}

// made has an operation wait for a place in making. Its body has been read then, so that no slow sender has a place.
func made[I, O any](f func(context.Context, *I) (O, error)) func(context.Context, *I) (O, error) {
	return func(ctx context.Context, in *I) (out O, err error) {
		return inside(making[isMember(visitOf(ctx).client)], f)(ctx, in)
	}
}

func (s *Server) refuse(ctx huma.Context, p *Problem) {
	if p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable {
		ctx.SetHeader("Retry-After", "5")
	}
	_ = huma.WriteErr(s.api, ctx, p.Status, p.Detail, p) // a client that has gone need not know
}

// What the store keeps of one client: of a member, of a guest, and of all guests together.
const (
	gamesOfMember = 20_000
	gamesOfGuest  = 200
	gamesOfGuests = 20_000
	bytesOfMember = 256 << 20
	bytesOfGuests = 256 << 20
	keptOfGuests  = 24 * time.Hour      // so long a game that is over is kept where there is no room
	idleOfGuests  = 30 * 24 * time.Hour // so long one that nobody plays
)

// room says whether the store has room for more of who asks.
func (s *Server) room(ctx context.Context) error {
	who := club.From(ctx)
	if who.Role >= club.Owner {
		return nil
	}
	kept, err := s.db.BytesOf(who.Member)
	switch {
	case err != nil:
		return err
	case who.Member != 0 && kept >= bytesOfMember:
		return tooMany.with("the server keeps too much of you: delete games, bots or runs", "")
	case who.Member == 0 && kept >= bytesOfGuests:
		return busy.with("the server keeps too much of guests", "")
	}
	return nil
}

// roomForGame says whether there is room for another game of who asks.
func (s *Server) roomForGame(ctx context.Context) error {
	who := club.From(ctx)
	if who.Role >= club.Owner {
		return nil
	}
	count, err := s.db.CountGames(who.Member, who.Guest)
	switch {
	case err != nil:
		return err
	case who.Member != 0 && count.Mine >= gamesOfMember, who.Member == 0 && count.Mine >= gamesOfGuest:
		return tooMany.with("you have too many games: delete some", "")
	case who.Member != 0:
		return s.room(ctx)
	}
	if err := s.room(ctx); err == nil && count.Guests < gamesOfGuests {
		return nil
	}
	// The oldest games of guests give way, but not those of the last day: nobody pushes out what others play now.
	gone, err := s.db.ForgetGamesOfGuests(time.Now().Add(-keptOfGuests), time.Now().Add(-idleOfGuests), 100)
	if err == nil && gone == 0 {
		err = busy.with("guests have too many games", "")
	}
	return err
}
