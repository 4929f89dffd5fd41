// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/store"
)

// clientOf returns the client whose quota a request uses.
func clientOf(ctx context.Context) gate.Client { return visitOf(ctx).client }

// streaming counts a stream while it is open, or refuses it.
func (s *Server) streaming(ctx huma.Context, next func(huma.Context)) {
	client := clientOf(ctx.Context())
	if err := s.shares.Open(client); err != nil {
		s.refuse(ctx, err)
		return
	}
	defer s.shares.Shut(client)
	s.numbers.streams.Inc()
	defer s.numbers.streams.Dec()
	c, cancel := context.WithCancel(ctx.Context())
	defer cancel()
	s.whileLoggedIn(c, cancel)
	next(huma.WithContext(ctx, c))
}

// whileLoggedIn cancels the context of a stream when the session that opened the stream ends, because the events are for the
// member of that session. Once in each interval of length pulse it looks the session up in the store, because another process may
// also end it.
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

// beginning counts a request that begins a game or a job toward the client's quota, or refuses it.
func (s *Server) beginning(ctx huma.Context, next func(huma.Context)) {
	if err := s.shares.Games.Take(clientOf(ctx.Context()), time.Now()); err != nil {
		s.refuse(ctx, err)
		return
	}
	next(ctx)
}

// inside returns a function that waits for a slot of the gate and then calls f. The request body has been read before the
// wait, so that a slow sender holds no slot.
func inside[I, O any](g *gate.Gate, f func(context.Context, *I) (O, error)) func(context.Context, *I) (O, error) {
	return func(ctx context.Context, in *I) (out O, err error) {
		leave, err := g.Enter(ctx, clientOf(ctx))
		if err != nil {
			return out, err
		}
		defer leave()
		return f(ctx, in)
	}
}

// made works like inside, for operations that make players. A new player may take tens of megabytes. Members and visitors
// have separate slots, so that members do not wait for visitors.
func made[I, O any](s *Server, f func(context.Context, *I) (O, error)) func(context.Context, *I) (O, error) {
	return func(ctx context.Context, in *I) (out O, err error) {
		return inside(s.making[clientOf(ctx).Trusted], f)(ctx, in)
	}
}

// refuse answers a request with err, converted to a problem.
func (s *Server) refuse(ctx huma.Context, err error) {
	p := problemOf(s.fault(err))
	if p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable {
		ctx.SetHeader("Retry-After", "5")
	}
	_ = huma.WriteErr(s.api, ctx, p.Status, p.Detail, p) // an error means that the client has left, so nobody waits for the answer
}

// room returns an error if the caller's quota for stored data is used up.
func (s *Server) room(ctx context.Context) error { return s.club.Room(club.From(ctx)) }

// roomForGames returns an error if n more games would be too many for the caller, or if the caller's quota for stored data is
// used up.
func (s *Server) roomForGames(ctx context.Context, n int) error {
	return s.club.RoomForGames(club.From(ctx), n)
}
