// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/spec"
)

// newGame makes a game of its arguments.
type newGame func(s *spec.Spec) (game.Game, error)

var games = []Entry[newGame]{
	{"mnk", ":M,N,K", "k in a row on M columns and N rows", "", func(s *spec.Spec) (game.Game, error) {
		m := side(s, "m", 0, 3)
		n := side(s, "n", 1, m)
		return mnk.MNK(m, n, s.Int("k", 2, 3, 1, game.MaxSide))
	}},
	{"tictactoe", "[:S,k=K][,exact=on]", "three in a row on a square board", "", func(s *spec.Spec) (game.Game, error) {
		return exactly(s)(mnk.TicTacToe(side(s, "size", 0, 3), s.Int("k", 1, 3, 1, game.MaxSide)))
	}},
	{"gomoku", "[:S|WxH][,k=K]", "five or more in a row, free style", "", family("gomoku", mnk.Rules{})},
	{"standard", "[:S|WxH][,k=K]", "gomoku in which exactly five win", "", family("standard", mnk.Rules{Exact: [2]bool{true, true}})},
	{"caro", "[:S|WxH][,k=K][,exact=on]", "five or more in a row, not between two enemy stones", "Gomocup rules 8 and 9", func(s *spec.Spec) (game.Game, error) {
		exact := s.Bool("exact", -1, false)
		return family("caro", mnk.Rules{Blocked: true, Exact: [2]bool{exact, exact}})(s)
	}},
	{"renju", "[:S|WxH]", "gomoku with points forbidden to the first side", "Renju International Federation", func(s *spec.Spec) (game.Game, error) {
		return renju.NewRect(rectangle(s, 15, 15))
	}},
	{"pente", "[:S]", "five in a row or five captured pairs", "", square(mnk.Pente, 19)},
	{"connect4", "[:WxH][,k=K][,exact=on]", "stones fall; four in a row", "", connect4},
	{"connect6", "[:S]", "six in a row, two stones a turn after the first", "Wu and Huang 2005", square(mnk.Connect6, 19)},
	{"ultimate", "[:draw=plain|boards][,won=closed|open]", "tic-tac-toe on nine boards of tic-tac-toe", "", func(s *spec.Spec) (game.Game, error) {
		r := ultimate.Rules{Open: s.Choice("won", 1, "closed", "closed", "open") == "open"}
		if s.Choice("draw", 0, "plain", "plain", "boards") == "boards" {
			r.Draw = ultimate.Boards
		}
		return ultimate.New(r), nil
	}},
	{"atarigo", "[:S]", "the first side to capture stones wins", "", func(s *spec.Spec) (game.Game, error) {
		return atarigo.New(side(s, "size", 0, 9))
	}},
}

// Game returns the game that a spec names.
func Game(text string) (game.Game, error) {
	return build("game", text, false, games, func(f newGame, s *spec.Spec) (game.Game, error) { return f(s) })
}

// sizes are the specs of each game that are worth a button, the usual one first.
var sizes = map[string][]string{
	"mnk":       {"mnk:7,6,4", "mnk:3,3,3", "mnk:4,4,4", "mnk:5,5,4", "mnk:6,6,4", "mnk:8,8,5"},
	"tictactoe": {"tictactoe", "tictactoe:4,k=4", "tictactoe:5,k=4"},
	"gomoku":    {"gomoku", "gomoku:19", "gomoku:20", "gomoku:9"},
	"standard":  {"standard", "standard:19"},
	"caro":      {"caro", "caro:20"},
	"pente":     {"pente", "pente:13"},
	"connect4":  {"connect4", "connect4:8x7", "connect4:9x7", "connect4:6x5"},
	"connect6":  {"connect6", "connect6:13"},
	"ultimate":  {"ultimate", "ultimate:draw=boards", "ultimate:won=open"},
	"atarigo":   {"atarigo", "atarigo:7"},
}

// Sizes returns the specs to offer of the game of that name. Any other spec may be typed.
func Sizes(name string) []string {
	if all := sizes[name]; all != nil {
		return all
	}
	return []string{name}
}

// exactly returns what a maker returned, without wins by longer rows where the spec says so.
func exactly(s *spec.Spec) func(*mnk.Game, error) (game.Game, error) {
	return func(g *mnk.Game, err error) (game.Game, error) {
		if err == nil && s.Bool("exact", -1, false) {
			g, err = g.Exactly()
		}
		return g, err
	}
}

func side(s *spec.Spec, key string, pos, def int) int { return s.Int(key, pos, def, 1, game.MaxSide) }

func square(f func(int) (*mnk.Game, error), usual int) newGame {
	return func(s *spec.Spec) (game.Game, error) { return f(side(s, "size", 0, usual)) }
}

// family makes a game of the gomoku family: five in a row on 15 x 15, unless the spec says otherwise.
func family(kind string, r mnk.Rules) newGame {
	return func(s *spec.Spec) (game.Game, error) {
		r := r
		r.Columns, r.Rows = rectangle(s, 15, 15)
		r.K = s.Int("k", 1, 5, 1, game.MaxSide)
		return mnk.Family(kind, r)
	}
}

// rectangle reads the size of a board: 20 is a square, and 20x15 has 20 columns and 15 rows.
func rectangle(s *spec.Spec, columns, rows int) (int, int) {
	size := s.String("size", 0, fmt.Sprintf("%dx%d", columns, rows))
	s.Sides("size", 1, game.MaxSide)
	w, h, ok := strings.Cut(size, "x")
	if !ok {
		h = w
	}
	c, err := strconv.Atoi(w)
	r, err2 := strconv.Atoi(h)
	if err != nil || err2 != nil || min(c, r) < 1 || max(c, r) > game.MaxSide {
		s.Fail("%s: size must be a whole number from 1 to %d, or such as 20x15, not %q", s.Name, game.MaxSide, size)
		return columns, rows
	}
	return c, r
}

func connect4(s *spec.Spec) (game.Game, error) {
	size := s.String("size", 0, "7x6")
	s.Sides("size", 1, game.MaxSide)
	k := s.Int("k", 1, 4, 1, game.MaxSide)
	w, h, ok := strings.Cut(size, "x")
	columns, err1 := strconv.Atoi(w)
	rows, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil {
		s.Fail("connect4: size must be WIDTHxHEIGHT such as 8x7, not %q", size)
		columns, rows = 7, 6
	}
	return exactly(s)(mnk.Connect4(columns, rows, k))
}
