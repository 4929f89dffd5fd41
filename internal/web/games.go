// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/record"
)

// Game is a game at the board, which may be going on.
type Game struct {
	Summary
	Start    string   `json:"start,omitempty" doc:"position that was set up, as links have it"`
	Moves    []string `json:"moves" nullable:"false"`
	Board    Board    `json:"board"`
	Thinking bool     `json:"thinking" doc:"a player is looking for its move"`
	Trouble  *Problem `json:"trouble,omitempty" doc:"why a player did not move"`

	Clock *ClockView `json:"clock,omitempty"`
}

// Summary is a game in a list.
type Summary struct {
	ID      string    `json:"id"`
	Game    string    `json:"game"`
	First   string    `json:"first" doc:"spec of the player"`
	Second  string    `json:"second" doc:"spec of the player"`
	Plies   int       `json:"plies"`
	Outcome string    `json:"outcome" enum:"ongoing,first wins,second wins,draw"`
	Reason  string    `json:"reason,omitempty"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
}

func summary(g store.WebGame) Summary {
	return Summary{g.ID, g.Game, g.First, g.Second, g.Plies, g.Outcome, g.Reason, g.Created.UTC(), g.Updated.UTC()}
}

// ongoing is the outcome of a game that is not over.
var ongoing = game.Ongoing.String()

const resigned = "resigned"

// view returns a game as the page shows it.
func (s *Server) view(g store.WebGame) (Game, error) {
	b, err := position(g.Game, g.Start, g.Moves)
	if err != nil {
		return Game{}, fmt.Errorf("game %s: %w", g.ID, err)
	}
	v := Game{Summary: summary(g), Start: g.Start, Moves: strings.Fields(g.Moves), Board: newBoard(b)}
	if g.Moves == "" {
		v.Moves = []string{}
	}
	v.Clock = clock(g, b, time.Now())
	v.Thinking, v.Trouble = s.tables.state(g.ID)
	v.Thinking = v.Thinking && g.Outcome == ongoing && seat(g, b.Turn()) != human
	return v, nil
}

type gameOutput struct{ Body Game }

func (s *Server) answer(g store.WebGame, err error) (*gameOutput, error) {
	if err != nil {
		return nil, s.fault(err)
	}
	v, err := s.view(g)
	if err != nil {
		return nil, s.fault(err)
	}
	return &gameOutput{v}, nil
}

// fault turns an error of the store into an answer.
func (s *Server) fault(err error) error {
	switch {
	case errors.Is(err, store.ErrNoGame):
		return noGame.plain()
	case errors.Is(err, store.ErrNoRun):
		return noRun.plain()
	case errors.Is(err, store.ErrConflict):
		return changed.plain()
	}
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	s.log.Error("request failed", "error", err)
	return failedInside.plain()
}

type newGameInput struct {
	Body struct {
		Game   string `json:"game" maxLength:"100" example:"gomoku"`
		Start  string `json:"start,omitempty" maxLength:"8000" doc:"position that was set up, as links have it"`
		Moves  string `json:"moves,omitempty" maxLength:"40000" doc:"moves to begin with"`
		First  string `json:"first" maxLength:"200" example:"human" doc:"spec of the player who moves first"`
		Second string `json:"second" maxLength:"200" example:"best" doc:"spec of the player who moves second"`

		Clock *Control `json:"clock,omitempty" doc:"left out: as much time as anybody likes"`
	}
}

func (s *Server) newGame(_ context.Context, in *newGameInput) (*gameOutput, error) {
	b, err := position(in.Body.Game, in.Body.Start, in.Body.Moves)
	if err != nil {
		return nil, err
	}
	for _, text := range []string{in.Body.First, in.Body.Second} {
		p, err := s.player(b.Game(), text, 1)
		if err != nil {
			return nil, badPlayer.of(err, text)
		}
		leave(p)
	}
	g := store.WebGame{
		ID: strings.ToLower(rand.Text()[:16]), Game: b.Game().String(), Start: in.Body.Start,
		First: in.Body.First, Second: in.Body.Second, Extra: in.Body.Clock.extra(),
	}
	write(&g, b)
	if err := s.db.AddWebGame(g); err != nil {
		return nil, s.fault(err)
	}
	s.numbers.games.Add(1)
	s.tables.wake(g.ID)
	return s.answer(s.db.WebGame(g.ID))
}

// write puts what b says into g: its moves, and how it stands.
func write(g *store.WebGame, b game.Board) {
	moves := b.AppendHistory(nil)
	g.Moves, g.Plies = notation.FormatMoves(b.Game(), moves), len(moves)
	g.Outcome, g.Reason = b.Outcome().String(), record.Ending(b)
}

// seat returns the spec of the player of a side.
func seat(g store.WebGame, side game.Side) string {
	if side == game.First {
		return g.First
	}
	return g.Second
}

// GameRef names a game in a request.
type GameRef struct {
	ID string `path:"id" pattern:"^[a-z2-7]{16}$"`
}

func (s *Server) game(_ context.Context, in *GameRef) (*gameOutput, error) {
	return s.answer(s.db.WebGame(in.ID))
}

func (s *Server) forget(_ context.Context, in *GameRef) (*struct{}, error) {
	if err := s.db.DeleteWebGame(in.ID); err != nil {
		return nil, s.fault(err)
	}
	s.tables.stop(in.ID)
	s.tables.tell(in.ID)
	return nil, nil
}

type gamesInput struct {
	Limit int `query:"limit" minimum:"1" maximum:"100" default:"30"`
	Skip  int `query:"skip" minimum:"0" maximum:"1000000"`
}

type gamesOutput struct {
	Body struct {
		Games []Summary `json:"games" nullable:"false" doc:"those that changed last first"`
		More  bool      `json:"more"`
	}
}

func (s *Server) games(_ context.Context, in *gamesInput) (*gamesOutput, error) {
	all, err := s.db.WebGames(in.Limit+1, in.Skip)
	if err != nil {
		return nil, s.fault(err)
	}
	out := &gamesOutput{}
	out.Body.More = len(all) > in.Limit
	out.Body.Games = []Summary{}
	for _, g := range all[:min(len(all), in.Limit)] {
		out.Body.Games = append(out.Body.Games, summary(g))
	}
	return out, nil
}

type moveInput struct {
	GameRef
	Body struct {
		Move string `json:"move" maxLength:"20" example:"h8"`
		Ply  int    `json:"ply" minimum:"0" maximum:"100000" doc:"how many moves the game has, as far as the sender knows"`
	}
}

// move plays a person's move. It is in the store before the answer.
func (s *Server) move(_ context.Context, in *moveInput) (*gameOutput, error) {
	return s.change(in.ID, in.Body.Ply, func(g *store.WebGame, b game.Board) error {
		if seat(*g, b.Turn()) != human {
			return notYourTurn.plain()
		}
		if g.Outcome != ongoing {
			return gameOver.plain() // resigned or out of time, of which the board knows nothing
		}
		if moves, err := notation.ParseMoves(b.Game(), in.Body.Move); err == nil && len(moves) != 1 {
			return badMove.because(fmt.Sprintf("move %q: one move at a time", in.Body.Move), in.Body.Move)
		}
		if !press(g, b, time.Now()) {
			return nil // too late: the game is over
		}
		if err := notation.Play(b, in.Body.Move); err != nil {
			return badMove.of(err, in.Body.Move)
		}
		write(g, b)
		s.numbers.moves.Add(1)
		return nil
	})
}

// change lets f change a game that has as many plies, stores it, and tells everyone.
func (s *Server) change(id string, plies int, f func(*store.WebGame, game.Board) error) (*gameOutput, error) {
	g, err := s.db.WebGame(id)
	if err != nil {
		return nil, s.fault(err)
	}
	b, err := position(g.Game, g.Start, g.Moves)
	if err != nil {
		return nil, s.fault(err)
	}
	if g.Plies != plies {
		return nil, changed.because(fmt.Sprintf("the game has %d moves, not %d", g.Plies, plies), "")
	}
	if err := f(&g, b); err != nil {
		return nil, err
	}
	if err := s.db.SaveWebGame(g, plies); err != nil {
		return nil, s.fault(err)
	}
	s.tables.tell(id)
	s.tables.wake(id)
	return s.answer(s.db.WebGame(id))
}

type plyInput struct {
	GameRef
	Body struct {
		Ply int `json:"ply" minimum:"0" maximum:"100000" doc:"how many moves the game has, as far as the sender knows"`
	}
}

// takeback returns to the last turn of a person before this one, also after the end.
func (s *Server) takeback(_ context.Context, in *plyInput) (*gameOutput, error) {
	return s.change(in.ID, in.Body.Ply, func(g *store.WebGame, b game.Board) error {
		if len(b.AppendHistory(nil)) == 0 {
			return noTakeback.because("there is no move to take back", "")
		}
		if clockOf(*g) != nil {
			return noTakeback.because("no move is taken back in a game with clocks", "")
		}
		s.tables.stop(g.ID)
		for undone := false; len(b.AppendHistory(nil)) > 0; undone = true {
			if undone && seat(*g, b.Turn()) == human {
				break
			}
			b.Undo()
		}
		write(g, b)
		return nil
	})
}

func (s *Server) resign(_ context.Context, in *plyInput) (*gameOutput, error) {
	return s.change(in.ID, in.Body.Ply, func(g *store.WebGame, b game.Board) error {
		loser := b.Turn()
		if seat(*g, loser) != human {
			loser = loser.Other()
		}
		if g.Outcome != ongoing || seat(*g, loser) != human {
			return noResigning.plain()
		}
		s.tables.stop(g.ID)
		g.Outcome, g.Reason = game.WinFor(loser.Other()).String(), resigned
		return nil
	})
}
