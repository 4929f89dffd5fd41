// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"net"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

type reviewInput struct {
	Place
	Player string `query:"player" default:"best" maxLength:"200" doc:"spec of a player who says what it thinks"`
	Millis int    `query:"millis" minimum:"20" maximum:"5000" default:"300" doc:"for each position"`
	Tab    string `cookie:"krow" maxLength:"40"`

	client string
}

// Resolve finds the position, since a stream that has begun cannot be refused.
func (in *reviewInput) Resolve(ctx huma.Context) []error {
	err := in.find()
	if err == nil {
		err = analyst(in.position.Game(), in.Player)
	}
	if err != nil {
		return []error{err}
	}
	in.client = clientOf(ctx.RemoteAddr(), in.Tab)
	return nil
}

// clientOf names the client, as far as it can be told from others.
func clientOf(address, tab string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		address = host
	}
	return address + " " + tab
}

// review judges each position of a game and tells each judgement as it comes.
func (s *Server) review(ctx context.Context, in *reviewInput, send sse.Sender) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	t, err := s.queue.join(in.client)
	if err != nil {
		end(send, err)
		return
	}
	defer func() { s.queue.leave(t) }()
	err = analysis.Review(in.position, func(p game.Board) (info analysis.Info, err error) {
		// A review takes a turn for each position: others come between them.
		if s.queue.over(t) {
			s.queue.leave(t)
			if t, err = s.queue.join(in.client); err != nil {
				return info, err
			}
		}
		if !s.wait(ctx, t, send) {
			return info, errGone
		}
		pl, err := playerOf(p.Game(), in.Player, 1)
		if err != nil {
			return info, err
		}
		defer player.Close(pl)
		return analysis.Ask(ctx, pl, p, search.Limits{Time: time.Duration(in.Millis) * time.Millisecond}, nil)
	}, func(j analysis.Judgement) error {
		if send.Data(j) != nil {
			return errGone
		}
		return nil
	})
	end(send, err)
}
