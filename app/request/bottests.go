// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"fmt"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/search"
)

// Tested is a test from the source of a bot, and its result.
type Tested struct {
	bot.Test
	Played string `json:"played,omitempty"`
	Passed bool   `json:"passed"`
	Error  string `json:"error,omitempty" doc:"why the bot did not play, or what is wrong with the test"`
}

// String returns a line with the game, the moves and the result, separated by tabs.
func (t Tested) String() string {
	line := fmt.Sprintf("%s\t%s\t", t.Game, t.Moves)
	switch {
	case t.Passed:
		return line + "plays " + t.Played
	case t.Error != "":
		return line + "FAILED: " + t.Error
	}
	return line + fmt.Sprintf("FAILED: plays %s, not %s", t.Played, strings.Join(t.Want, " or "))
}

// maxTests is the maximum number of tests that a bot may have.
const maxTests = 100

// RunTests runs the tests that a program declares, each in a new game. It returns an error only if the program fails before
// it has declared its tests, if the program declares more than maxTests tests, or if ctx is done.
func RunTests(ctx context.Context, p bot.Program) ([]Tested, error) {
	all := []Tested{}
	if p.Kind != bot.Starlark {
		return all, nil
	}
	g, err := krow.Game("tictactoe") // the declared tests are the same for every game
	if err != nil {
		return all, err
	}
	d, err := bot.Declare(g, p)
	if err != nil {
		return all, err
	}
	if len(d.Tests) > maxTests {
		return all, fmt.Errorf("a bot can have at most %d tests, not %d", maxTests, len(d.Tests))
	}
	for _, t := range d.Tests {
		r := Tested{Test: t}
		m, err := runTest(ctx, p, t)
		switch {
		case ctx.Err() != nil:
			return all, ctx.Err()
		case err != nil:
			r.Error = err.Error()
		default:
			r.Played, r.Passed = m.played, m.passed
		}
		all = append(all, r)
	}
	return all, nil
}

type tested struct {
	played string
	passed bool
}

// runTest asks the bot for a move in the position of a test, and checks this move.
func runTest(ctx context.Context, p bot.Program, t bot.Test) (r tested, err error) {
	g, err := krow.Game(t.Game)
	if err != nil {
		return r, err
	}
	pos := g.Start()
	if err := notation.Play(pos, t.Moves); err != nil {
		return r, err
	}
	if pos.Outcome() != game.Ongoing {
		return r, game.ErrOver
	}
	wanted := map[game.Move]bool{}
	for _, text := range t.Want {
		m, err := g.Parse(text)
		if err != nil {
			return r, &notation.MoveError{Word: text, Err: err}
		}
		wanted[m] = true
	}
	b, err := bot.Open(g, p, bot.Options{Seed: 1})
	if err != nil {
		return r, err
	}
	defer player.Close(b)
	m, err := b.Move(ctx, pos, search.Limits{})
	if err != nil {
		return r, err
	}
	return tested{g.Format(m), wanted[m]}, nil
}
