// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// Visibility is the visibility of a game or a run, in a request.
type Visibility struct {
	Visibility string `json:"visibility" enum:"private,link,public" doc:"private: only the owner may look at it; link: everybody with its link; public: everybody, and lists contain it"`
}

type showGameInput struct {
	GameRef
	Body Visibility
}

// showGame sets the visibility of a game. The owner of the game may set it. In a game between people, each player may set it as
// well. Games of tournaments stay public.
func (s *Server) showGame(ctx context.Context, in *showGameInput) error {
	g, err := s.gameFor(ctx, club.Look, in.ID)
	if err != nil {
		return err
	}
	_, plays := g.Side(s.seatOf(ctx, ""))
	switch who := club.From(ctx); {
	case !plays && !who.Owns(thingOf(g)), in.Body.Visibility == string(club.Public) && who.Role < club.Member:
		return notAllowed.new()
	case g.Tournament != 0:
		return notAllowed.with("a tournament's games are seen by everybody", "")
	}
	return s.db.ShowGame(in.ID, in.Body.Visibility)
}

type showRunInput struct {
	RunRef
	Body Visibility
}

// showRun sets the visibility of a run or a match.
func (s *Server) showRun(ctx context.Context, in *showRunInput) error {
	r, err := s.db.Load(in.ID)
	if err != nil {
		return err
	}
	switch who := club.From(ctx); {
	case !club.May(who, club.Look, runThing(*r)):
		return noRun.new()
	case !who.Owns(runThing(*r)):
		return notAllowed.new()
	}
	return s.db.ShowRun(in.ID, in.Body.Visibility)
}

func runThing(r store.Run) club.Thing {
	return club.Thing{Owner: r.Owner, Visibility: club.Visibility(r.Visibility)}
}

// looking refuses a request for a run or a match that the caller may not look at, with the error of a missing run.
func (s *Server) looking(ctx huma.Context, next func(huma.Context)) {
	id, err := strconv.ParseInt(ctx.Param("id"), 10, 64)
	if err == nil {
		if r, err := s.db.Load(id); err == nil && !club.May(club.From(ctx.Context()), club.Look, runThing(*r)) {
			s.refuse(ctx, noRun.new())
			return
		}
	}
	next(ctx)
}

// listed reports whether the caller's lists show a run. They show another member's run only if it is public.
func listed(ctx context.Context, r store.Run) bool {
	return club.May(club.From(ctx), club.List, runThing(r))
}
