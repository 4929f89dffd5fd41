// SPDX-License-Identifier: Apache-2.0

// Package learn defines the interface of learners. A learner improves parameters, such as the weights of a heuristic, step by
// step. It can be stopped after any step, and resumed later with the same result. The packages below this one contain the
// learners.
//
// # Basics
//
//	err := learn.Run(ctx, l, func(state []byte, p learn.CurvePoint) error {
//		fmt.Println(p.Step, p.Games, p.Values)
//		return os.WriteFile("state", state, 0o644)
//	})
//	err = l.Save("weights.json")
//
// # Caveats
//
// The same settings and seed give the same result, even if learning was interrupted. So a learner takes its random numbers from
// its own [Source], which is part of its state, or computes them with rng.Mix from the seed and the number of the game.
package learn

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/internal/rng"
)

// Learner improves parameters. A step is an episode, a generation or an iteration. Only one goroutine may use a Learner.
type Learner interface {
	// Steps returns the number of completed steps, and of all steps.
	Steps() (done, total int)
	// Step makes the next step, of which there must be one, and returns its point of the learning curve. If it returns an error,
	// for example because ctx is done, the learner is in the same state as before the step.
	Step(ctx context.Context) (CurvePoint, error)
	// State returns the state that is needed to resume, as JSON.
	State() ([]byte, error)
	// Restore sets the learner to a state that State returned. It returns an error for a state of another learner, game or settings,
	// and then leaves the learner unchanged.
	Restore(state []byte) error
	// Save writes the current parameters to a file of weights.
	Save(name string) error
}

// Run makes the remaining steps. After each step it calls save with the learner's state and the step's point. It stops at the
// first error, which may be an error of save or ctx.
func Run(ctx context.Context, l Learner, save func(state []byte, p CurvePoint) error) error {
	for {
		done, total := l.Steps()
		if done >= total {
			return nil
		}
		p, err := l.Step(ctx)
		if err != nil {
			return fmt.Errorf("step %d: %w", done+1, err)
		}
		state, err := l.State()
		if err != nil {
			return fmt.Errorf("state after step %d: %w", done+1, err)
		}
		if err := save(state, p); err != nil {
			return fmt.Errorf("saving step %d: %w", done+1, err)
		}
	}
}

// MaxJobs is the maximum of a learner's option Jobs.
const MaxJobs = 1024

// Within returns an error unless the value x of a setting is from lo to hi.
func Within[T cmp.Ordered](setting string, x, lo, hi T) error {
	if x >= lo && x <= hi { // the condition is false for NaN
		return nil
	}
	return fmt.Errorf("%s must be from %v to %v, not %v", setting, lo, hi, x)
}

// Positive returns an error unless the value x of a setting is above 0 and at most hi.
func Positive(setting string, x, hi float64) error {
	if x > 0 && x <= hi { // the condition is false for NaN
		return nil
	}
	return fmt.Errorf("%s must be above 0 and at most %g, not %g", setting, hi, x)
}

// Parallel does the work items 0 to n-1, on jobs goroutines. Each goroutine calls worker once to get its own work function. The
// first error of a worker cancels the contexts of all workers, and Parallel returns this error. If ctx is done, Parallel
// returns the error of ctx.
func Parallel(ctx context.Context, n, jobs int, worker func(ctx context.Context) (work func(i int) error, err error)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(jobs, n) {
		wg.Go(func() {
			work, err := worker(ctx)
			for i := int(next.Add(1)) - 1; err == nil && i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				err = work(i)
			}
			if err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

const (
	kind    = "learning"
	version = 1
)

// ErrDamaged is returned for a state whose parts do not fit together.
var ErrDamaged = errors.New("the state is damaged: its parts do not fit together")

// document is the JSON form of a state. Each learner has its own format for "state":
//
//	{"krow":"learning","version":1,"game":"ultimate","learner":"genetic","seed":1,"settings":{...},"state":{...}}
type document struct {
	Krow     string          `json:"krow"`
	Version  int             `json:"version"`
	Game     string          `json:"game"`
	Learner  string          `json:"learner"`
	Seed     uint64          `json:"seed"`
	Settings json.RawMessage `json:"settings"`
	State    json.RawMessage `json:"state"`
}

// Encode returns the state of a learner as JSON. o describes the learner, and body is the value of "state".
func Encode(o weights.Origin, body any) ([]byte, error) {
	settings, err := json.Marshal(o.Settings)
	if err != nil {
		return nil, err
	}
	state, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return json.Marshal(document{kind, version, o.Game, o.Learner, o.Seed, settings, state})
}

// Decode is the inverse of Encode: it stores the value of "state" in body. It returns an error if the state is invalid, or if its
// learner, game, seed or settings differ from o.
func Decode(state []byte, o weights.Origin, body any) error {
	var d document
	err := json.Unmarshal(state, &d)
	switch {
	case err != nil || d.Krow != kind || d.Version < 1 || d.State == nil:
		return errors.New("not the state of a learner")
	case d.Version > version:
		return fmt.Errorf("version %d of the learner's state is newer than this krow, which reads %d", d.Version, version)
	case d.Learner != o.Learner:
		return fmt.Errorf("the state is of the learner %q, not %s", d.Learner, o.Learner)
	case d.Game != o.Game:
		return fmt.Errorf("the state is of the game %q, not %s", d.Game, o.Game)
	case d.Seed != o.Seed:
		return fmt.Errorf("the state is of the seed %d, not %d", d.Seed, o.Seed)
	}
	settings, err := json.Marshal(o.Settings)
	if err != nil {
		return err
	}
	if !bytes.Equal(settings, d.Settings) {
		return fmt.Errorf("the state is of the settings %s, not %s", d.Settings, settings)
	}
	if err := json.Unmarshal(d.State, body); err != nil {
		return fmt.Errorf("state of the learner: %w", err)
	}
	return nil
}

// Source is a source of random numbers that can be part of a state. In JSON it is a string: the two words of the generator in 32
// hexadecimal digits, high word first. The zero value is a source with the seed 0.
type Source struct{ pcg rand.PCG }

// magic is the prefix that math/rand/v2 writes before the two words of the generator.
const magic = "pcg:"

// NewSource returns a source with the given seed.
func NewSource(seed uint64) *Source {
	s := new(Source)
	s.pcg.Seed(seed, rng.Mix(seed))
	return s
}

// Uint64 returns the next number.
func (s *Source) Uint64() uint64 { return s.pcg.Uint64() }

// MarshalText returns the state of the source as text.
func (s *Source) MarshalText() ([]byte, error) {
	b, err := s.pcg.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return hex.AppendEncode(nil, b[len(magic):]), nil
}

// UnmarshalText is the inverse of MarshalText. It returns an error for any other text.
func (s *Source) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	if err != nil || len(b) != 16 {
		return errors.New("a random source must be 32 hexadecimal digits")
	}
	return s.pcg.UnmarshalBinary(append([]byte(magic), b...))
}
