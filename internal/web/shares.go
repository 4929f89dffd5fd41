// SPDX-License-Identifier: Apache-2.0

package web

import (
	"maps"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// shares bound what each client has of the server besides its cores: open streams and new games.
type shares struct {
	mu      sync.Mutex
	all     int                  // open streams
	streams map[string]int       // by client
	free    map[string]time.Time // by client: when its games so far no longer count, each of them after gameRest
}

const (
	maxStreams  = 2000 // of all clients
	clientsPart = 48   // of one: the tabs of three browsers and their analyses
	gameBurst   = 60   // games begun at once
	gameRest    = time.Second
)

func newShares() *shares {
	return &shares{streams: map[string]int{}, free: map[string]time.Time{}}
}

// open takes a stream for a client, or says why it gets none.
func (h *shares) open(client string) *Problem {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.streams[client] >= clientsPart:
		return tooMany.because("you have too many streams open", "")
	case h.all >= maxStreams:
		return busy.because("too many streams are open", "")
	}
	h.streams[client]++
	h.all++
	return nil
}

func (h *shares) shut(client string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all--
	if h.streams[client]--; h.streams[client] == 0 {
		delete(h.streams, client)
	}
}

// begin counts a game of a client, or says why it may not begin one.
func (h *shares) begin(client string, now time.Time) *Problem {
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.DeleteFunc(h.free, func(_ string, at time.Time) bool { return at.Before(now) })
	at, counted := h.free[client]
	if !counted {
		at = now
	}
	if at.Sub(now) > (gameBurst-1)*gameRest {
		return tooMany.because("you begin too many games: wait some seconds", "")
	}
	h.free[client] = at.Add(gameRest)
	return nil
}

// whose names the client that sent a request.
func whose(ctx huma.Context) string {
	tab := ""
	if c, err := huma.ReadCookie(ctx, "krow"); err == nil {
		tab = c.Value[:min(len(c.Value), 40)]
	}
	return clientOf(ctx.RemoteAddr(), tab)
}

// streaming counts a stream while it is open, or refuses it.
func (s *Server) streaming(ctx huma.Context, next func(huma.Context)) {
	client := whose(ctx)
	if p := s.shares.open(client); p != nil {
		s.refuse(ctx, p)
		return
	}
	defer s.shares.shut(client)
	s.numbers.streams.Add(1)
	defer s.numbers.streams.Add(-1)
	next(ctx)
}

// beginning lets a client begin a game, or refuses it.
func (s *Server) beginning(ctx huma.Context, next func(huma.Context)) {
	if p := s.shares.begin(whose(ctx), time.Now()); p != nil {
		s.refuse(ctx, p)
		return
	}
	next(ctx)
}

// refuse answers a request of a client that has too much.
func (s *Server) refuse(ctx huma.Context, p *Problem) {
	ctx.SetHeader("Retry-After", "5")
	_ = huma.WriteErr(s.api, ctx, p.Status, p.Detail, p) // a client that has gone need not know
}
