// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"slices"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/runs"
)

// place is the input of an operation that concerns a position.
type place[I any] interface {
	*I
	Find() error
	Board() game.Board
}

// fairly returns a function that calls f, unless the result of f would help the caller in a rated game in progress: see fair.
func fairly[I any, P place[I], O any](s *Server, f func(context.Context, *I) (O, error)) func(context.Context, *I) (O, error) {
	return func(ctx context.Context, in *I) (out O, err error) {
		if err := P(in).Find(); err != nil {
			return out, err
		}
		if err := s.fair(ctx, P(in).Board()); err != nil {
			return out, err
		}
		return f(ctx, in)
	}
}

func (s *Server) listing(ctx context.Context, _ *struct{}) (request.Listing, error) {
	v, err := request.Catalog(ctx, nil)
	v.Version = s.o.Version
	return v, err
}

// opponents returns the players that come with krow, the players learned on this server, and the published and the connected
// bots.
func (s *Server) opponents(ctx context.Context, in *request.GameInput) (out request.OpponentsOutput, err error) {
	g, err := request.GameOf(in.Game)
	if err != nil {
		return out, err
	}
	if out, err = request.Opponents(ctx, in); err == nil {
		out.Opponents = slices.Concat(out.Opponents, runs.Opponents(s.latestRuns(ctx), g), bots.Opponents(s.db, s.hub))
	}
	return out, err
}
