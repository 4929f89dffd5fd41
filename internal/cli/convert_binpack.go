// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/binpack"
	"github.com/krow-lab/krow/record"
)

// binpackWords are the names of the games by the rules that binpack knows.
var binpackWords = map[string]binpack.Rule{
	"gomoku": binpack.Freestyle, "standard": binpack.Standard, "renju": binpack.Renju, "caro": binpack.Caro,
}

func readBinpack(data []byte, name, text string) ([]converted, error) {
	all, err := binpack.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var games []converted
	for i, g := range all {
		c, err := fromBinpack(g, text)
		if err != nil {
			return nil, fmt.Errorf("%s: game %d: %w", name, i+1, err)
		}
		games = append(games, c)
	}
	return games, nil
}

// fromBinpack keeps the moves that were played, and no scores.
func fromBinpack(g binpack.Game, text string) (converted, error) {
	named := ""
	for word, rule := range binpackWords {
		if rule == g.Rule {
			named = word
		}
	}
	b, err := startOf(text, named, g.Side, g.Side)
	if err != nil {
		return converted{}, err
	}
	cells := g.Opening
	for _, ply := range g.Plies {
		cells = append(cells, ply[0].Cell)
	}
	me := game.Side(len(g.Opening) % 2)
	for _, cell := range cells {
		if err := playCell(b, cell); err != nil {
			return converted{}, err
		}
	}
	c := converted{position: b, moves: b.AppendHistory(nil), opening: len(g.Opening)}
	switch g.Result {
	case binpack.Won:
		return c, c.finish(game.WinFor(me), reasonForfeit)
	case binpack.Lost:
		return c, c.finish(game.WinFor(me.Other()), reasonForfeit)
	}
	return c, c.finish(game.Draw, record.ReasonDraw)
}

func writeBinpack(games []converted) ([]byte, error) {
	var out []byte
	for i, c := range games {
		g, err := c.binpack()
		if err == nil {
			out, err = binpack.Append(out, g)
		}
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	return out, nil
}

func (c *converted) binpack() (g binpack.Game, err error) {
	name, _, _ := strings.Cut(c.position.Game().String(), ":")
	rule, ok := binpackWords[name]
	columns, rows := c.position.Size()
	switch {
	case !ok || columns != rows:
		return g, fmt.Errorf("binpack holds gomoku, standard, renju and caro on square boards, not %s", c.position.Game())
	case len(c.moves) != c.position.Ply():
		return g, errors.New("binpack holds games from the start")
	case c.outcome == game.Ongoing:
		return g, errors.New("the game is not finished, and binpack holds those that are")
	}
	g = binpack.Game{Side: columns, Rule: rule, Result: binpack.Drawn}
	if w, won := c.outcome.Winner(); won {
		g.Result = binpack.Lost
		if int(w) == c.opening%2 {
			g.Result = binpack.Won
		}
	}
	for i, m := range c.moves {
		cell := c.position.Cell(m)
		if i < c.opening {
			g.Opening = append(g.Opening, cell)
			continue
		}
		g.Plies = append(g.Plies, []binpack.Move{{Cell: cell}})
	}
	return g, nil
}
