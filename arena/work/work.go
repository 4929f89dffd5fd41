// SPDX-License-Identifier: Apache-2.0

// Package work defines units of work, which any process can do, and a queue that does them in this process.
//
// A unit is data: a kind, its arguments, a seed, the build of krow and the hashes of the files it reads. Unless a clock is
// involved, its result depends on nothing else. So any machine may do the unit, and a unit may be done twice.
//
// # Basics
//
//	u, err := work.New("game", args, seed)
//	queue := work.Pool{Jobs: 2, Kinds: work.Kinds{"game": play}}
//	err = queue.Run(ctx, units, func(i int, result []byte) error { ... }) // called in the order of units
//
// [Pool] is the [Queue] that does units in goroutines of this process. The queue of package server/cluster distributes units
// over many machines.
//
// # Caveats
//
// The number of units may be large: a queue takes each unit from the sequence only shortly before the unit is done, so few
// units are in memory at once.
package work

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
)

// Unit is a piece of work, with all data on which its result depends.
type Unit struct {
	Kind string          `json:"kind"`
	Args json.RawMessage `json:"args"` // the argument args of New, as JSON
	Seed uint64          `json:"seed,omitempty"`
	// Build is the name of the build of krow that must do the unit: a hash of its commit and of its signature, the number that
	// krow bench prints. A queue of many machines sets it.
	Build string `json:"build,omitempty"`
	// Clock means that the result depends on the speed of the machine. So the results of two machines for this unit are not
	// compared.
	Clock bool `json:"clock,omitempty"`
	// Inputs are the hashes of the files that the unit reads, as Hash returns them.
	Inputs []string `json:"inputs,omitempty"`
}

// New returns a unit. Equal args of one type give equal Unit.Args.
func New(kind string, args any, seed uint64) (Unit, error) {
	data, err := json.Marshal(args)
	if err != nil {
		return Unit{}, fmt.Errorf("unit of work %s: %w", kind, err)
	}
	return Unit{Kind: kind, Args: data, Seed: seed}, nil
}

// Hash returns the name of a file with these contents: the first half of their SHA-256 in hexadecimal digits.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// Do does a unit and returns its result. An error means that the unit could not be done. A forfeited game is a result, not an
// error.
type Do func(ctx context.Context, u Unit) (result []byte, err error)

// Kinds maps the name of each kind of work to the function that does it.
type Kinds map[string]Do

// Do does a unit by the function of its kind, and returns an error for an unknown kind.
func (k Kinds) Do(ctx context.Context, u Unit) ([]byte, error) {
	do := k[u.Kind]
	if do == nil {
		return nil, fmt.Errorf("unknown kind of work %q", u.Kind)
	}
	return do(ctx, u)
}

// Queue runs units of work, on any machine and in any order.
type Queue interface {
	// Run does the units and calls result with each result, in the order of the units and from one goroutine. Run ends with the
	// first error in the order of the units. The error can come from a unit, from the sequence of units (except ErrLater), from
	// the function result, or from ctx. Run returns only after this process has stopped work on all its units. Run may take
	// more units from the sequence while result is running, so it must be safe to use the sequence and result at the same time.
	Run(ctx context.Context, units iter.Seq2[Unit, error], result func(i int, result []byte) error) error
}

// ErrLater is yielded by a sequence of units in place of a unit if the next unit depends on a result that has not been
// delivered. The queue advances the sequence again after the next result. If no result is missing, the queue waits for ever.
var ErrLater = errors.New("the next unit of work depends on results")

// ErrCancelled is returned by Queue.Run if somebody has cancelled the work. It is not a failure: the work can be started again.
var ErrCancelled = errors.New("cancelled on the page Machines")

// WithdrawnError is the error of a queue that has delivered wrong results. The results before the first wrong result are
// valid; Run must be called again for the others.
type WithdrawnError struct {
	First int    // index of the first wrong result
	Who   string // the worker that gave the wrong result
}

func (e *WithdrawnError) Error() string {
	return fmt.Sprintf("worker %s gave wrong results, from unit %d on", e.Who, e.First+1)
}

// DeadError is the error that a queue returns if a unit has failed in several tries.
type DeadError struct {
	Index  int
	Reason string
}

func (e *DeadError) Error() string {
	return fmt.Sprintf("unit %d of the work could not be done: %s", e.Index+1, e.Reason)
}

// Each lets q do units 0 to n-1, and calls result with each result in order. If q withdraws results, Each does the units from
// the first withdrawn one again, and calls result for them again.
func Each(ctx context.Context, q Queue, n int, unit func(i int) (Unit, error), result func(i int, data []byte) error) (done int, err error) {
	for from := 0; ; {
		units := func(yield func(Unit, error) bool) {
			for i := from; i < n; i++ {
				u, err := unit(i)
				if !yield(u, err) || err != nil {
					return
				}
			}
		}
		done = from
		err := q.Run(ctx, units, func(i int, data []byte) error {
			err := result(from+i, data)
			if err == nil {
				done = from + i + 1
			}
			return err
		})
		wrong := new(WithdrawnError)
		if !errors.As(err, &wrong) {
			return done, err
		}
		from += wrong.First
	}
}
