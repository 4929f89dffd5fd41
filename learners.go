// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"fmt"
	"os"

	"github.com/krow-lab/krow/engine/gomoku"
	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/fiverow"
	fivenet "github.com/krow-lab/krow/learn/fiverow/network"
	"github.com/krow-lab/krow/learn/genetic"
	"github.com/krow-lab/krow/learn/network"
	"github.com/krow-lab/krow/learn/nnue"
	"github.com/krow-lab/krow/learn/plans"
	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/learn/regression"
	"github.com/krow-lab/krow/learn/selfplay"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search/minimax"
)

// newLearner makes a learner for a game from its arguments and a seed.
type newLearner func(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error)

var learners = []Entry[newLearner]{
	{"qlearning", "[:episodes=N][,depth=D][,gamma=X][,alpha=X][,importance=index|text|value][,adjust=value|importance|off][,max=figure|prose][,terminal=eval|exact][,end=simulate|zero|keep][,gap=exact|least][,cap=on|off][,lambda=X][,plies=N][,epsilon=X]", "the published Q-learning of the generic heuristic", "Abdoulaye, Houndji, Ezin and Aglin 2018", newQLearning(qlearning.Q)},
	{"sarsa", "[:...]", "Sarsa on the same parameters; the arguments of qlearning", "Rummery and Niranjan 1994", newQLearning(qlearning.Sarsa)},
	{"td", "[:...]", "TD(lambda) on the same parameters; the arguments of qlearning", "Sutton 1988", newQLearning(qlearning.TD)},
	{"genetic", "[:generations=N][,players=N][,games=N][,mut=X][,random=X][,draws=none|half][,literal,block,either,ever=on|off][,jobs=N], or :target=T[,games=N][,each=N][,players=N][,mut=X][,random=X][,plies=N][,jobs=N]", "breeds the indicators of ultimate against random, or any T of spsa against its start", "Eustache and Genuyt 2018", newGenetic},
	{"spsa", "[:games=N][,target=T][,pairs=N][,against=neighbour|start|PLAYER][,c=X][,rate=X][,measure=N][,plies=N][,jobs=N]", "moves all parameters at once, forth and back; T is generic(depth=D), indicators, mics(nodes=N) or multipliers(nodes=N)", "Spall 1998", newSPSA},
	{"cmaes", "[:games=N][,target=T][,population=N][,pairs=N][,sigma=X][,plies=N][,jobs=N]", "covariance matrix adaptation; T as for spsa", "Hansen and Ostermeier 2001", newCMAES},
	{"regression", "[:games=N][,depth=D][,iterations=N][,plies=N][,epsilon=X][,l2=X][,gap=exact|least][,cap=on|off][,jobs=N]", "fits the weights of generic, or of the indicators for ultimate, to the results of self-play", "Österlund 2014", newRegression},
	{"plans", "[:games=N][,player=P][,plies=N][,from=FILE][,jobs=N]", "counts which threats win in games of P against itself, or in a file of games", "Abdoulaye 2017, perspectives", newPlans},
	{"network", ":data=DIR[,passes=N][,from=FILE|default][,rate=X][,lambda=X][,visits=N][,jobs=N]", "trains the network of the ultimate or the gomoku engine on games of the engine against itself", "Silver et al. 2017; Nasu 2018", newNetwork},
	{"patterns", "[:generations=N][,games=N][,nodes=N][,rounds=N][,spread=X][,match=N][,weights=FILE][,data=DIR][,jobs=N]", "fits the weights of the gomoku engine to games of the engine against itself", "Coulom 2007; Oesterlund 2014", newPatterns},
}

// Learner returns the learner that a spec names, for a game.
func Learner(g game.Game, text string, seed uint64) (learn.Learner, error) {
	return makeLearner(g, text, seed, false)
}

// PublicLearner is Learner for strangers.
func PublicLearner(g game.Game, text string, seed uint64) (learn.Learner, error) {
	return makeLearner(g, text, seed, true)
}

func makeLearner(g game.Game, text string, seed uint64, stranger bool) (learn.Learner, error) {
	return build("learner", text, stranger, learners, func(f newLearner, s *spec.Spec) (learn.Learner, error) { return f(g, s, seed) })
}

func newGenetic(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	if text, stranger := s.Inner("target", -1, targetFor(g)); text != "indicators" {
		return newBreeder(g, text, stranger, s, seed)
	}
	return genetic.New(g, genetic.Options{
		Generations: s.Int("generations", 0, 30, 1, 100_000), Players: s.Int("players", -1, 30, 2, 10_000),
		Games: s.Int("games", -1, 100, 1, 1_000_000), MutRange: s.Float("mut", -1, 6, 1e-9, 1e3),
		RandomRange: s.Float("random", -1, 10, 1e-9, 1e3), HalfDraws: s.Choice("draws", -1, "none", "none", "half") == "half",
		Literal: s.Bool("literal", -1, false), Indicators: readings(s), Seed: seed, Jobs: s.Threads("jobs", 0, 1024),
	})
}

func newQLearning(m qlearning.Method) newLearner {
	return func(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
		o := qlearning.Options{
			Method: m, Episodes: s.Int("episodes", 0, 5, 1, 1_000_000), Depth: s.Int("depth", -1, 4, 1, minimax.MaxDepth),
			Gamma: s.Float("gamma", -1, 0.1, 1e-9, 1), Alpha: s.Float("alpha", -1, 1, 1e-9, 1),
			Exact: s.Choice("terminal", -1, "eval", "eval", "exact") == "exact", Reading: threats(s),
			RandomPlies: s.Int("plies", -1, 0, 0, 1000), Epsilon: s.Float("epsilon", -1, 0, 0, 1), Seed: seed,
		}
		if s.Choice("max", -1, "figure", "figure", "prose") == "prose" {
			o.Max = qlearning.Prose
		}
		switch s.Choice("importance", -1, "index", "index", "text", "value") {
		case "text":
			o.Importance = qlearning.Text
		case "value":
			o.Importance = qlearning.Value
		}
		switch s.Choice("adjust", -1, "value", "value", "importance", "off") {
		case "importance":
			o.Adjust = qlearning.ByImportance
		case "off":
			o.Adjust = qlearning.Unadjusted
		}
		ends, lambda := []string{"simulate", "zero", "keep"}, 0.0
		if m != qlearning.Q { // they need a next action
			ends = ends[1:]
		}
		switch s.Choice("end", -1, ends[0], ends...) {
		case "zero":
			o.End = qlearning.Zero
		case "keep":
			o.End = qlearning.Keep
		}
		if m == qlearning.TD {
			lambda = 0.8
		}
		o.Lambda = s.Float("lambda", -1, lambda, 0, 1)
		return qlearning.New(g, o)
	}
}

func newRegression(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	return regression.New(g, regression.Options{
		Games: s.Int("games", 0, 4000, 1, 10_000_000), Depth: s.Int("depth", -1, 2, 1, minimax.MaxDepth),
		Iterations: s.Int("iterations", -1, 10, 1, 1_000_000), RandomPlies: s.Int("plies", -1, regression.Plies(g), 0, 1000),
		Epsilon: s.Float("epsilon", -1, 0.05, 0, 1), Reading: threats(s), L2: s.Float("l2", -1, 1, 1e-9, 1e9),
		Seed: seed, Jobs: s.Threads("jobs", 0, 1024),
	})
}

// newPlans makes a learner from the games of a player against itself, or from a file.
func newPlans(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	o := plans.Options{Games: s.Int("games", 0, 2000, 1, 1_000_000), Plies: s.Int("plies", -1, openingPlies(g), 0, 1000), Seed: seed}
	var stranger bool
	o.Name, stranger = s.Inner("player", -1, "alphabeta:depth=2,eval=brute,terminal=exact")
	o.Jobs = s.Threads("jobs", 0, 1024)
	if file := s.String("from", -1, ""); file != "" {
		for _, other := range []string{"games", "player", "plies"} {
			if s.Has(other) {
				s.Fail("plans: %s is of games that are played, and from=%s has the games", other, file)
			}
		}
		data, err := os.ReadFile(file)
		if err == nil {
			_, o.Records, err = record.Read(data, file, Game)
		}
		if err != nil {
			return nil, &fileError{"from", err}
		}
		return plans.New(g, o)
	}
	if _, err := generic.K(g); err != nil { // told before the player's trouble with such a game
		return nil, err
	}
	o.Player = func(seed uint64) (player.Player, error) { return makePlayer(g, o.Name, seed, stranger) }
	p, err := o.Player(seed)
	if err != nil {
		return nil, err
	}
	player.Close(p)
	if player.IsHuman(p) {
		s.Fail("plans: a person cannot play the games")
	}
	return plans.New(g, o)
}

func newNetwork(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	name, rate := s.String("from", -1, "none"), 0.001
	if gomoku.Plays(g) {
		rate = 0.004
	}
	o := nnue.Options{
		Dir: s.String("data", -1, ""), Passes: s.Int("passes", 0, 6, 1, 10_000), Rate: s.Float("rate", -1, rate, 1e-9, 1),
		Lambda: s.Float("lambda", -1, 0.9, 0, 1), Seed: seed, Jobs: s.Threads("jobs", 0, 1024),
	}
	if gomoku.Plays(g) {
		from, err := FiveNet(name)
		if err != nil {
			return nil, &fileError{"from", err}
		}
		return fivenet.New(g, fivenet.Options{Options: o, From: from(g)})
	}
	from, err := UltimateNet(name)
	if err != nil {
		return nil, &fileError{"from", err}
	}
	return network.New(g, network.Options{Options: o, From: from, Visits: s.Int("visits", -1, 40, 0, 1_000_000)})
}

// SelfPlay returns the engine that plays games of g for learners, with the network of a name: default, none or a file.
func SelfPlay(g game.Game, net string) (selfplay.Engine, error) {
	if engine.Plays(g) {
		n, err := UltimateNet(net)
		return network.Engine{Net: n}, err
	}
	n, err := FiveNet(net)
	return fiverow.Engine{Net: n}, err
}

func newPatterns(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	prior, err := gomokuWeights(s)
	if err != nil {
		return nil, err
	}
	return fiverow.NewPatterns(g, fiverow.PatternOptions{
		Options: selfplay.Options{
			Nodes: s.Uint64("nodes", -1, 2000), Dir: s.String("data", -1, ""),
			Games: s.Int("games", -1, 6000, 1, 10_000_000), Chunk: 500, Seed: seed, Jobs: s.Threads("jobs", 0, 1024),
		},
		Generations: s.Int("generations", 0, 1, 1, 1000), Rounds: s.Int("rounds", -1, 200, 1, 100_000),
		Spread: s.Float("spread", -1, 30, 1e-9, 1e4), Match: s.Int("match", -1, 400, 1, 1_000_000), Prior: prior,
	})
}

// gomokuWeights reads the file that the argument weights names, or returns nil where there is none.
func gomokuWeights(s *spec.Spec) (*gomoku.Weights, error) {
	name := s.String("weights", -1, "")
	if name == "" {
		return nil, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, &fileError{"weights", err}
	}
	w, err := gomoku.ParseWeights(data)
	if err != nil {
		return nil, &fileError{"weights", fmt.Errorf("%s: %w", name, err)}
	}
	return w, nil
}
