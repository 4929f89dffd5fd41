// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"fmt"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/chua"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/lines"
	"github.com/krow-lab/krow/eval/mics"
	"github.com/krow-lab/krow/eval/shevchenko"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
)

// newHeuristic makes a heuristic for a game. Many are an eval.MoveScorer too.
type newHeuristic func(g game.Game, s *spec.Spec) (eval.Evaluator, error)

var heuristics = []Entry[newHeuristic]{
	{"none", "", "nothing: only finished games count", "", func(game.Game, *spec.Spec) (eval.Evaluator, error) { return eval.None{}, nil }},
	{"generic", "[:weights=FILE]", "threats of both sides, with fixed (brute) or learned weights", "Abdoulaye, Houndji, Ezin and Aglin 2018", newGeneric},
	{"shevchenko", "[:closed=on|off][,variant=paper|note]", "own threats only", "Shevchenko 2016", func(g game.Game, s *spec.Spec) (eval.Evaluator, error) {
		o := shevchenko.Options{Closed: s.Bool("closed", -1, true), Note: s.Choice("variant", -1, "paper", "paper", "note") == "note"}
		return evaluator(shevchenko.New(g, o))
	}},
	{"chua", "", "threats of both sides alike", "Chua Hock Chuan 2017", func(g game.Game, _ *spec.Spec) (eval.Evaluator, error) { return evaluator(chua.New(g)) }},
	{"lines", "[:empty=zero|literal]", "stones on the lines that one side holds alone", "Li, Nguyen, Talasila and Zhang", func(g game.Game, s *spec.Spec) (eval.Evaluator, error) {
		return evaluator(lines.New(g, lines.Options{Literal: s.Choice("empty", -1, "zero", "zero", "literal") == "literal"}))
	}},
	{"mics", "", "windows of k cells: fewest missing stones, wins and forks", "Huang and Spadaccini 2022", func(g game.Game, _ *spec.Spec) (eval.Evaluator, error) {
		return evaluator(mics.New(g, mics.Options{}))
	}},
	{"indicators", "[:weights=FILE][,block=on|off][,either=on|off][,ever=on|off][,path=on|off]", "weighted questions about the last move (ultimate)", "Eustache and Genuyt 2018", newIndicators},
}

// evaluator keeps a failed constructor's nil pointer from becoming a non-nil interface.
func evaluator[E eval.Evaluator](e E, err error) (eval.Evaluator, error) {
	if err != nil {
		return nil, err
	}
	return e, nil
}

func newGeneric(g game.Game, s *spec.Spec) (eval.Evaluator, error) {
	k, err := generic.K(g)
	if err != nil {
		return nil, err
	}
	w := generic.Fixed(k)
	if name := s.String("weights", -1, ""); name != "" {
		if w, _, err = generic.Load(name, k); err != nil {
			return nil, &fileError{"weights", err}
		}
	}
	return evaluator(generic.New(g, w))
}

func newIndicators(g game.Game, s *spec.Spec) (eval.Evaluator, error) {
	o := indicators.Options{Block: s.Bool("block", -1, false), Either: s.Bool("either", -1, false), Ever: s.Bool("ever", -1, false)}
	if name := s.String("weights", -1, ""); name != "" {
		var err error
		if o.Weights, _, err = indicators.Load(name); err != nil {
			return nil, &fileError{"weights", err}
		}
	}
	if s.Bool("path", -1, false) {
		return evaluator(indicators.NewPath(g, o))
	}
	return evaluator(indicators.New(g, o))
}

// Evaluator returns the heuristic that a spec names, for positions of g.
func Evaluator(g game.Game, text string) (eval.Evaluator, error) {
	e, s, err := find("heuristic", text, heuristics)
	if err != nil {
		return nil, err
	}
	ev, err := e.New(g, s)
	return finish(ev, err, s)
}

// Scorer returns the heuristic that a spec names as one that values moves.
func Scorer(g game.Game, text string) (eval.MoveScorer, error) {
	ev, err := Evaluator(g, text)
	if err != nil {
		return nil, err
	}
	if sc, ok := ev.(eval.MoveScorer); ok {
		return sc, nil
	}
	return nil, &spec.Error{Msg: fmt.Sprintf("%s values positions, not moves", text), Hint: "indicators, lines and mics value moves"}
}
