// SPDX-License-Identifier: Apache-2.0

// Package krow names every game, heuristic, search and player: the one place to add one.
//
// Its tables are explicit; listings, completion, docs and pages derive from them.
//
// # Basics
//
//	g, err := krow.Game("gomoku:19")
//	p, err := krow.Player(g, "alphabeta:depth=4,eval=brute", seed)
//
// # Strangers
//
// The functions that begin with Public make what a stranger may ask for, such as somebody who sends a request. They
// refuse arguments that read files, start programs, or take much memory or many threads, in nested specs too: see
// spec.Spec.Guard. Whether an argument does is told by the getter that reads it.
package krow

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
)

// Entry is one thing that has a name. F is the function that makes it.
type Entry[F any] struct {
	Name string
	Args string // what may follow the name, for people
	Doc  string // one line
	Cite string // where it comes from; may be empty
	New  F
}

// Usage returns the name and its arguments.
func (e Entry[F]) Usage() string { return e.Name + e.Args }

func names[F any](table []Entry[F]) []string {
	all := make([]string, len(table))
	for i, e := range table {
		all[i] = e.Name
	}
	return all
}

// build makes what text names in the table, by call. The spec of a stranger is guarded.
//
// A wrong argument is told first, since it is the cause; one that nobody asked for last, since a constructor that
// failed did not come to ask for all. What call returns beside an error is dropped, so that it may be a nil pointer.
func build[F, T any](kind, text string, stranger bool, table []Entry[F], call func(F, *spec.Spec) (T, error)) (T, error) {
	var none T
	s, err := spec.Parse(text)
	if err != nil {
		return none, fmt.Errorf("%s %w", kind, err)
	}
	if stranger {
		s.Guard()
	}
	i := slices.IndexFunc(table, func(e Entry[F]) bool { return e.Name == s.Name })
	if i < 0 {
		return none, spec.Unknown(kind, s.Name, names(table))
	}
	made, err := call(table[i].New, s)
	if e := s.ValueErr(); e != nil {
		return none, e
	}
	if err != nil {
		// The inner spec of a nested one keeps its hint; a file that cannot be read is not the spec's fault.
		if e, ok := errors.AsType[*spec.Error](err); ok {
			return none, e
		}
		if e, ok := errors.AsType[*fileError](err); ok {
			return none, e
		}
		return none, &spec.Error{Msg: strings.TrimPrefix(s.Name+": "+err.Error(), s.Name+": "+s.Name+": ")}
	}
	if e := s.Err(); e != nil {
		return none, e
	}
	return made, nil
}

// fileError is a file that a spec names and that cannot be used: a failure, where a wrong spec is misuse.
type fileError struct {
	argument string // that names the file
	err      error
}

func (e *fileError) Error() string { return e.argument + ": " + e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// Item is a line of a listing.
type Item struct {
	Kind  string `json:"kind"` // game, player, heuristic, learner or target (of learners)
	Name  string `json:"name"`
	Usage string `json:"usage"` // the name and its arguments
	Doc   string `json:"doc"`
	Cite  string `json:"cite,omitempty"`
}

// Kinds returns what List accepts.
func Kinds() []string { return []string{"games", "players", "heuristics", "learners", "targets"} }

// List returns everything of a kind, or nil if there is no such kind.
func List(kind string) []Item {
	switch kind {
	case "games":
		return items("game", games)
	case "players":
		return items("player", players)
	case "heuristics":
		return items("heuristic", heuristics)
	case "learners":
		return items("learner", learners)
	case "targets":
		return items("target", targets)
	}
	return nil
}

func items[F any](kind string, table []Entry[F]) []Item {
	list := make([]Item, len(table))
	for i, e := range table {
		list[i] = Item{kind, e.Name, e.Usage(), e.Doc, e.Cite}
	}
	return list
}

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
		if c, ok := l.(io.Closer); ok {
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
	"regression.games": "How many games of self-play it learns from.",
	"plans.games":      "How many games it counts threats in.",
}
