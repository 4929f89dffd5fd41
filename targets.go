// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"fmt"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/cmaes"
	"github.com/krow-lab/krow/learn/genetic"
	"github.com/krow-lab/krow/learn/spsa"
	"github.com/krow-lab/krow/learn/target"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search/minimax"
)

// newTarget makes what is learned of a game, by learners that know games alone.
type newTarget func(g game.Game, s *spec.Spec) (*target.Target, error)

var targets = []Entry[newTarget]{
	{"generic", "[:depth=D][,gap=exact|least][,cap=on|off]", "the weights of the threat heuristic", "Abdoulaye, Houndji, Ezin and Aglin 2018", func(g game.Game, s *spec.Spec) (*target.Target, error) {
		return target.Generic(g, s.Int("depth", 0, 2, 1, minimax.MaxDepth), threats(s))
	}},
	{"indicators", "[:block,either,ever=on|off]", "the weights of the indicators (ultimate)", "Eustache and Genuyt 2018", func(g game.Game, s *spec.Spec) (*target.Target, error) {
		return target.Indicators(g, readings(s))
	}},
	{"mics", "[:nodes=N]", "the branching and the depth of the player mics", "Huang and Spadaccini 2022", func(g game.Game, s *spec.Spec) (*target.Target, error) {
		return target.MICS(g, s.Uint64("nodes", 0, 1000))
	}},
	{"multipliers", "[:nodes=N]", "the multipliers of the heuristic mics, in its player", "Huang and Spadaccini 2022", func(g game.Game, s *spec.Spec) (*target.Target, error) {
		return target.Multipliers(g, s.Uint64("nodes", 0, 1000))
	}},
	{"bot", ":FILE[,steps=N]", "the parameters that a bot declares", "", func(g game.Game, s *spec.Spec) (*target.Target, error) {
		p, err := programOf(s)
		if err != nil {
			return nil, err
		}
		t, err := target.Program(g, p, s.Uint64("steps", -1, botSteps))
		if err != nil {
			return nil, &fileError{"bot", err}
		}
		return t, nil
	}},
}

// botSteps is how many steps a bot that learns has for a move, unless its spec says otherwise.
const botSteps = 200_000

// targetOf returns what the argument target names, or what is learned of the game by default.
func targetOf(g game.Game, s *spec.Spec) (*target.Target, error) {
	text, stranger := s.Inner("target", -1, targetFor(g))
	return makeTarget(g, text, stranger)
}

// targetFor names the target of a learner whose spec names none.
func targetFor(g game.Game) string {
	if h := heuristicFor(g); h != "brute" {
		return h
	}
	return "generic"
}

// Target returns what a spec names to be learned of a game.
func Target(g game.Game, text string) (*target.Target, error) { return makeTarget(g, text, false) }

func makeTarget(g game.Game, text string, stranger bool) (*target.Target, error) {
	if text == "none" {
		return nil, fmt.Errorf("%s has no heuristic with parameters to learn", g)
	}
	return build("target", text, stranger, targets, func(f newTarget, s *spec.Spec) (*target.Target, error) { return f(g, s) })
}

// openingPlies is how many random plies a pair of games of learning begins with: a seventh of the board, at most 12.
// After fewer, threat players of equal depth draw most games, and little is learned of a draw.
func openingPlies(g game.Game) int {
	if b, ok := g.Start().(game.Board); ok {
		return max(2, min(len(b.Cells())/7, 12))
	}
	return 6
}

func newSPSA(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	t, err := targetOf(g, s)
	if err != nil {
		return nil, err
	}
	measure := s.Int("measure", -1, 10, 0, 1_000_000)
	if measure == 0 {
		measure = -1
	}
	against, stranger := s.Inner("against", -1, "neighbour")
	if against != "neighbour" && against != "start" {
		rival := func() (player.Player, error) { return makePlayer(g, against, 1, stranger) }
		p, err := rival()
		if err != nil {
			return nil, err
		}
		player.Close(p)
		t.Meet(against, rival)
	}
	return spsa.New(t, spsa.Options{
		Games: s.Int("games", 0, 2000, 1, 100_000_000), Pairs: s.Int("pairs", -1, 2, 1, 1_000_000),
		Start: against != "neighbour",
		C:     s.Float("c", -1, 2, 1e-9, 1000), Rate: s.Float("rate", -1, 0.4, 1e-9, 1000), Plies: s.Int("plies", -1, openingPlies(g), 0, 1000),
		Measure: measure, Seed: seed, Jobs: s.Threads("jobs", 0, 1024),
	})
}

func newCMAES(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	t, err := targetOf(g, s)
	if err != nil {
		return nil, err
	}
	return cmaes.New(t, cmaes.Options{
		Games: s.Int("games", 0, 2000, 1, 100_000_000), Population: s.Int("population", -1, 0, 0, 10_000),
		Pairs: s.Int("pairs", -1, 1, 1, 10_000), Sigma: s.Float("sigma", -1, 1.5, 1e-9, 1000),
		Plies: s.Int("plies", -1, openingPlies(g), 0, 1000), Seed: seed, Jobs: s.Threads("jobs", 0, 1024),
	})
}

// newBreeder makes a genetic learner of a target that is not bred as published. Its argument games counts all games of
// learning, as for every learner of targets; the number of generations follows.
func newBreeder(g game.Game, text string, stranger bool, s *spec.Spec, seed uint64) (learn.Learner, error) {
	t, err := makeTarget(g, text, stranger)
	if err != nil {
		return nil, err
	}
	games, players, each := s.Int("games", -1, 2000, 1, 100_000_000), s.Int("players", -1, 20, 2, 10_000), s.Int("each", -1, 10, 2, 1_000_000)
	generations := games / (players * each)
	if generations == 0 {
		s.Fail("%s: games must be at least the %d of a generation, not %d", s.Name, players*each, games)
		return nil, nil
	}
	return genetic.NewTarget(t, genetic.Options{
		Generations: generations, Players: players, Games: each, MutRange: s.Float("mut", -1, 2, 1e-9, 1e3),
		RandomRange: s.Float("random", -1, 4, 1e-9, 1e3), Seed: seed, Jobs: s.Threads("jobs", 0, 1024),
	}, s.Int("plies", -1, openingPlies(g), 0, 1000))
}
