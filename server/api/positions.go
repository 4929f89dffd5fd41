// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"fmt"
	"slices"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
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

func (p *Place) find() (err error) {
	p.position, err = position(p.Game, p.Start, p.Moves)
	return err
}

func gameOf(text string) (game.Game, error) {
	g, err := krow.Game(text)
	if err != nil {
		return nil, badGame.wrap(err, text)
	}
	b, ok := g.Start().(game.Board)
	if !ok {
		return nil, badGame.with(fmt.Sprintf("%s has no board to draw", g), text)
	}
	if len(b.Cells()) > maxCells {
		return nil, badGame.with(fmt.Sprintf("%s: a board here has at most %d cells", g, maxCells), text)
	}
	return g, nil
}

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
			return nil, badStart.wrap(err, "")
		}
	}
	if err := notation.Play(p, moves); err != nil {
		return nil, badMove.wrap(err, "")
	}
	return p.(game.Board), nil
}

const human = "human"

func playerOf(g game.Game, text string, seed uint64) (player.Player, error) {
	p, err := krow.PlayerBy(spec.Untrusted, g, text, seed)
	if err != nil {
		return nil, badPlayer.wrap(err, text)
	}
	if player.IsHuman(p) && text != human {
		return nil, badPlayer.with("a person is called human", text)
	}
	return p, nil
}

type overlayInput struct {
	Place
	Heuristic string `query:"heuristic" maxLength:"100" example:"mics" doc:"spec of a heuristic that values moves; empty for none"`
}

func (s *Server) overlay(ctx context.Context, in *overlayInput) (diagram.Overlay, error) {
	if err := in.find(); err != nil {
		return diagram.Overlay{}, err
	}
	if err := s.fair(ctx, in.position); err != nil {
		return diagram.Overlay{}, err
	}
	var scorer eval.MoveScorer
	if in.Heuristic != "" && in.position.Outcome() == game.Ongoing {
		var err error
		if scorer, err = krow.ScorerBy(spec.Untrusted, in.position.Game(), in.Heuristic); err != nil {
			return diagram.Overlay{}, badHeuristic.wrap(err, in.Heuristic)
		}
	}
	return diagram.NewOverlay(in.position, scorer), nil
}

type lineInput struct {
	Place
	Line  string `query:"line" maxLength:"40000" example:"i9 g7" doc:"moves that go on from there"`
	Makes bool   `query:"makes" doc:"tell what each move makes; of the first 40"`
}

type lineOutputBody struct {
	Steps []diagram.Step `json:"steps" nullable:"false"`
}

// maxMakes is how many moves of a line are looked at.
const maxMakes = 40

// line returns the cells of the moves of a line, their sides and their threats.
func (s *Server) line(ctx context.Context, in *lineInput) (out lineOutputBody, err error) {
	if err := in.find(); err != nil {
		return out, err
	}
	few := 0
	if in.Makes {
		few = maxMakes
	}
	if out.Steps, err = diagram.Line(ctx, in.position, in.Line, few); err != nil {
		return out, badMove.wrap(err, "")
	}
	return out, nil
}

// Family is a game as it is offered: its name, and specs of sizes worth playing.
type Family struct {
	Name  string   `json:"name"`
	Usage string   `json:"usage" doc:"the name and its arguments"`
	Doc   string   `json:"doc"`
	Specs []string `json:"specs" nullable:"false" doc:"specs to choose from, the usual one first"`
	Look  string   `json:"look" enum:"points,squares,falling,nested"`

	Solver  bool          `json:"solver,omitempty" doc:"its positions can be solved"`
	Options []spec.Option `json:"options" nullable:"false" doc:"what its spec says, in order"`
}

func families() []Family {
	var all []Family
	for _, item := range krow.List("games") {
		specs := krow.Sizes(item.Name)
		g, err := gameOf(specs[0])
		if err != nil {
			continue
		}
		all = append(all, Family{item.Name, item.Usage, item.Doc, specs, diagram.Look(g.Start().(game.Board)), solve.Knows(g), krow.GameOptions(item.Name)})
	}
	return all
}

// Listing is everything that has a name.
type Listing struct {
	Version    string      `json:"version"`
	Games      []Family    `json:"games" nullable:"false"`
	Players    []krow.Item `json:"players" nullable:"false"`
	Heuristics []krow.Item `json:"heuristics" nullable:"false"`
	Learners   []krow.Item `json:"learners" nullable:"false"`
}

func (s *Server) listing(context.Context, *struct{}) (Listing, error) {
	return Listing{s.o.Version, families(), krow.List("players"), krow.List("heuristics"), krow.List("learners")}, nil
}

type heuristicsOutputBody struct {
	Heuristics []string `json:"heuristics" nullable:"false" doc:"specs, none first"`
}

func (s *Server) heuristics(_ context.Context, in *opponentsInput) (out heuristicsOutputBody, err error) {
	g, err := gameOf(in.Game)
	if err != nil {
		return out, err
	}
	out.Heuristics = []string{}
	for _, item := range krow.List("heuristics") {
		if _, err := krow.EvaluatorBy(spec.Untrusted, g, item.Name); err == nil {
			out.Heuristics = append(out.Heuristics, item.Name)
		}
	}
	return out, nil
}

type learnersOutputBody struct {
	Learners []krow.LearnerForm `json:"learners" nullable:"false"`
}

func (s *Server) learners(_ context.Context, in *opponentsInput) (out learnersOutputBody, err error) {
	g, err := gameOf(in.Game)
	if err != nil {
		return out, err
	}
	out.Learners = krow.LearnersOf(g)
	return out, nil
}

type opponentsInput struct {
	Game string `query:"game" required:"true" maxLength:"100" example:"gomoku"`
}

type opponentsOutputBody struct {
	Opponents []krow.Opponent `json:"opponents" nullable:"false" doc:"from the weakest to the strongest, then what was learned"`
}

func (s *Server) opponents(ctx context.Context, in *opponentsInput) (out opponentsOutputBody, err error) {
	g, err := gameOf(in.Game)
	if err != nil {
		return out, err
	}
	out.Opponents = slices.Concat(krow.Opponents(g), s.learnedOf(ctx, g), s.published())
	return out, nil
}

func (s *Server) position(_ context.Context, in *Place) (diagram.Board, error) {
	if err := in.find(); err != nil {
		return diagram.Board{}, err
	}
	v := diagram.New(in.position)
	v.Played = notation.MoveNames(in.position.Game(), in.position.AppendHistory(nil))
	return v, nil
}
