// SPDX-License-Identifier: Apache-2.0

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

// Entry is a named game, player, heuristic, search, learner or target. F is the type of the field New, a function that makes
// the thing from a spec whose arguments have been read.
type Entry[F any] struct {
	Name string
	Doc  string // description, of one line
	Cite string // the source of the entry; may be empty
	// Options returns the declarations of the arguments that a spec may contain. Default values may depend on the game g and on
	// the spec s. g is nil if the entry is only listed, without a game. The arguments of s have not been read yet. Options is nil
	// if there are no arguments.
	Options func(g game.Game, s *spec.Spec) []spec.Option
	New     F
}

// fixed returns a function for the field Options of an Entry. It returns the same options for every game and spec.
func fixed(options ...spec.Option) func(game.Game, *spec.Spec) []spec.Option {
	return func(game.Game, *spec.Spec) []spec.Option { return options }
}

// options returns the result of e.Options for game g and spec s, or nil if e.Options is nil.
func (e Entry[F]) options(g game.Game, s *spec.Spec) []spec.Option {
	if e.Options == nil {
		return nil
	}
	return e.Options(g, s)
}

func names[F any](table []Entry[F]) []string {
	all := make([]string, len(table))
	for i, e := range table {
		all[i] = e.Name
	}
	return all
}

// request describes the thing to make: its kind, its spec, and its game, which is nil if the thing is itself a game.
type request struct {
	kind, text string
	by         spec.Trust
	game       game.Game
	prepare    func(*spec.Spec) // unless nil, adds default arguments to the spec
}

// build finds the table entry that the request names, reads the arguments, and makes the thing with call. An error in an
// argument has priority over all other errors. If call fails, its first result is ignored, so it may be a nil pointer.
func build[F, T any](r request, table []Entry[F], call func(F, *spec.Spec) (T, error)) (T, error) {
	var none T
	s, err := spec.Parse(r.text)
	if err != nil {
		return none, fmt.Errorf("%s %w", r.kind, err)
	}
	s.By(r.by)
	i := slices.IndexFunc(table, func(e Entry[F]) bool { return e.Name == s.Name })
	if i < 0 {
		return none, spec.Unknown(r.kind, s.Name, names(table))
	}
	if r.prepare != nil {
		r.prepare(s)
	}
	if err := s.Read(table[i].options(r.game, s)); err != nil {
		return none, err
	}
	made, err := call(table[i].New, s)
	if e := s.Err(); e != nil {
		return none, e
	}
	if err != nil {
		// An error of a nested spec is returned unchanged, because it may contain a hint, the name that was probably meant. A
		// file that cannot be read is not an error of the spec.
		if e, ok := errors.AsType[*spec.Error](err); ok {
			return none, e
		}
		if e, ok := errors.AsType[*fileError](err); ok {
			return none, e
		}
		return none, &spec.Error{Msg: strings.TrimPrefix(s.Name+": "+err.Error(), s.Name+": "+s.Name+": ")}
	}
	return made, nil
}

// fileError is the error for a file that a spec names and that cannot be used. The command line exits with 1 for it, and with 2
// for a wrong spec.
type fileError struct {
	argument string // the argument that names the file
	err      error
}

func (e *fileError) Error() string { return e.argument + ": " + e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// Item is an entry of a listing.
type Item struct {
	Kind  string `json:"kind"` // game, player, heuristic, learner or target
	Name  string `json:"name"`
	Usage string `json:"usage"` // the name and its arguments
	Doc   string `json:"doc"`
	Cite  string `json:"cite,omitempty"`
}

// Kinds returns the kinds that List accepts.
func Kinds() []string { return []string{"games", "players", "heuristics", "learners", "targets"} }

// List returns all entries of a kind, or nil if there is no such kind.
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
		list[i] = Item{kind, e.Name, e.Name + spec.Usage(e.options(nil, &spec.Spec{Name: e.Name})), e.Doc, e.Cite}
	}
	return list
}

// GameOptions returns the declarations of the arguments of the game with this name, in the order of its spec.
func GameOptions(name string) []spec.Option {
	i := slices.IndexFunc(games, func(e Entry[newGame]) bool { return e.Name == name })
	return games[i].options(nil, nil)
}

// LearnerForm is a learner with the arguments that an untrusted spec may give.
type LearnerForm struct {
	Name    string        `json:"name"`
	Title   string        `json:"title" doc:"description of the learner in one sentence"`
	Cite    string        `json:"cite,omitempty"`
	Options []spec.Option `json:"options" nullable:"false" doc:"options of the learner, the most common first"`
}

// LearnersOf returns the learners that can learn g and that an untrusted spec may name.
func LearnersOf(g game.Game) []LearnerForm {
	all := []LearnerForm{}
	for _, e := range learners {
		l, err := LearnerBy(spec.Untrusted, g, e.Name, 1)
		if err != nil {
			continue
		}
		if c, ok := l.(io.Closer); ok {
			_ = c.Close() // an error does not matter, because the learner has written nothing
		}
		all = append(all, LearnerForm{
			Name: e.Name, Title: strings.ToUpper(e.Doc[:1]) + e.Doc[1:] + ".", Cite: e.Cite,
			Options: spec.Public(e.options(g, &spec.Spec{Name: e.Name})),
		})
	}
	return all
}
