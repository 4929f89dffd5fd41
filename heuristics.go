// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"cmp"
	"fmt"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/chua"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/lines"
	"github.com/krow-lab/krow/eval/mics"
	"github.com/krow-lab/krow/eval/plans"
	"github.com/krow-lab/krow/eval/shevchenko"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
)

// newHeuristic makes a heuristic for a game. Many heuristics also implement eval.MoveScorer.
type newHeuristic func(g game.Game, s *spec.Spec) (eval.Evaluator, error)

var heuristics = []Entry[newHeuristic]{
	{"none", "nothing: only finished games count", "", nil, func(game.Game, *spec.Spec) (eval.Evaluator, error) { return eval.None{}, nil }},
	{"generic", "threats of both sides, with weights learned on the nearest published board, or of a file", "Abdoulaye, Houndji, Ezin and Aglin 2018", fixed(weightsFile), newGeneric},
	{"brute", "threats of both sides, with fixed weights", "Aglin 2016", fixed(gap, capped), weighed(func(k int, _ *spec.Spec) generic.Weights { return generic.Fixed(k) })},
	{
		"shevchenko", "own threats only", "Shevchenko 2016", fixed(spec.Switch("closed", true), spec.Choice("variant", "paper", "note"), gap, capped),
		weighed(func(k int, s *spec.Spec) generic.Weights {
			return shevchenko.Weights(k, shevchenko.Options{Closed: s.Bool("closed"), Note: s.String("variant") == "note"})
		}),
	},
	{"chua", "threats of both sides alike", "Chua Hock Chuan 2017", fixed(gap, capped), weighed(func(k int, _ *spec.Spec) generic.Weights { return chua.Weights(k) })},
	{"lines", "stones on the lines that one side holds alone", "Li, Nguyen, Talasila and Zhang", fixed(empty), func(g game.Game, s *spec.Spec) (eval.Evaluator, error) {
		return newLinesEvaluator(g, s)
	}},
	{"mics", "windows of k cells: fewest missing stones, wins and forks", "Huang and Spadaccini 2022", fixed(multipliersFile), func(g game.Game, s *spec.Spec) (eval.Evaluator, error) {
		m, err := multipliers(s, mics.Default())
		if err != nil {
			return nil, err
		}
		return mics.New(g, m)
	}},
	{"plans", "what games from like threats came to, learned; without a file threats alone", "Abdoulaye 2017, perspectives", fixed(weightsFile), newPlansHeuristic},
	{
		"indicators", "weighted questions about the last move (ultimate)", "Eustache and Genuyt 2018",
		fixed(spec.File("weights", "", "bred", "hand", "signed"), change, block, either, ever, spec.Switch("path", false)), newIndicators,
	},
}

// These options occur in the specs of several heuristics, targets and learners.
var (
	weightsFile     = spec.File("weights", "")
	multipliersFile = spec.File("multipliers", "")
	empty           = spec.Choice("empty", "zero", "literal")
	gap             = spec.Choice("gap", "exact", "least").Says("How gaps in a line of stones are counted.")
	capped          = spec.Switch("cap", true).Says("Whether a line counts no more stones than a win needs.")
	block           = spec.Switch("block", false).Says("Whether the rating of a move counts that it blocks a row of the opponent.")
	either          = spec.Switch("either", false).Says("Whether the rating of a move counts that either side can win the next small board.")
	change          = spec.Word("change", "(INDICATOR=X,...)", "").Says("Weights of indicators in place of the given ones.")
	ever            = spec.Switch("ever", false).Says("Whether a side can win a small board as long as one row there has no enemy stone.")
)

func newLinesEvaluator(g game.Game, s *spec.Spec) (*lines.Evaluator, error) {
	return lines.New(g, lines.Options{Literal: s.String("empty") == "literal"})
}

// weighed makes a heuristic from weights, which depend on k, the length of a winning row.
func weighed(weights func(k int, s *spec.Spec) generic.Weights) newHeuristic {
	return func(g game.Game, s *spec.Spec) (eval.Evaluator, error) {
		k, err := generic.K(g)
		if err != nil {
			return nil, err
		}
		w := weights(k, s)
		w.Reading = threats(s)
		return generic.New(g, w)
	}
}

// threats reads the arguments that choose how threats are counted.
func threats(s *spec.Spec) threat.Reading {
	return threat.Reading{Least: s.String("gap") == "least", Uncapped: !s.Bool("cap")}
}

func newGeneric(g game.Game, s *spec.Spec) (eval.Evaluator, error) {
	k, err := generic.K(g)
	if err != nil {
		return nil, err
	}
	w, _, err := generic.Learned(g)
	if err != nil {
		return nil, err
	}
	if name := s.String("weights"); name != "" {
		if w, _, err = generic.Load(name, k); err != nil {
			return nil, &fileError{"weights", err}
		}
	}
	return generic.New(g, w)
}

// multipliers returns the multipliers of the heuristic mics. It reads them from the file that the argument names, or returns
// usual if the argument is not given.
func multipliers(s *spec.Spec, usual mics.Multipliers) (mics.Multipliers, error) {
	name := s.String("multipliers")
	if name == "" {
		return usual, nil
	}
	m, _, err := mics.Load(name)
	if err != nil {
		return m, &fileError{"multipliers", err}
	}
	return m, nil
}

func newPlansHeuristic(g game.Game, s *spec.Spec) (eval.Evaluator, error) {
	var t *plans.Table
	if name := s.String("weights"); name != "" {
		var err error
		if t, _, err = plans.Load(name, g); err != nil {
			return nil, &fileError{"weights", err}
		}
	}
	return plans.New(g, t)
}

// readings reads the arguments that choose between interpretations of the indicators.
func readings(s *spec.Spec) indicators.Options {
	return indicators.Options{Block: s.Bool("block"), Either: s.Bool("either"), Ever: s.Bool("ever")}
}

// newIndicators returns the heuristic of system B, the report of Eustache and Genuyt. Its default weights are the weights that
// the authors evolved. If an argument changes the interpretation of an indicator, the default weights are the hand-set weights,
// because the authors evolved the weights for the original indicators.
func newIndicators(g game.Game, s *spec.Spec) (eval.Evaluator, error) {
	o := readings(s)
	usual := "bred"
	if o != (indicators.Options{}) {
		usual = "hand"
	}
	switch name := cmp.Or(s.String("weights"), usual); name {
	case "bred":
		o.Weights = indicators.Bred()
	case "hand":
		o.Weights = indicators.Default()
	case "signed":
		o.Weights = indicators.Signed()
	default:
		var err error
		if o.Weights, _, err = indicators.Load(name); err != nil {
			return nil, &fileError{"weights", err}
		}
	}
	if err := changeWeights(&o.Weights, s.String("change")); err != nil {
		return nil, err
	}
	if s.Bool("path") {
		return indicators.NewPath(g, o)
	}
	return indicators.New(g, o)
}

// changeWeights replaces the weights that text names: (centre=4,enemy-can-win=-2).
func changeWeights(w *indicators.Weights, text string) error {
	if text == "" {
		return nil
	}
	s, err := spec.Parse("change" + text)
	if err != nil {
		return err
	}
	if s.Name != "change" {
		return &spec.Error{Msg: fmt.Sprintf("indicators: change must be (INDICATOR=X,...), not %q", text)}
	}
	var known []spec.Option
	for i := range indicators.Indicator(indicators.Count) {
		if i != indicators.Win {
			known = append(known, spec.Number(i.String(), w[i], -indicators.MaxWeight, indicators.MaxWeight))
		}
	}
	if err := s.Read(known); err != nil {
		return err
	}
	for i := range indicators.Indicator(indicators.Count) {
		if i != indicators.Win {
			w[i] = s.Float(i.String())
		}
	}
	return nil
}

// EvaluatorBy returns the heuristic that a spec names, for positions of g.
func EvaluatorBy(by spec.Trust, g game.Game, text string) (eval.Evaluator, error) {
	return build(request{kind: "heuristic", text: text, by: by, game: g}, heuristics, func(f newHeuristic, s *spec.Spec) (eval.Evaluator, error) { return f(g, s) })
}

// ScorerBy returns the heuristic that a spec names, which must be able to value moves.
func ScorerBy(by spec.Trust, g game.Game, text string) (eval.MoveScorer, error) {
	ev, err := EvaluatorBy(by, g, text)
	if err != nil {
		return nil, err
	}
	if sc, ok := ev.(eval.MoveScorer); ok {
		return sc, nil
	}
	return nil, &spec.Error{Msg: fmt.Sprintf("%s values positions, not moves", text), Hint: "indicators, lines and mics value moves"}
}
