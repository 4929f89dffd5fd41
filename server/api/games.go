// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/live"
	"github.com/krow-lab/krow/server/lobby"
	"github.com/krow-lab/krow/server/store"
)

// Game is a game played at the board of the page, in progress or finished.
type Game struct {
	request.Game
	Trouble *Problem `json:"trouble,omitempty" doc:"why a player did not move"`
	Between *Between `json:"between,omitempty" doc:"only for a game between people"`
}

// view returns a game in the form that the page shows. If err is not nil, view returns err.
func view(g live.Game, err error) (Game, error) {
	if err != nil {
		return Game{}, err
	}
	v := Game{Game: request.Game{Summary: lobby.SummaryOf(&g.Game), Start: g.Start, Moves: strings.Fields(g.Moves), Board: diagram.New(g.Board), Thinking: g.Thinking}}
	if g.Trouble != nil {
		v.Trouble = problemOf(g.Trouble)
	}
	for side := range game.Side(2) {
		c := g.Clock(side, time.Now())
		if c == nil {
			break
		}
		if v.Clock == nil {
			v.Clock = &request.ClockView{Clock: g.Limit(), Running: g.Running()}
		}
		v.Clock.Left = append(v.Clock.Left, max(c.Left(), 0).Milliseconds())
	}
	return v, nil
}

type newGameInput struct {
	Body struct {
		request.GameTerms
		Moves  string `json:"moves,omitempty" maxLength:"40000" doc:"moves to begin with"`
		First  string `json:"first" maxLength:"200" example:"human" doc:"spec of the player who moves first"`
		Second string `json:"second" maxLength:"200" example:"best" doc:"spec of the player who moves second"`
	}
}

func (s *Server) newGame(ctx context.Context, in *newGameInput) (Game, error) {
	if err := s.roomForGames(ctx, 1); err != nil {
		return Game{}, err
	}
	if err := in.Body.CheckAlone(); err != nil {
		return Game{}, err
	}
	b, err := request.PositionOf(in.Body.Game, in.Body.Start, in.Body.Moves)
	if err != nil {
		return Game{}, err
	}
	if in.Body.First != request.Human || in.Body.Second != request.Human {
		if err := s.fair(ctx, b); err != nil {
			return Game{}, err
		}
	}
	start := live.Start{GameTerms: in.Body.GameTerms, Moves: in.Body.Moves}
	switch who := club.From(ctx); {
	case who.Member > club.First:
		start.Owner = who.Member
	case who.Member == 0 && who.Guest == "": // refused, because a game without an owner would belong to the first member
		return Game{}, noName()
	case who.Member == 0:
		start.Guest = who.Guest
	}
	if start.First, err = s.settled(ctx, b.Game(), in.Body.First); err != nil {
		return Game{}, err
	}
	if start.Second, err = s.settled(ctx, b.Game(), in.Body.Second); err != nil {
		return Game{}, err
	}
	g, err := s.live.Begin(start)
	if e, ok := errors.AsType[*live.PlayerError](err); ok {
		return Game{}, badPlayer.wrap(e.Err, e.Player)
	}
	if err == nil {
		s.numbers.games.Inc()
	}
	return view(g, err)
}

// GameRef names a game in a request.
type GameRef struct {
	ID string `path:"id" maxLength:"40"`
}

// gameFor returns the current state of a game if the caller may perform the action do on it. Every operation on a game calls
// gameFor. If the caller may not even look at the game, gameFor returns the same error as for a missing game. In a game between
// people, package live checks which person may make which change.
func (s *Server) gameFor(ctx context.Context, do club.Action, id string) (live.Game, error) {
	g, err := s.live.Game(id)
	if err != nil {
		return live.Game{}, err
	}
	by := s.seatOf(ctx, "")
	_, plays := g.Side(by)
	if plays && g.Ongoing() {
		s.live.Seen(id, by)
	}
	switch who, t := club.From(ctx), thingOf(g); {
	case club.May(who, do, t), plays && (do == club.Look || do == club.Change):
		return g, nil
	case !plays && !club.May(who, club.Look, t):
		return live.Game{}, store.ErrNoGame
	case g.Held() && do == club.Change:
		return g, nil
	}
	return live.Game{}, notAllowed.new()
}

func thingOf(g live.Game) club.Thing {
	return club.Thing{Owner: g.Owner, Guest: g.Guest, Shared: g.Held(), Visibility: club.Visibility(g.Visibility)}
}

func (s *Server) game(ctx context.Context, in *GameRef) (Game, error) {
	g, err := s.gameFor(ctx, club.Look, in.ID)
	return s.seen(ctx, g, err)
}

func (s *Server) forget(ctx context.Context, in *GameRef) error {
	if _, err := s.gameFor(ctx, club.Delete, in.ID); err != nil {
		return err
	}
	return s.live.Delete(in.ID)
}

type gamesInput struct {
	Limit int `query:"limit" minimum:"1" maximum:"100" default:"30"`
	Skip  int `query:"skip" minimum:"0" maximum:"1000000"`
}

type gamesOutputBody struct {
	Games []lobby.Listed `json:"games" nullable:"false" doc:"the most recently changed first"`
	More  bool           `json:"more"`
}

func (s *Server) games(ctx context.Context, in *gamesInput) (out gamesOutputBody, err error) {
	who, by := club.From(ctx), s.seatOf(ctx, "")
	all, err := s.db.GamesOf(who.Member, who.Guest, by, in.Limit+1, in.Skip)
	if err != nil {
		return out, err
	}
	out.More = len(all) > in.Limit
	all = all[:min(len(all), in.Limit)]
	out.Games = s.meet.List(by, by, all)
	for i, g := range all {
		if b, err := request.PositionOf(g.Game, g.Start, g.Moves); err == nil {
			v := diagram.New(b)
			v.Moves, v.Targets, v.Forbidden = []string{}, []int{}, []diagram.Forbidden{}
			out.Games[i].Board = &v
		}
	}
	return out, nil
}

type moveInput struct {
	GameRef
	Body struct {
		Move string `json:"move" maxLength:"20" example:"h8"`
		Ply  int    `json:"ply" minimum:"0" maximum:"100000" doc:"number of moves of the game that the sender knows"`
		Lag  int    `json:"lag,omitempty" minimum:"0" maximum:"60000" doc:"milliseconds that a request takes, as the sender measures it; this time is given back to the clock, up to a budget that begins at 500, grows by 100 with each move, and is never more than 500"`
	}
}

// move plays a person's move. The move is stored before the request is answered.
func (s *Server) move(ctx context.Context, in *moveInput) (Game, error) {
	g, err := s.gameFor(ctx, club.Change, in.ID)
	if err != nil {
		return Game{}, err
	}
	// A program answers this move. If the person is in the same position in a rated game, the answer would show a good move
	// there.
	if g.First != request.Human || g.Second != request.Human {
		if err := s.fair(ctx, g.Board); err != nil {
			return Game{}, err
		}
	}
	moves, err := notation.ParseMoves(g.Board.Game(), in.Body.Move)
	if err == nil && len(moves) != 1 {
		err = fmt.Errorf("move %q: expected a single move", in.Body.Move)
	}
	if err != nil {
		return Game{}, badMove.wrap(err, in.Body.Move)
	}
	by := live.Actor{Seat: s.seatOf(ctx, ""), Lag: time.Duration(in.Body.Lag) * time.Millisecond}
	g, err = s.live.Move(by, in.ID, in.Body.Ply, moves[0])
	return s.seen(ctx, g, err)
}
