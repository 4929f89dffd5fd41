// SPDX-License-Identifier: Apache-2.0

package web

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"

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
		return nil, err
	}
	b, ok := g.Start().(game.Board)
	if !ok {
		return nil, fmt.Errorf("%s has no board to draw", g)
	}
	if len(b.Cells()) > maxCells {
		return nil, fmt.Errorf("%s: a board here has at most %d cells", g, maxCells)
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
			return nil, err
		}
	}
	if err := notation.Play(p, moves); err != nil {
		return nil, err
	}
	return p.(game.Board), nil
}

// private are arguments that no request may give: they read files, run programs or take memory.
var private = regexp.MustCompile(`\b(program|weights|net|data|hash|memory|tt|threads|jobs)\b|[0-9]{7}`)

// public returns an error for a spec that a request may not ask for.
func public(text string) error {
	if bad := private.FindString(text); bad != "" {
		return fmt.Errorf("%q: %q cannot be asked for here", text, bad)
	}
	return nil
}

const human = "human"

// playerOf returns the player of a spec from a request.
func playerOf(g game.Game, text string, seed uint64) (player.Player, error) {
	if err := public(text); err != nil {
		return nil, err
	}
	p, err := catalog.Player(g, text, seed)
	if err == nil {
		if _, ok := p.(player.Human); ok && text != human {
			return nil, errors.New("a person is called human")
		}
	}
	return p, err
}

// wrong is the answer to a request that cannot be meant.
func wrong(err error) error { return huma.Error422UnprocessableEntity(oneLine(err.Error())) }

// oneLine returns s in one line, cut where it is long: it may quote what was sent.
func oneLine(s string) string {
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "?")
	if r := []rune(s); len(r) > 400 {
		s = string(r[:300]) + "..." + string(r[len(r)-100:])
	}
	return s
}
