// SPDX-License-Identifier: Apache-2.0

// Package work defines units of work, and does them in this process.
//
// A unit is data: a kind, its arguments, a seed, the build of krow and the hashes of the files it reads. Its result is a
// function of the unit wherever no clock is involved. So it does not matter who does it, or how often.
//
// # Basics
//
//	u, err := work.New("game", args, seed)
//	queue := work.Pool{Jobs: 2, Kinds: work.Kinds{"game": play}}
//	err = queue.Run(ctx, units, func(i int, result []byte) error { ... }) // in the order of units
//
// [Pool] is the [Queue] of this process: goroutines, and no server. Package server/cluster distributes them over many
// machines.
//
// # Caveats
//
// The number of units may be large: units are asked for as they are needed, and few are ahead of the oldest that is not done.
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

// Unit is a piece of work.
type Unit struct {
	Kind string          `json:"kind"`
	Args json.RawMessage `json:"args"` // as New writes them
	Seed uint64          `json:"seed,omitempty"`
	// Build is the build of krow that does the unit, with its signature. A queue of many machines sets it.
	Build string `json:"build,omitempty"`
	// Clock reports that the result depends on the machine: it is not compared with the result of another machine.
	Clock bool `json:"clock,omitempty"`
	// Inputs are the hashes of the files that the unit reads, as Hash returns them.
	Inputs []string `json:"inputs,omitempty"`
}

// New returns a unit. Equal arguments of one type are equal bytes.
func New(kind string, args any, seed uint64) (Unit, error) {
	data, err := json.Marshal(args)
	if err != nil {
		return Unit{}, fmt.Errorf("unit of work %s: %w", kind, err)
	}
	return Unit{Kind: kind, Args: data, Seed: seed}, nil
}

// Hash returns the name of a file: the first half of its SHA-256 in hexadecimal digits.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// Do does a unit. Its error means that the unit could not be done; a game that was forfeited is a result.
type Do func(ctx context.Context, u Unit) (result []byte, err error)

// Kinds maps the name of each kind of work to the function that does it.
type Kinds map[string]Do

// Do does a unit of a kind in the table.
func (k Kinds) Do(ctx context.Context, u Unit) ([]byte, error) {
	do := k[u.Kind]
	if do == nil {
		return nil, fmt.Errorf("unknown kind of work %q", u.Kind)
	}
	return do(ctx, u)
}

// Queue runs units of work, on any machine and in any order.
type Queue interface {
	// Run hands out units and calls result with each result, in the order of the units and from one goroutine. The
	// first error in that order ends it: of a unit, of the sequence of units (except ErrLater), of result, or of ctx.
	// Run returns when nothing of it is being done in this process any more. The sequence may be asked while result is
	// called.
	Run(ctx context.Context, units iter.Seq2[Unit, error], result func(i int, result []byte) error) error
}

// ErrLater is yielded by a sequence of units instead of a unit when the next one depends on a result that is not
// delivered yet. It is asked again. There must be such a unit: else the queue waits for ever.
var ErrLater = errors.New("the next unit of work depends on results")

// WithdrawnError is the error of a queue that has delivered wrong results. Those before the first of them count; the
// others are got by another Run.
type WithdrawnError struct {
	First int    // index of the first wrong result
	Who   string // the worker that gave it
}

func (e *WithdrawnError) Error() string {
	return fmt.Sprintf("worker %s gave wrong results, from unit %d on", e.Who, e.First+1)
}

// DeadError is the error of a queue for a unit that was tried too often.
type DeadError struct {
	Index  int
	Reason string
}

func (e *DeadError) Error() string {
	return fmt.Sprintf("unit %d of the work could not be done: %s", e.Index+1, e.Reason)
}

// Each has units 0 to n-1 done by q, and calls result with each result in order. Results that are withdrawn come a second time,
// from the first of them on. It returns the number of units with a result that was not withdrawn.
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
