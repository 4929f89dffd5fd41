// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
)

// GameOptions returns the arguments of the game of that name, in the order of its spec.
func GameOptions(name string) []spec.Option {
	s := &spec.Spec{Name: name}
	for _, e := range games {
		if e.Name == name {
			_, _ = e.New(s) // what it asks for is what counts
		}
	}
	return s.Options()
}

// LearnerForm is a learner with its arguments, as far as strangers may give them.
type LearnerForm struct {
	Name    string        `json:"name"`
	Title   string        `json:"title" doc:"what it does, as a sentence"`
	Cite    string        `json:"cite,omitempty"`
	Options []spec.Option `json:"options" nullable:"false" doc:"the usual ones first"`
}

// LearnersOf returns the learners that can learn a game for strangers.
func LearnersOf(g game.Game) []LearnerForm {
	all := []LearnerForm{}
	for _, e := range learners {
		s := (&spec.Spec{Name: e.Name}).Guard()
		l, err := e.New(g, s, 1)
		if err != nil || s.ValueErr() != nil {
			continue
		}
		if c, ok := l.(interface{ Close() error }); ok {
			_ = c.Close() // it has done nothing
		}
		f := LearnerForm{Name: e.Name, Title: strings.ToUpper(e.Doc[:1]) + e.Doc[1:] + ".", Cite: e.Cite, Options: s.Options()}
		for i := range f.Options {
			f.Options[i].About = aboutOption(e.Name, f.Options[i].Key)
		}
		all = append(all, f)
	}
	return all
}

// aboutOption says what an argument of a learner means.
func aboutOption(learner, key string) string {
	if text := optionWords[learner+"."+key]; text != "" {
		return text
	}
	return optionWords[key]
}

// optionWords say what the arguments of learners mean: KEY for all that have it, LEARNER.KEY for one.
var optionWords = map[string]string{
	"alpha":            "Learning rate: how far a step moves the parameters.",
	"adjust":           "In which order a step puts its changed parameters back.",
	"against":          "Whom the parameters that are tried play: their neighbour, the start, or a player.",
	"block":            "How the indicators read a line with stones of both sides.",
	"c":                "How far from the parameters the two trials of a step lie.",
	"cap":              "Whether a line counts no more stones than a win needs.",
	"depth":            "How many plies the search looks ahead while it learns.",
	"draws":            "What a draw adds to the fitness: nothing, or half a win.",
	"each":             "How many games each pairing plays.",
	"either":           "Whether a line of either side counts.",
	"end":              "What a step learns from when the game is over.",
	"episodes":         "How many games it plays against itself.",
	"epsilon":          "How often a random move is played instead of the best one: 0 never, 1 always.",
	"ever":             "Whether an indicator counts when it was ever true in the game.",
	"games":            "How many games it plays in all.",
	"gamma":            "How much a later reward counts beside one now.",
	"gap":              "How gaps in a line of stones are counted.",
	"generations":      "How many times it selects and breeds.",
	"genetic.games":    "How many games each player of a generation plays.",
	"genetic.mut":      "The widest change of a parameter by mutation.",
	"genetic.players":  "How many players a generation has.",
	"importance":       "Which weight a step changes most: by index, as the text says, or by value.",
	"iterations":       "How many times the fit goes over all positions.",
	"l2":               "How strongly large weights are held back.",
	"lambda":           "How far a reward reaches back along the game: 0 one move, 1 all of it.",
	"literal":          "Whether to breed just as the paper's words say.",
	"match":            "How many games a candidate plays against the champion before it takes its place.",
	"max":              "Which of the two published rules chooses the best next value.",
	"measure":          "After how many steps the parameters play a match against the start.",
	"mut":              "The widest change of a parameter by mutation.",
	"network.games":    "How many games each generation plays.",
	"nodes":            "How many positions the engine searches for a move.",
	"pairs":            "How many pairs of games compare two sets of parameters.",
	"passes":           "How many times training goes over the games.",
	"player":           "Who plays the games.",
	"players":          "How many players a generation has.",
	"plies":            "How many random moves open each game.",
	"population":       "How many sets of parameters a step tries; 0 lets the method choose.",
	"random":           "The widest value of a parameter at the beginning.",
	"rate":             "Learning rate: how far a step moves the parameters.",
	"result":           "How much the result of the game counts beside the value that the search found.",
	"rounds":           "How many rounds the fit makes.",
	"sigma":            "How wide the first trials scatter.",
	"spread":           "How far the weights may move from where they start.",
	"target":           "Whose parameters are learned.",
	"terminal":         "Whether finished games count by the heuristic or by their result.",
	"window":           "Of how many generations the games are kept for training.",
	"regression.games": "How many games of self-play it learns from.",
	"plans.games":      "How many games it counts threats in.",
}
