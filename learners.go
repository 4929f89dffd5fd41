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
	learngomoku "github.com/krow-lab/krow/learn/gomoku"
	gomokunet "github.com/krow-lab/krow/learn/gomoku/network"
	"github.com/krow-lab/krow/learn/nnue"
	"github.com/krow-lab/krow/learn/plans"
	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/learn/regression"
	"github.com/krow-lab/krow/learn/selfplay"
	learnultimate "github.com/krow-lab/krow/learn/ultimate"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search/minimax"
)

// newLearner makes a learner for a game from its arguments and a seed.
type newLearner func(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error)

var learners = []Entry[newLearner]{
	{"qlearning", "the published Q-learning of the generic heuristic", "Abdoulaye, Houndji, Ezin and Aglin 2018", qlearningOptions(qlearning.Q), newQLearning(qlearning.Q)},
	{"sarsa", "Sarsa on the same parameters", "Rummery and Niranjan 1994", qlearningOptions(qlearning.Sarsa), newQLearning(qlearning.Sarsa)},
	{"td", "TD(lambda) on the same parameters", "Sutton 1988", qlearningOptions(qlearning.TD), newQLearning(qlearning.TD)},
	{"genetic", "breeds the indicators of ultimate against random, or any target of spsa against its start", "Eustache and Genuyt 2018", geneticOptions, newGenetic},
	{"spsa", "moves all parameters at once, forth and back; krow list targets names the targets", "Spall 1998", spsaOptions, newSPSA},
	{"cmaes", "covariance matrix adaptation; targets as for spsa", "Hansen and Ostermeier 2001", cmaesOptions, newCMAES},
	{"regression", "fits the weights of generic, or of the indicators for ultimate, to the results of self-play", "Österlund 2014", regressionOptions, newRegression},
	{"plans", "counts which threats win in games of a player against itself, or in a file of games", "Abdoulaye 2017, perspectives", plansOptions, newPlans},
	{"network", "trains the network of the ultimate or the gomoku engine on games of the engine against itself", "Silver et al. 2017; Nasu 2018", networkOptions, newNetwork},
}

// Learner returns the learner that a spec names, for a game.
func Learner(g game.Game, text string, seed uint64) (learn.Learner, error) {
	return LearnerBy(spec.Trusted, g, text, seed)
}

// LearnerBy does what Learner does for a spec that may be untrusted.
func LearnerBy(by spec.Trust, g game.Game, text string, seed uint64) (learn.Learner, error) {
	r := request{kind: "learner", text: text, by: by, game: g}
	return build(r, learners, func(f newLearner, s *spec.Spec) (learn.Learner, error) { return f(g, s, seed) })
}

func depthOption(usual int) spec.Option {
	return spec.Whole("depth", usual, 1, minimax.MaxDepth).Says("How many plies the search looks ahead while it learns.")
}

func epsilonOption(usual float64) spec.Option {
	return spec.Number("epsilon", usual, 0, 1).Says("How often a random move is played instead of the best one: 0 never, 1 always.")
}

func lambdaOption(usual float64) spec.Option {
	return spec.Number("lambda", usual, 0, 1).Says("How far a reward reaches back along the game: 0 one move, 1 all of it.")
}

func qlearningOptions(m qlearning.Method) func(game.Game, *spec.Spec) []spec.Option {
	ends, lambda := []string{"simulate", "zero", "keep"}, 0.0
	// After the last move of a game, "simulate" takes the best value of a move on a free cell, as after any other move. Only the
	// method Q uses the best next move. The other methods use the next move that is played, and none is played after the last
	// one.
	if m != qlearning.Q {
		ends = ends[1:]
	}
	if m == qlearning.TD {
		lambda = 0.8
	}
	return fixed(
		spec.Whole("episodes", 5, 1, 1_000_000).At(1).Says("How many games it plays against itself."), depthOption(4),
		spec.Number("gamma", 0.1, 1e-9, 1).Says("How much a later reward counts, compared with an immediate one."),
		spec.Number("alpha", 1, 1e-9, 1).Says("Learning rate: how far a step moves the parameters."),
		spec.Choice("terminal", "eval", "exact").Says("Whether finished games count by the heuristic or by their result."), gap, capped,
		pliesOption(0), epsilonOption(0), spec.Choice("max", "figure", "prose").Says("Which of the two published rules chooses the best next value."),
		spec.Choice("importance", "index", "text", "value").Says("How threats are ranked; a step changes the parameter of the highest-ranked threat on the board."),
		spec.Choice("adjust", "value", "importance", "off").Says("In which order the parameters must be after each step; off: in any order."),
		spec.Choice("end", ends...).Says("Which next value a step uses after the last move of a game; keep: it changes nothing."), lambdaOption(lambda),
	)
}

func newQLearning(m qlearning.Method) newLearner {
	return func(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
		return qlearning.New(g, qlearning.Options{
			Method: m, Episodes: s.Int("episodes"), Depth: s.Int("depth"), Gamma: s.Float("gamma"), Alpha: s.Float("alpha"),
			Exact: s.String("terminal") == "exact", Reading: threats(s), RandomPlies: s.Int("plies"), Epsilon: s.Float("epsilon"), Seed: seed,
			Max:        map[string]qlearning.Max{"prose": qlearning.Prose}[s.String("max")],
			Importance: map[string]qlearning.Importance{"text": qlearning.Text, "value": qlearning.Value}[s.String("importance")],
			Adjust:     map[string]qlearning.Adjust{"importance": qlearning.ByImportance, "off": qlearning.Unadjusted}[s.String("adjust")],
			End:        map[string]qlearning.End{"zero": qlearning.Zero, "keep": qlearning.Keep}[s.String("end")],
			Lambda:     s.Float("lambda"),
		})
	}
}

func regressionOptions(g game.Game, _ *spec.Spec) []spec.Option {
	plies := 0
	if g != nil {
		plies = regression.Plies(g)
	}
	return []spec.Option{
		spec.Whole("games", 4000, 1, 10_000_000).At(1).Says("How many games of self-play it learns from."), depthOption(2),
		spec.Whole("iterations", 10, 1, 1_000_000).Says("How many times the fit goes over all positions."), pliesOption(plies), epsilonOption(0.05), gap, capped,
		spec.Number("l2", 1, 1e-9, 1e9).Says("How strongly the fit holds the weights near their values at the start."), jobs,
	}
}

func newRegression(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	return regression.New(g, regression.Options{
		Games: s.Int("games"), Depth: s.Int("depth"), Iterations: s.Int("iterations"), RandomPlies: s.Int("plies"),
		Epsilon: s.Float("epsilon"), Reading: threats(s), L2: s.Float("l2"), Seed: seed, Jobs: s.Int("jobs"),
	})
}

func plansOptions(g game.Game, _ *spec.Spec) []spec.Option {
	return []spec.Option{
		spec.Whole("games", 2000, 1, 1_000_000).At(1).Says("How many games it counts threats in."), pliesOption(openingPlies(g)),
		spec.Inner("player", "P", "alphabeta:depth=2,eval=brute,terminal=exact").Says("The player that plays the games."), spec.Text("from", "FILE", ""), jobs,
	}
}

// newPlans makes a learner that learns from games that a player plays against itself, or from games in a file.
func newPlans(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	o := plans.Options{Games: s.Int("games"), Plies: s.Int("plies"), Seed: seed, Jobs: s.Int("jobs")}
	var by spec.Trust
	o.Name, by = s.Inner("player")
	if file := s.String("from"); file != "" {
		for _, other := range []string{"games", "player", "plies"} {
			if s.Given(other) {
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
	// If g is not a game of k in a row, the error of K says so. Without this check PlayerBy would fail with a less clear error.
	if _, err := generic.K(g); err != nil {
		return nil, err
	}
	o.Player = func(seed uint64) (player.Player, error) { return PlayerBy(by, g, o.Name, seed) }
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

// networkOptions are the options for the engine whose network is trained.
func networkOptions(g game.Game, _ *spec.Spec) []spec.Option {
	rate := 0.001
	if g != nil && gomoku.Plays(g) {
		rate = 0.004
	}
	all := []spec.Option{
		spec.Text("data", "DIR", "").Required(), spec.Whole("passes", 6, 1, 10_000).At(1).Says("How many times training goes over the games."),
		spec.Text("from", "FILE|default", "none"), spec.Number("rate", rate, 1e-9, 1).Says("Learning rate: how far a step moves the parameters."), lambdaOption(0.9),
	}
	if g == nil || !gomoku.Plays(g) {
		all = append(all, spec.Whole("visits", 40, 0, 1_000_000))
	}
	return append(all, jobs)
}

func newNetwork(g game.Game, s *spec.Spec, seed uint64) (learn.Learner, error) {
	o := nnue.Options{
		Dir: s.String("data"), Passes: s.Int("passes"), Rate: s.Float("rate"), Lambda: s.Float("lambda"), Seed: seed, Jobs: s.Int("jobs"),
	}
	if gomoku.Plays(g) {
		from, err := GomokuNet(s.String("from"))
		if err != nil {
			return nil, &fileError{"from", err}
		}
		return gomokunet.New(g, gomokunet.Options{Options: o, From: from(g)})
	}
	from, err := UltimateNet(s.String("from"))
	if err != nil {
		return nil, &fileError{"from", err}
	}
	return learnultimate.New(g, learnultimate.Options{Options: o, From: from, Visits: s.Int("visits")})
}

// SelfPlay returns the engine that plays games of g for learners. net is the network that it uses: default, none or a
// file.
func SelfPlay(g game.Game, net string) (selfplay.Engine, error) {
	if engine.Plays(g) {
		n, err := UltimateNet(net)
		return learnultimate.Engine{Net: n}, err
	}
	n, err := GomokuNet(net)
	return learngomoku.Engine{Net: n}, err
}

// gomokuWeights reads the file that the argument weights names, or returns nil if there is none.
func gomokuWeights(s *spec.Spec) (*gomoku.Weights, error) {
	name := s.String("weights")
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
