// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// Family is a game as it is offered: its name, and specs of sizes worth playing.
type Family struct {
	Name  string   `json:"name"`
	Usage string   `json:"usage" doc:"the name and its arguments"`
	Doc   string   `json:"doc"`
	Specs []string `json:"specs" nullable:"false" doc:"specs to choose from, the usual one first"`
	Look  string   `json:"look" enum:"points,squares,falling,nested"`

	Solver bool `json:"solver,omitempty" doc:"its positions can be solved"`
}

// families lists the games of the catalog that are served.
func families() []Family {
	var all []Family
	for _, item := range catalog.List("games") {
		specs := catalog.Sizes(item.Name)
		g, err := gameOf(specs[0])
		if err != nil {
			continue
		}
		all = append(all, Family{item.Name, item.Usage, item.Doc, specs, diagram.Look(g.Start().(game.Board)), solve.Knows(g)})
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
		Opponents []catalog.Opponent `json:"opponents" nullable:"false" doc:"from the weakest to the strongest, then what was learned"`
	}
}

func (s *Server) opponents(_ context.Context, in *opponentsInput) (*opponentsOutput, error) {
	g, err := gameOf(in.Game)
	if err != nil {
		return nil, err
	}
	out := &opponentsOutput{}
	out.Body.Opponents = append(catalog.Opponents(g), s.learnedOf(g)...)
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
