// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"time"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
)

// Family is a game as it is offered: its name, and specs of sizes worth playing.
type Family struct {
	Name  string   `json:"name"`
	Usage string   `json:"usage" doc:"the name and its arguments"`
	Doc   string   `json:"doc"`
	Specs []string `json:"specs" nullable:"false" doc:"specs to choose from, the usual one first"`
	Look  string   `json:"look" enum:"points,squares,falling,nested"`
}

// offers are the specs of each game that are worth a button. Any other spec may be typed.
var offers = map[string][]string{
	"mnk":       {"mnk:7,6,4", "mnk:3,3,3", "mnk:4,4,4", "mnk:5,5,4", "mnk:6,6,4", "mnk:8,8,5"},
	"tictactoe": {"tictactoe", "tictactoe:4,k=4", "tictactoe:5,k=4"},
	"gomoku":    {"gomoku", "gomoku:19", "gomoku:20", "gomoku:9"},
	"standard":  {"standard", "standard:19"},
	"caro":      {"caro", "caro:20"},
	"renju":     {"renju"},
	"pente":     {"pente", "pente:13"},
	"connect4":  {"connect4", "connect4:8x7", "connect4:9x7", "connect4:6x5"},
	"connect6":  {"connect6", "connect6:13"},
	"ultimate":  {"ultimate", "ultimate:draw=boards", "ultimate:won=open"},
	"atarigo":   {"atarigo", "atarigo:7"},
}

// families lists the games of the catalog. One that is not in offers is offered as it is, if that is a spec.
func families() []Family {
	var all []Family
	for _, item := range catalog.List("games") {
		specs := offers[item.Name]
		if specs == nil {
			specs = []string{item.Name}
		}
		g, err := gameOf(specs[0])
		if err != nil {
			continue
		}
		all = append(all, Family{item.Name, item.Usage, item.Doc, specs, diagram.Look(g.Start().(game.Board))})
	}
	return all
}

// Opponent is a player of a certain strength, which has a name of its own.
type Opponent struct {
	Name    string `json:"name" doc:"what the page calls it; the texts of the page explain it"`
	Player  string `json:"player" doc:"its spec"`
	System  string `json:"system,omitempty" doc:"the published system that it is: A to E"`
	Doc     string `json:"doc"`
	Analyst bool   `json:"analyst,omitempty" doc:"says what it thinks of a position"`
}

// opponents are offered from the weakest to the strongest, as far as they play a game. Strength is by experience,
// not by measurement, in the middle.
var opponents = []Opponent{
	{Name: "random", Player: "random", Doc: "any move that no rule forbids"},
	{Name: "glance", Player: "greedy", Doc: "the move that looks best one ply ahead"},
	{Name: "rules", Player: "rules", Doc: "win, block, fork, prevent a fork, most lines"},
	{Name: "shevchenko", Player: "alphabeta:depth=2,eval=shevchenko", Doc: "own threats only, two plies"},
	{Name: "indicators", Player: "minimax:depth=4,eval=indicators", System: "B", Doc: "indicators of moves, looked at four plies deep"},
	{Name: "chua", Player: "alphabeta:depth=4,eval=chua", System: "E", Doc: "threats of both sides alike, four plies"},
	{Name: "threats", Player: "alphabeta:depth=4,eval=generic", System: "A", Doc: "threats weighed by size and room, four plies"},
	{Name: "lines", Player: "lines", System: "C", Doc: "lines that one side holds alone, as deep as the position allows"},
	{Name: "mics", Player: "mics:time=1s", System: "D", Doc: "the best cells by missing stones, one second"},
	{Name: "level", Player: "ultimate:level=2", Doc: "the second of the engine's ten grades"},
	{Name: "level", Player: "ultimate:level=4", Doc: "the fourth of ten grades"},
	{Name: "level", Player: "ultimate:level=6", Doc: "the sixth of ten grades"},
	{Name: "level", Player: "ultimate:level=8", Doc: "the eighth of ten grades"},
	{Name: "swift", Player: "best:time=100ms", Doc: "the strongest there is, a tenth of a second"},
	{Name: "best", Player: "best:time=1s", Doc: "the strongest there is, one second"},
	{Name: "patient", Player: "best:time=5s", Doc: "the strongest there is, five seconds"},
}

// longestMove is how long a player may think that sets itself no limit, or a longer one.
const longestMove = 10 * time.Second

// opponentsOf lists the opponents that can play g.
func opponentsOf(g game.Game) []Opponent {
	all := []Opponent{}
	for _, o := range opponents {
		p, err := catalog.Player(g, o.Player, 1)
		if err != nil || player.IsHuman(p) {
			continue
		}
		_, o.Analyst = p.(player.Analyst)
		player.Close(p)
		all = append(all, o)
	}
	return all
}

// Listing is everything that has a name.
type Listing struct {
	Version    string         `json:"version"`
	Games      []Family       `json:"games" nullable:"false"`
	Players    []catalog.Item `json:"players" nullable:"false"`
	Heuristics []catalog.Item `json:"heuristics" nullable:"false"`
	Learners   []catalog.Item `json:"learners" nullable:"false"`
}

type listingOutput struct{ Body Listing }

func (s *Server) listing(context.Context, *struct{}) (*listingOutput, error) {
	return &listingOutput{Listing{
		s.o.Version, families(), catalog.List("players"), catalog.List("heuristics"), catalog.List("learners"),
	}}, nil
}

type opponentsInput struct {
	Game string `query:"game" required:"true" maxLength:"100" example:"gomoku"`
}

type opponentsOutput struct {
	Body struct {
		Opponents []Opponent `json:"opponents" nullable:"false" doc:"from the weakest to the strongest, then what was learned"`
	}
}

func (s *Server) opponents(_ context.Context, in *opponentsInput) (*opponentsOutput, error) {
	g, err := gameOf(in.Game)
	if err != nil {
		return nil, err
	}
	out := &opponentsOutput{}
	out.Body.Opponents = append(opponentsOf(g), s.learnedOf(g)...)
	return out, nil
}

type boardOutput struct{ Body diagram.Board }

func (s *Server) position(_ context.Context, in *Place) (*boardOutput, error) {
	if err := in.find(); err != nil {
		return nil, err
	}
	v := diagram.New(in.position)
	v.Played = notation.MoveNames(in.position.Game(), in.position.AppendHistory(nil))
	return &boardOutput{v}, nil
}
