// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/docs/measurements"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/notation"
)

// OverlayInput requests the overlay of a position, with the values of a heuristic.
type OverlayInput struct {
	Place
	Heuristic string `query:"heuristic" maxLength:"100" example:"mics" doc:"spec of a heuristic that values moves; empty for none"`
}

// Overlay returns the threats, wins, forks and heuristic values of a position. It does not search.
func Overlay(ctx context.Context, in *OverlayInput) (diagram.Overlay, error) {
	if err := in.Find(); err != nil {
		return diagram.Overlay{}, err
	}
	var scorer eval.MoveScorer
	if in.Heuristic != "" && in.position.Outcome() == game.Ongoing {
		var err error
		if scorer, err = krow.ScorerBy(spec.Untrusted, in.position.Game(), in.Heuristic); err != nil {
			return diagram.Overlay{}, wrong("bad-heuristic", in.Heuristic, err)
		}
	}
	o := diagram.NewOverlay(in.position, scorer)
	o.Planned = krow.PlannedMove(in.position)
	return o, nil
}

// LineInput requests the steps of a line of moves from a position.
type LineInput struct {
	Place
	Line  string `query:"line" maxLength:"40000" example:"i9 g7" doc:"moves that continue from the position"`
	Makes bool   `query:"makes" doc:"whether to return the threats that each of the first 40 moves makes"`
}

// LineOutput contains the steps of a line.
type LineOutput struct {
	Steps []diagram.Step `json:"steps" nullable:"false"`
}

// maxMakes is the number of moves at the beginning of a line for which threats are computed.
const maxMakes = 40

// Line returns the cell and the side of each move of a line and, if the request asks for them, the threats of the first
// moves.
func Line(ctx context.Context, in *LineInput) (out LineOutput, err error) {
	if err := in.Find(); err != nil {
		return out, err
	}
	few := 0
	if in.Makes {
		few = maxMakes
	}
	if out.Steps, err = diagram.Line(ctx, in.position, in.Line, few); err != nil {
		return out, wrong("bad-move", "", err)
	}
	return out, nil
}

// Family is a kind of game in the page's list of games: its name, and the specs of recommended sizes.
type Family struct {
	Name  string   `json:"name"`
	Usage string   `json:"usage" doc:"the name and its arguments"`
	Doc   string   `json:"doc"`
	Specs []string `json:"specs" nullable:"false" doc:"specs to choose from, the most common first"`
	Look  string   `json:"look" enum:"points,squares,falling,nested"`

	Solver  bool          `json:"solver,omitempty" doc:"whether a solver can solve its positions"`
	Options []spec.Option `json:"options" nullable:"false" doc:"arguments of the spec, in order"`
}

func families() []Family {
	var all []Family
	for _, item := range krow.List("games") {
		specs := krow.Sizes(item.Name)
		g, err := GameOf(specs[0])
		if err != nil {
			continue
		}
		all = append(all, Family{item.Name, item.Usage, item.Doc, specs, diagram.Look(g.Start().(game.Board)), solve.Knows(g), krow.GameOptions(item.Name)})
	}
	return all
}

// Listing lists the games, players, heuristics and learning algorithms that krow offers.
type Listing struct {
	Version    string      `json:"version"`
	Games      []Family    `json:"games" nullable:"false"`
	Players    []krow.Item `json:"players" nullable:"false"`
	Heuristics []krow.Item `json:"heuristics" nullable:"false"`
	Learners   []krow.Item `json:"learners" nullable:"false"`
}

// Catalog returns the Listing with an empty Version, which the server sets afterwards.
func Catalog(context.Context, *struct{}) (Listing, error) {
	return Listing{"", families(), krow.List("players"), krow.List("heuristics"), krow.List("learners")}, nil
}

// HeuristicsOutput lists heuristics.
type HeuristicsOutput struct {
	Heuristics []string `json:"heuristics" nullable:"false" doc:"specs of the heuristics; the first is none"`
}

// Heuristics lists the heuristics that value positions of a game.
func Heuristics(_ context.Context, in *GameInput) (out HeuristicsOutput, err error) {
	g, err := GameOf(in.Game)
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

// LearnersOutput lists learning algorithms.
type LearnersOutput struct {
	Learners []krow.LearnerForm `json:"learners" nullable:"false"`
}

// Learners lists the learning algorithms that can be used for a game.
func Learners(_ context.Context, in *GameInput) (out LearnersOutput, err error) {
	g, err := GameOf(in.Game)
	if err != nil {
		return out, err
	}
	out.Learners = krow.LearnersOf(g)
	return out, nil
}

// GameInput names a game.
type GameInput struct {
	Game string `query:"game" required:"true" maxLength:"100" example:"gomoku"`
}

// OpponentsOutput lists players of a game.
type OpponentsOutput struct {
	Opponents []krow.Opponent `json:"opponents" nullable:"false" doc:"the opponents from the weakest to the strongest, then learned players"`
}

// Opponents lists the players of a game that come with krow.
func Opponents(_ context.Context, in *GameInput) (out OpponentsOutput, err error) {
	g, err := GameOf(in.Game)
	if err != nil {
		return out, err
	}
	out.Opponents = krow.Opponents(g)
	return out, nil
}

// Position returns the data for drawing a position.
func Position(_ context.Context, in *Place) (diagram.Board, error) {
	if err := in.Find(); err != nil {
		return diagram.Board{}, err
	}
	v := diagram.New(in.position)
	v.Played = notation.MoveNames(in.position.Game(), in.position.AppendHistory(nil))
	return v, nil
}

// ValueItem is a proved value in a list.
type ValueItem struct {
	measurements.Value
	Published string `json:"published,omitempty" doc:"first publication of the value, as far as we know"`
}

// ValuesOutput lists proved values.
type ValuesOutput struct {
	Values []ValueItem `json:"values" nullable:"false"`
}

// Values lists the proved values that are built into krow.
func Values(context.Context, *struct{}) (out ValuesOutput, err error) {
	out.Values = []ValueItem{}
	for _, v := range measurements.Values() {
		out.Values = append(out.Values, ValueItem{v, v.Published()})
	}
	return out, nil
}
