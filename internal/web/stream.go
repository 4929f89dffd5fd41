// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"
)

// pulse is how often something is sent over a stream on which nothing happens: that shows whether the reader has gone.
const pulse = 15 * time.Second

// The library gives a write five seconds. That is too few on a busy machine.
func init() { sse.WriteTimeout = eventTime }

// Pulse says that the stream is alive.
type Pulse struct{}

// linked returns a context that ends with the request or with the server.
func (s *Server) linked(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.life, cancel)
	return ctx, func() { stop(); cancel() }
}

// Gone says that a game has been deleted.
type Gone struct{}

// events sends the game now and after each change. It also lets a player think whose turn it is, as after a restart of
// the server.
func (s *Server) events(ctx context.Context, in *GameRef, send sse.Sender) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	changed, end := s.live.Watch(in.ID)
	defer end()
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for {
		out, err := s.answer(s.live.Game(in.ID))
		if err != nil {
			_ = send.Data(Gone{}) // a client that has gone need not know
			return
		}
		if send.Data(out.Body) != nil {
			return
		}
		for waiting := true; waiting; {
			select {
			case <-ctx.Done():
				return
			case <-changed:
				waiting = false
			case <-tick.C:
				if send.Data(Pulse{}) != nil {
					return
				}
			}
		}
	}
}
