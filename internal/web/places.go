// SPDX-License-Identifier: Apache-2.0

package web

import (
	"fmt"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
)

// maxCells bounds the boards that are served: 70 x 70.
const maxCells = 4900

// Place is a position in a request: a game, where it starts, and the moves since.
type Place struct {
	Game  string `query:"game" required:"true" maxLength:"100" example:"gomoku:15" doc:"spec of the game"`
	Start string `query:"start" maxLength:"8000" doc:"position that was set up, as links have it; empty for the start of the game"`
	Moves string `query:"moves" maxLength:"40000" example:"h8 h9" doc:"moves since, in the game's notation"`

	position game.Board
}

// find finds the position, or says what is wrong with it.
func (p *Place) find() (err error) {
	p.position, err = position(p.Game, p.Start, p.Moves)
	return err
}

// gameOf returns the game of a spec, if it is one that is served.
func gameOf(text string) (game.Game, error) {
	g, err := catalog.Game(text)
	if err != nil {
		return nil, badGame.of(err, text)
	}
	b, ok := g.Start().(game.Board)
	if !ok {
		return nil, badGame.because(fmt.Sprintf("%s has no board to draw", g), text)
	}
	if len(b.Cells()) > maxCells {
		return nil, badGame.because(fmt.Sprintf("%s: a board here has at most %d cells", g, maxCells), text)
	}
	return g, nil
}

// position returns the position of a game.
func position(text, start, moves string) (game.Board, error) {
	g, err := gameOf(text)
	if err != nil {
		return nil, err
	}
	p := g.Start()
	if start != "" {
		if p, err = notation.DecodeText(start, func(spec string) (game.Game, error) {
			if spec != g.String() {
				return nil, fmt.Errorf("the position is of %s, not of %s", spec, g)
			}
			return g, nil
		}); err != nil {
			return nil, badStart.of(err, "")
		}
	}
	if err := notation.Play(p, moves); err != nil {
		return nil, badMove.of(err, "")
	}
	return p.(game.Board), nil
}

const human = "human"

// playerOf returns the player of a spec from a request.
func playerOf(g game.Game, text string, seed uint64) (player.Player, error) {
	p, err := catalog.PublicPlayer(g, text, seed)
	if err != nil {
		return nil, badPlayer.of(err, text)
	}
	if player.IsHuman(p) && text != human {
		return nil, badPlayer.because("a person is called human", text)
	}
	return p, nil
}
