// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/spec"
)

// newGame makes a game from the arguments of its spec.
type newGame func(s *spec.Spec) (game.Game, error)

var games = []Entry[newGame]{
	{"mnk", "k in a row on M columns and N rows", "", fixed(
		side("m", 7).At(1).Bare("M").Required(), side("n", 6).At(2).Bare("N").Required(), side("k", 4).At(3).Bare("K").Required(),
	), func(s *spec.Spec) (game.Game, error) {
		if !s.Given("m") || !s.Given("n") || !s.Given("k") {
			s.Fail("mnk needs columns, rows and the length of a row, as in mnk:7,6,4")
		}
		return mnk.MNK(s.Int("m"), s.Int("n"), s.Int("k"))
	}},
	{"tictactoe", "three in a row on a square board", "", fixed(size(3), side("k", 3).At(2), exact), func(s *spec.Spec) (game.Game, error) {
		return exactly(s)(mnk.TicTacToe(s.Int("size"), s.Int("k")))
	}},
	{"gomoku", "five or more in a row, free style", "", fixed(rectangle, five), family("gomoku", mnk.Rules{})},
	{"standard", "gomoku in which exactly five win", "", fixed(rectangle, five), family("standard", mnk.Rules{Exact: [2]bool{true, true}})},
	{"caro", "five or more in a row, not between two enemy stones", "Gomocup rules 8 and 9", fixed(rectangle, five, exact), func(s *spec.Spec) (game.Game, error) {
		return family("caro", mnk.Rules{Blocked: true, Exact: [2]bool{s.Bool("exact"), s.Bool("exact")}})(s)
	}},
	{"renju", "gomoku with points forbidden to the first side", "Renju International Federation", fixed(rectangle), func(s *spec.Spec) (game.Game, error) {
		return renju.NewRect(sidesOf(s))
	}},
	{"pente", "five in a row or five captured pairs", "", fixed(size(19), spec.Choice("rule", "plain", "keryo"), spec.Choice("opening", "free", "pro", "long")), func(s *spec.Spec) (game.Game, error) {
		distance := map[string]int{"pro": 3, "long": 4}[s.String("opening")]
		return mnk.PenteBy(s.Int("size"), s.String("rule") == "keryo", distance)
	}},
	{"connect4", "stones fall; four in a row", "", fixed(spec.Sides("size", "WxH", "7x6", game.MaxSide).At(1).Bare("WxH"), side("k", 4).At(2), exact), connect4},
	{"connect6", "six in a row, two stones a turn after the first", "Wu and Huang 2005", fixed(
		spec.Sides("size", "S|WxH", "19x19", game.MaxSide).At(1).Bare("S|WxH"), side("k", 6).At(2), stones("turn", 2), stones("first", 1),
	), func(s *spec.Spec) (game.Game, error) {
		m, n := sidesOf(s)
		return mnk.Connect(m, n, s.Int("k"), s.Int("turn"), s.Int("first"))
	}},
	{"ultimate", "tic-tac-toe on nine boards of tic-tac-toe", "", fixed(
		spec.Choice("draw", "plain", "boards").At(1), spec.Choice("won", "closed", "open").At(2),
	), func(s *spec.Spec) (game.Game, error) {
		r := ultimate.Rules{Open: s.String("won") == "open"}
		if s.String("draw") == "boards" {
			r.Draw = ultimate.Boards
		}
		return ultimate.New(r), nil
	}},
	{"atarigo", "the first side to capture stones wins", "", fixed(size(9)), func(s *spec.Spec) (game.Game, error) { return atarigo.New(s.Int("size")) }},
}

// These options occur in the specs of several games.
var (
	exact     = spec.Switch("exact", false)
	five      = side("k", 5).At(2)
	rectangle = spec.Sides("size", "S|WxH", "15x15", game.MaxSide).At(1).Bare("S|WxH")
)

func side(key string, usual int) spec.Option { return spec.Whole(key, usual, 1, game.MaxSide) }

// stones is the option for the number of stones of a turn.
func stones(key string, usual int) spec.Option { return spec.Whole(key, usual, 1, 99) }

func size(usual int) spec.Option { return side("size", usual).At(1).Bare("S") }

// Game returns the game that a spec names.
func Game(text string) (game.Game, error) {
	return build(request{kind: "game", text: text}, games, func(f newGame, s *spec.Spec) (game.Game, error) { return f(s) })
}

// sizes contains, for each game, the specs for which the page has a button. The first spec is the default.
var sizes = map[string][]string{
	"mnk":       {"mnk:7,6,4", "mnk:3,3,3", "mnk:4,4,4", "mnk:5,5,4", "mnk:6,6,4", "mnk:8,8,5"},
	"tictactoe": {"tictactoe", "tictactoe:4,k=4", "tictactoe:5,k=4"},
	"gomoku":    {"gomoku", "gomoku:19", "gomoku:20", "gomoku:9"},
	"standard":  {"standard", "standard:19"},
	"caro":      {"caro", "caro:20"},
	"pente":     {"pente", "pente:13", "pente:rule=keryo", "pente:opening=pro", "pente:opening=long"},
	"connect4":  {"connect4", "connect4:8x7", "connect4:9x7", "connect4:6x5"},
	"connect6":  {"connect6", "connect6:13"},
	"ultimate":  {"ultimate", "ultimate:draw=boards", "ultimate:won=open"},
	"atarigo":   {"atarigo", "atarigo:7"},
}

// Sizes returns the specs that a menu should offer for the game with this name. Users may also type other
// specs.
func Sizes(name string) []string {
	if all := sizes[name]; all != nil {
		return all
	}
	return []string{name}
}

// exactly returns a function that returns the given game or, if the spec has exact=on, the variant of this game in which longer
// rows do not win.
func exactly(s *spec.Spec) func(*mnk.Game, error) (game.Game, error) {
	return func(g *mnk.Game, err error) (game.Game, error) {
		if err == nil && s.Bool("exact") {
			g, err = g.Exactly()
		}
		return g, err
	}
}

// family makes a game of the gomoku family. The default is five in a row on 15 x 15.
func family(kind string, r mnk.Rules) newGame {
	return func(s *spec.Spec) (game.Game, error) {
		r := r
		r.Columns, r.Rows = sidesOf(s)
		r.K = s.Int("k")
		return mnk.Family(kind, r)
	}
}

// sidesOf reads the size of a board: 20 is a square, and 20x15 has 20 columns and 15 rows.
func sidesOf(s *spec.Spec) (int, int) {
	size := s.String("size")
	w, h, ok := strings.Cut(size, "x")
	if !ok {
		h = w
	}
	c, err := strconv.Atoi(w)
	r, err2 := strconv.Atoi(h)
	if err != nil || err2 != nil || min(c, r) < 1 || max(c, r) > game.MaxSide {
		s.Fail("%s: size must be a whole number from 1 to %d, or such as 20x15, not %q", s.Name, game.MaxSide, size)
		return 15, 15
	}
	return c, r
}

func connect4(s *spec.Spec) (game.Game, error) {
	size := s.String("size")
	w, h, ok := strings.Cut(size, "x")
	columns, err1 := strconv.Atoi(w)
	rows, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil {
		s.Fail("connect4: size must be WIDTHxHEIGHT such as 8x7, not %q", size)
		columns, rows = 7, 6
	}
	return exactly(s)(mnk.Connect4(columns, rows, s.Int("k")))
}
