// SPDX-License-Identifier: Apache-2.0

// Package catalog names every game, heuristic, search and player: the one place to add one.
//
// Its tables are explicit; listings, completion, docs and pages derive from them.
//
// # Basics
//
//	g, err := catalog.Game("gomoku:19")
//	p, err := catalog.Player(g, "alphabeta:depth=4,eval=generic", seed)
package catalog

import (
	"errors"
	"fmt"
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

// find parses text and returns the entry that it names.
func find[F any](kind, text string, table []Entry[F]) (Entry[F], *spec.Spec, error) {
	s, err := spec.Parse(text)
	if err != nil {
		return Entry[F]{}, nil, fmt.Errorf("%s %w", kind, err)
	}
	for _, e := range table {
		if e.Name == s.Name {
			return e, s, nil
		}
	}
	return Entry[F]{}, nil, spec.Unknown(kind, s.Name, names(table))
}

// finish returns what was made. A wrong argument is told first, since it is the cause; one that nobody asked
// for last, since a constructor that failed did not come to ask for all.
func finish[T any](made T, err error, s *spec.Spec) (T, error) {
	var none T
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
