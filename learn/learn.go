// SPDX-License-Identifier: Apache-2.0

// Package learn is the contract of learners. A learner improves the parameters of a heuristic step by step. It can be
// stopped after any step, and go on later as if nothing had happened. The learners are in the packages below this one.
//
// # Basics
//
//	err := learn.Run(ctx, l, func(state []byte, p learn.Point) error {
//		fmt.Println(p.Step, p.Games, p.Values)
//		return os.WriteFile("state", state, 0o644)
//	})
//	err = l.Save("weights.json")
//
// # Caveats
//
// Same settings, same seed, same result, however often the run was interrupted. So a learner takes its random numbers
// from its own [Source], which is part of its state, or from rng.Mix of the seed and the number of the game.
package learn

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// Learner improves parameters. A step is an episode, a generation or an iteration. A Learner belongs to one goroutine.
type Learner interface {
	// Steps returns how many steps are done, and how many there are in all.
	Steps() (done, total int)
	// Step makes the next step and returns its point of the learning curve. After an error, such as that of a ctx that
	// is done, the learner is as it was before the step. A step beyond the last is an error.
	Step(ctx context.Context) (Point, error)
	// State returns all that is needed to go on, as JSON.
	State() ([]byte, error)
	// Restore continues from a state. It refuses the state of another learner, game or settings in one line, and then
	// the learner is as it was.
	Restore(state []byte) error
	// Save writes what was learned so far to a file of weights.
	Save(name string) error
}

// Point is a point of a learning curve.
type Point struct {
	Step   int                // counts from 1
	Games  uint64             // played since the beginning
	Values map[string]float64 // what is worth plotting, by name
}

// Run makes the steps that are left, and gives the state and the point of each to save. It ends at the first
// error, which may be save's or that of ctx.
func Run(ctx context.Context, l Learner, save func(state []byte, p Point) error) error {
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

// MaxJobs bounds the games or players at once.
const MaxJobs = 1024

// Within returns an error in one line unless a setting is from lo to hi.
func Within[T cmp.Ordered](setting string, x, lo, hi T) error {
	if x >= lo && x <= hi { // false for NaN
		return nil
	}
	return fmt.Errorf("%s must be from %v to %v, not %v", setting, lo, hi, x)
}

// Positive returns an error in one line unless a setting is above 0 and at most hi.
func Positive(setting string, x, hi float64) error {
	if x > 0 && x <= hi { // false for NaN
		return nil
	}
	return fmt.Errorf("%s must be above 0 and at most %g, not %g", setting, hi, x)
}

// Parallel does work for 0 to n-1 on as many goroutines as jobs says. Each goroutine asks worker for a function of its
// own. The first error ends the context of all others and is returned; so is the error of ctx.
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
