// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/player"
)

func (s *Server) openingAnswer(ctx context.Context, in *request.OpeningAnswerInput) (out request.OpeningAnswerOutput, err error) {
	o, err := in.Session()
	if err != nil {
		return out, err
	}
	if err := s.fair(ctx, o.Board()); err != nil {
		return out, err
	}
	ctx, cancel := s.linked(ctx)
	defer cancel()
	done, err := s.live.Room(ctx)
	if err != nil {
		return out, s.fault(err)
	}
	defer done()
	g := o.Board().Game()
	text, err := s.settled(ctx, g, in.Player)
	if err != nil {
		return out, err
	}
	p, err := s.player(g, text, in.Seed)
	if err != nil {
		return out, err
	}
	defer player.Close(p)
	return in.Answer(ctx, o, p)
}
