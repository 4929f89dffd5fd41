// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"cmp"
	"fmt"

	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/cmaes"
	"github.com/krow-lab/krow/learn/genetic"
	"github.com/krow-lab/krow/learn/spsa"
	"github.com/krow-lab/krow/learn/target"
	"github.com/krow-lab/krow/search/minimax"
)

// newTarget makes a target: the parameters that a learner can tune by the results of games.
type newTarget func(g game.Game, s *spec.Spec) (*target.Target, error)

var targets = []Entry[newTarget]{
	{"generic", "the weights of the threat heuristic", "Abdoulaye, Houndji, Ezin and Aglin 2018", fixed(spec.Whole("depth", 2, 1, minimax.MaxDepth).At(1), gap, capped), func(g game.Game, s *spec.Spec) (*target.Target, error) {
		return target.Generic(g, s.Int("depth"), threats(s))
	}},
	{"indicators", "the weights of the indicators (ultimate)", "Eustache and Genuyt 2018", fixed(block, either, ever), func(g game.Game, s *spec.Spec) (*target.Target, error) {
		return target.Indicators(g, readings(s))
	}},
	{"mics", "the branching and the depth of the player mics", "Huang and Spadaccini 2022", fixed(spec.Count("nodes", 1000).At(1)), func(g game.Game, s *spec.Spec) (*target.Target, error) {
		return target.MICS(g, s.Uint64("nodes"))
	}},
	{"multipliers", "the multipliers of the heuristic mics, in its player", "Huang and Spadaccini 2022", fixed(spec.Count("nodes", 1000).At(1)), func(g game.Game, s *spec.Spec) (*target.Target, error) {
		return target.Multipliers(g, s.Uint64("nodes"))
	}},
	{"bot", "the parameters that a bot declares", "", fixed(programPath, spec.Count("steps", botSteps)), func(g game.Game, s *spec.Spec) (*target.Target, error) {
		p, err := programOf(s)
		if err != nil {
			return nil, err
		}
		t, err := target.Program(g, p, s.Uint64("steps"))
		if err != nil {
			return nil, &fileError{"bot", err}
		}
		return t, nil
	}},
}

// botSteps is the default limit of steps per move for a bot whose parameters are learned.
const botSteps = 200_000

// targetOf returns the target that the argument target names.
func targetOf(g game.Game, s *spec.Spec) (*target.Target, error) {
	text, by := s.Inner("target")
	return targetBy(by, g, text)
}

// targetFor returns the name of the target of a learner whose spec names none.
func targetFor(g game.Game) string {
	if h := heuristicFor(g); h != "brute" {
		return h
	}
	return "generic"
}

// Target returns the target that a spec names, for a game.
func Target(g game.Game, text string) (*target.Target, error) { return targetBy(spec.Trusted, g, text) }

func targetBy(by spec.Trust, g game.Game, text string) (*target.Target, error) {
	if text == "none" {
		return nil, fmt.Errorf("%s has no heuristic with parameters to learn", g)
	}
	return build(request{kind: "target", text: text, by: by, game: g}, targets, func(f newTarget, s *spec.Spec) (*target.Target, error) { return f(g, s) })
}

// openingPlies returns the number of random plies with which each pair of games begins during learning: a seventh of
// the cells, at most 12. After fewer plies, threat players of equal depth draw most games, and drawn games teach
// little.
func openingPlies(g game.Game) int {
	if b, ok := startOf(g).(game.Board); ok {
		return max(2, min(len(b.Cells())/7, 12))
	}
	return 6
}

// Options that learners of targets share. A listing has no game, so g may be nil.
func targetOption(g game.Game) spec.Option {
	return spec.Inner("target", "T", targetFor(g)).Says("The heuristic, player or bot whose parameters are learned.")
}

func pliesOption(usual int) spec.Option {
	return spec.Whole("plies", usual, 0, 1000).Says("How many random moves open each game.")
}

func gamesOption(usual, most int) spec.Option {
	return spec.Whole("games", usual, 1, most).Says("How many games it plays in all.")
}

func pairsOption(usual, most int) spec.Option {
	return spec.Whole("pairs", usual, 1, most).Says("How many pairs of games compare two sets of parameters.")
}

var jobs = spec.Threads("jobs", 0, 1024)

func spsaOptions(g game.Game, _ *spec.Spec) []spec.Option {
	return []spec.Option{
		gamesOption(2000, 100_000_000).At(1), targetOption(g), pairsOption(2, 1_000_000),
		spec.Choice("against", "neighbour", "start").Says("The opponent of the two sets of parameters that a step tries: each other, or the start."),
		spec.Number("c", 2, 1e-9, 1000).Says("How far the two sets of parameters that a step tries are from the current ones."),
		spec.Number("rate", 0.4, 1e-9, 1000).Says("Learning rate: how far a step moves the parameters."),
		spec.Whole("measure", 10, 0, 1_000_000).Says("After how many steps the parameters play a match against the start."),
		pliesOption(openingPlies(g)), jobs,
	}
}

func newSPSA(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	t, err := targetOf(g, s)
	if err != nil {
		return nil, err
	}
	return spsa.New(t, spsa.Options{
		Games: s.Int("games"), Pairs: s.Int("pairs"), Start: s.String("against") == "start", C: s.Float("c"), Rate: s.Float("rate"),
		Plies: s.Int("plies"), Measure: cmp.Or(s.Int("measure"), -1), Seed: seed, Jobs: s.Int("jobs"),
	})
}

func cmaesOptions(g game.Game, _ *spec.Spec) []spec.Option {
	return []spec.Option{
		gamesOption(2000, 100_000_000).At(1), targetOption(g),
		spec.Whole("population", 0, 0, 10_000).Says("How many sets of parameters a step tries; 0 lets the method choose."), pairsOption(1, 10_000),
		spec.Number("sigma", 1.5, 1e-9, 1000).Says("How far the first sets of parameters are spread around the start."), pliesOption(openingPlies(g)), jobs,
	}
}

func newCMAES(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	t, err := targetOf(g, s)
	if err != nil {
		return nil, err
	}
	return cmaes.New(t, cmaes.Options{
		Games: s.Int("games"), Population: s.Int("population"), Pairs: s.Int("pairs"), Sigma: s.Float("sigma"), Plies: s.Int("plies"),
		Seed: seed, Jobs: s.Int("jobs"),
	})
}

// geneticOptions returns the options of the genetic learner. If the target is the indicators, these are the options of the
// published experiment. For every other target they are the options of newBreeder.
func geneticOptions(g game.Game, s *spec.Spec) []spec.Option {
	t := targetOption(g)
	players := func(usual int) spec.Option {
		return spec.Whole("players", usual, 2, 10_000).Says("How many players a generation has.")
	}
	mut := func(usual float64) spec.Option {
		return spec.Number("mut", usual, 1e-9, 1e3).Says("Width of the interval around 0 from which a mutation is drawn.")
	}
	random := func(usual float64) spec.Option {
		return spec.Number("random", usual, 1e-9, 1e3).Says("Width of the interval around 0 from which each first parameter is drawn.")
	}
	if text, given := s.Raw("target"); given && text != "indicators" || !given && g != nil && t.Default != "indicators" {
		return []spec.Option{
			t, gamesOption(2000, 100_000_000), players(20), spec.Whole("each", 10, 2, 1_000_000).Says("How many games each pairing plays."),
			mut(2), random(4), pliesOption(openingPlies(g)), jobs,
		}
	}
	return []spec.Option{
		t, spec.Whole("generations", 30, 1, 100_000).At(1).Says("How many times it selects and breeds."), players(30),
		spec.Whole("games", 100, 1, 1_000_000).Says("How many games each player of a generation plays."), mut(6), random(10),
		spec.Choice("draws", "none", "half").Says("What a draw adds to the fitness: nothing, or half a win."),
		spec.Switch("literal", false).Says("Whether the random player always begins, as in the program that the report prints."),
		spec.Choice("start", "random", "hand", "signed").Says("The weights of the first generation: random, or set by hand."),
		spec.Choice("losers", "copies", "own").Says("What the losers are replaced by: mutated copies of the best, or their own weights, mutated."), block, either, ever, jobs,
	}
}

func newGenetic(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	if text, by := s.Inner("target"); text != "indicators" {
		return newBreeder(by, g, text, s, seed)
	}
	var start indicators.Weights
	switch s.String("start") {
	case "hand":
		start = indicators.Default()
	case "signed":
		start = indicators.Signed()
	}
	return genetic.New(g, genetic.Options{
		Start: start, Losers: s.String("losers") == "own", Generations: s.Int("generations"), Players: s.Int("players"), Games: s.Int("games"), MutRange: s.Float("mut"),
		RandomRange: s.Float("random"), HalfDraws: s.String("draws") == "half",
		Literal: s.Bool("literal"), Indicators: readings(s), Seed: seed, Jobs: s.Int("jobs"),
	})
}

// newBreeder makes a genetic learner for a target other than the indicators. Its argument games is the number of all
// games of learning, as for every learner of targets; it determines the number of generations.
func newBreeder(by spec.Trust, g game.Game, text string, s *spec.Spec, seed uint64) (learn.Learner, error) {
	t, err := targetBy(by, g, text)
	if err != nil {
		return nil, err
	}
	games, players, each := s.Int("games"), s.Int("players"), s.Int("each")
	generations := games / (players * each)
	if generations == 0 {
		s.Fail("%s: games must be at least the %d of a generation, not %d", s.Name, players*each, games)
		return nil, nil
	}
	return genetic.NewTarget(t, genetic.Options{
		Generations: generations, Players: players, Games: each, MutRange: s.Float("mut"),
		RandomRange: s.Float("random"), Seed: seed, Jobs: s.Int("jobs"),
	}, s.Int("plies"))
}
