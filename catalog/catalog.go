// SPDX-License-Identifier: Apache-2.0

// Package catalog names every game, heuristic, search and player: the one place to add one.
//
// Its tables are explicit; listings, completion, docs and pages derive from them.
//
// # Basics
//
//	g, err := catalog.Game("gomoku:19")
//	p, err := catalog.Player(g, "alphabeta:depth=4,eval=brute", seed)
//
// # Strangers
//
// The functions that begin with Public make what a stranger may ask for, such as somebody who sends a request. They
// refuse arguments that read files, start programs, or take much memory or many threads, in nested specs too: see
// spec.Spec.Guard. Whether an argument does is told by the getter that reads it.
package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
