// SPDX-License-Identifier: Apache-2.0

// Package study is the kit of experiments: what is dear to compute is kept in a store piece by piece, and a
// report is made of nothing but those pieces.
//
// # Basics
//
// A study is one function. It asks its [Lab] for pieces (a match, learned weights, whatever [Piece] keeps), which
// come from the store or are computed now, and puts them together as a document:
//
//	func run(ctx context.Context, lab *study.Lab) (*report.Document, error) {
//		counts, err := lab.Match(ctx, study.Match{Game: "connect4", A: a, B: b, Games: 100})
//		...
//	}
//
// Run with a Lab that may compute, it is "krow study run"; run with one that may only read, it is "krow study
// report". So the two cannot differ, and every number of a report is in the store.
//
// # Caveats
//
// A key must tell everything that its piece follows from. A match keeps each game as it ends: killed at any
// moment, a study loses no more than the games in progress.
package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/krow-lab/krow/study/report"
)

// Study is an experiment.
type Study struct {
	Name, Doc, Cite string
	Chooses         bool // whose players and time are the user's choice
	Run             func(ctx context.Context, lab *Lab) (*report.Document, error)
}

// Store keeps pieces, JSON by key. It is used from several goroutines at once.
type Store interface {
	// Get returns the value of a key, or nil if it has none.
	Get(key string) ([]byte, error)
	// Put makes value the key's, wholly or not at all.
	Put(key string, value []byte) error
}

// ErrMissing is wrapped by the error for a piece that has not been computed yet, where only the store may be read.
var ErrMissing = errors.New("not computed yet")

// Lab is what a study works with.
type Lab struct {
	Store    Store
	ReadOnly bool   // compute nothing: a piece that the store lacks is ErrMissing
	Jobs     int    // games at once; 0 means 1. Results do not depend on it, but where a move's time is limited
	Quick    bool   // the study is to be small: minutes, to see that it works
	Dir      string // for files of weights
	// Players and Time are the user's choice, for a study that [Study.Chooses]; without one they are the
	// study's own.
	Players []string
	Time    time.Duration // of a move
	// Progress, unless nil, is told now and then how much of what was planned is done. Units are the
	// study's own, most often games.
	Progress func(Progress)

	progress Progress
	started  time.Time
}

// Progress is how far a study is.
type Progress struct {
	What        string // that is being done
	Done, Total int    // the latter as far as planned
	Computed    int    // of Done, in this run; the rest came from the store
	Elapsed     time.Duration
}

// Left estimates how long the rest will take, or returns 0 when there is nothing to estimate from.
func (p Progress) Left() time.Duration {
	if p.Computed == 0 {
		return 0
	}
	return time.Duration(float64(p.Elapsed) / float64(p.Computed) * float64(max(p.Total-p.Done, 0)))
}

// Plan says that n more units are to be done.
func (l *Lab) Plan(n int) { l.progress.Total += n }

// Did says that n units are done, computed now or read.
func (l *Lab) Did(what string, n int, computed bool) {
	if l.started.IsZero() {
		l.started = time.Now()
	}
	l.progress.What = what
	l.progress.Done += n
	if computed {
		l.progress.Computed += n
	}
	l.progress.Elapsed = time.Since(l.started)
	if l.Progress != nil {
		l.Progress(l.progress)
	}
}

// Pick returns full, or quick when the study is to be small.
func (l *Lab) Pick(quick, full int) int {
	if l.Quick {
		return quick
	}
	return full
}

// Choice returns the flags that make krow study do what this Lab does, each after a space; those that change what
// comes out.
func (l *Lab) Choice() string {
	text := ""
	if l.Quick {
		text += " --quick"
	}
	for _, p := range l.Players {
		text += " --player '" + p + "'"
	}
	if l.Time > 0 {
		text += " --time " + l.Time.String()
	}
	return text
}

// Piece returns the value kept under a key. Where there is none it is computed by f and kept.
func Piece[T any](l *Lab, key string, f func() (T, error)) (value T, err error) {
	found, err := l.get(key, &value)
	if err != nil || found {
		return value, err
	}
	if l.ReadOnly {
		return value, fmt.Errorf("%s: %w", key, ErrMissing)
	}
	if value, err = f(); err != nil {
		return value, err
	}
	return value, l.put(key, value)
}

// get reads the value of a key, and says whether there is one.
func (l *Lab) get(key string, value any) (bool, error) {
	data, err := l.Store.Get(key)
	if err != nil || data == nil {
		return false, err
	}
	if err := json.Unmarshal(data, value); err != nil {
		return false, fmt.Errorf("%s: %w", key, err)
	}
	return true, nil
}

func (l *Lab) put(key string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return l.Store.Put(key, data)
}

// Pieces returns the store for those who keep pieces by themselves. Where only reading is allowed, what is missing
// is ErrMissing and nothing is written.
func (l *Lab) Pieces() Store {
	if l.ReadOnly {
		return readOnly{l.Store}
	}
	return l.Store
}

type readOnly struct{ Store }

// Get returns the value of a key, or an error.
func (r readOnly) Get(key string) ([]byte, error) {
	value, err := r.Store.Get(key)
	if err == nil && value == nil {
		return nil, fmt.Errorf("%s: %w", key, ErrMissing)
	}
	return value, err
}

// Put returns an error.
func (r readOnly) Put(key string, _ []byte) error { return fmt.Errorf("%s: %w", key, ErrMissing) }
