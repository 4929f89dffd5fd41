// SPDX-License-Identifier: Apache-2.0

// Package request implements the operations of the web app that need neither a database nor a signed-in user: positions, files,
// openings, puzzles, and the search lab. Package server/api serves them over HTTP, and package local in a browser without a
// server.
//
// # Basics
//
//	in := &request.Place{Game: "gomoku", Moves: "h8 h9"}
//	board, err := request.Position(ctx, in)
//
// The tags of the input types name the HTTP parameters. An error whose text may be sent to the client is a *fault.Error.
package request

import (
	"errors"
	"fmt"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
)

// Fault returns the fault in err whose text may be sent to the client, or nil if there is none.
func Fault(err error) *fault.Error {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*notation.MoveError](err); ok {
		return fault.About("bad-move", e.Word, err)
	}
	if e, ok := errors.AsType[*game.IllegalMoveError](err); ok {
		return fault.About("bad-move", e.Move, err)
	}
	if errors.Is(err, game.ErrOver) {
		return errOver
	}
	return nil
}

var errOver = &fault.Error{Code: "game-over", Text: "the game is over"}

// wrong returns err as a fault with the given code. The parameter what names the subject of err, for example a spec. If err is
// a fault already, it is returned unchanged.
func wrong(code, what string, err error) error {
	if err == nil {
		return nil
	}
	if e := Fault(err); e != nil {
		return e
	}
	e := fault.About(code, what, err)
	if s, ok := errors.AsType[*spec.Error](err); ok && s.Hint != "" {
		e.Text += "; " + s.Hint
	}
	return e
}

// maxCells is the maximum number of cells of a board in a request; 70 x 70 cells are allowed.
const maxCells = 4900

// Place is a position in a request: a game, its start position, and the moves from there.
type Place struct {
	Game  string `query:"game" json:"game" required:"true" maxLength:"100" example:"gomoku:15" doc:"spec of the game"`
	Start string `query:"start" json:"start,omitempty" maxLength:"8000" doc:"position that was set up, as links have it; empty for the start of the game"`
	Moves string `query:"moves" json:"moves,omitempty" maxLength:"40000" example:"h8 h9" doc:"moves after the start, in the game's notation"`

	position game.Board
}

// Find computes the position, which Board then returns. Operations on a Place call Find themselves; other code must call Find
// before Board.
func (p *Place) Find() (err error) {
	if p.position == nil {
		p.position, err = PositionOf(p.Game, p.Start, p.Moves)
	}
	return err
}

// Board returns the position that Find has computed.
func (p *Place) Board() game.Board { return p.position }

// Ongoing calls Find, and returns an error if the game is over in the position.
func (p *Place) Ongoing() error {
	err := p.Find()
	if err == nil && p.position.Outcome() != game.Ongoing {
		err = errOver
	}
	return err
}

// GameOf returns the game that a spec describes, or an error if the game has no board or more than maxCells cells.
func GameOf(text string) (game.Game, error) {
	g, err := krow.Game(text)
	if err != nil {
		return nil, wrong("bad-game", text, err)
	}
	b, ok := g.Start().(game.Board)
	if !ok {
		return nil, fault.About("bad-game", text, fmt.Errorf("%s has no board to draw", g))
	}
	if len(b.Cells()) > maxCells {
		return nil, fault.About("bad-game", text, fmt.Errorf("%s: this server supports boards of at most %d cells", g, maxCells))
	}
	return g, nil
}

// PositionOf returns the position of a game after the given moves from the given start position. An empty start means the start
// of the game.
func PositionOf(text, start, moves string) (game.Board, error) {
	g, err := GameOf(text)
	if err != nil {
		return nil, err
	}
	p := g.Start()
	if start != "" {
		if p, err = notation.DecodeText(start, func(spec string) (game.Game, error) {
			if spec != g.String() {
				return nil, fmt.Errorf("the position belongs to %s, not to %s", spec, g)
			}
			return g, nil
		}); err != nil {
			return nil, wrong("bad-start", "", err)
		}
	}
	if err := notation.Play(p, moves); err != nil {
		return nil, wrong("bad-move", "", err)
	}
	return p.(game.Board), nil
}

// PlayerOf returns the player that a spec describes.
func PlayerOf(g game.Game, text string, seed uint64) (player.Player, error) {
	p, err := krow.PlayerBy(spec.Untrusted, g, text, seed)
	if err != nil {
		return nil, wrong("bad-player", text, err)
	}
	if player.IsHuman(p) && text != Human {
		return nil, fault.About("bad-player", text, errors.New("a person is called human"))
	}
	return p, nil
}

// Done is the last event of a stream. It contains the reason why the work ended.
type Done struct {
	Reason string `json:"reason" enum:"finished,turn,stopped,error" doc:"why the work ended; turn: its turn is over, and others wait"`
	Error  string `json:"error,omitempty"`
	Code   string `json:"code,omitempty" doc:"code of the error, as in a problem document"`
	What   string `json:"what,omitempty" doc:"subject of the error, as in a problem document"`
}
