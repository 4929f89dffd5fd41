// SPDX-License-Identifier: Apache-2.0

// Package runs is about learning runs: it begins and continues them, keeps them in a store, and makes players from
// the learned states.
//
// # Basics
//
//	r, err := runs.Begin(db, runs.Learning{Learner: "genetic", Game: "ultimate", Seed: 7}) // or continues it
//	err = r.Learn(ctx, func(p learn.Point) error { ... })                                   // the steps that are left
//	l, err := r.At(0)                                                                      // after the last step
//	err = l.Save("bred.json", 0)
//
// [Ref] names a player learned by a run: run:7,step=15,member=2.
//
// # Caveats
//
// Each step is stored with its point of the learning curve before it is reported. A run that was killed therefore
// continues as if nothing had happened. If two processes continue the same run, the first to store a step has it, and
// the other gets store.ErrConflict.
//
// The states after a few steps ([Rungs]) are kept for good, to compare the steps of a run with each other, and so is the state
// that a player was settled on ([Settle]) during the run. Other states are not kept.
package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/server/store"
)

// Kind is the kind of the runs in the store.
const Kind = "learn"

// Learning contains the settings of a learning run. Its JSON is the settings of the run in the store.
type Learning struct {
	Learner string `json:"learner" maxLength:"200" example:"qlearning:episodes=20" doc:"spec"`
	Game    string `json:"game" maxLength:"100" example:"mnk:5,5,4"`
	Seed    uint64 `json:"seed" maximum:"1000000000"`
	// Own is the end of the key, so that a member has a run of their own by settings that another one has used.
	Own string `json:"-"`
}

// String returns the key of the run in the store.
func (l Learning) String() string {
	return fmt.Sprintf("%s %s seed=%d%s", l.Learner, l.Game, l.Seed, l.Own)
}

// New returns the learner before its first step. more are arguments that do not change what it learns, such as jobs=2.
func (l Learning) New(more ...string) (learn.Learner, error) {
	g, err := krow.Game(l.Game)
	if err != nil {
		return nil, err
	}
	return krow.Learner(g, spec.With(l.Learner, more...), l.Seed)
}

// Run is the state of a run in the store.
type Run struct {
	*store.Run
	Learning

	db      *store.Store
	more    []string
	learner learn.Learner // at Step, once it is needed
}

// ErrState is wrapped by the error for a run whose state cannot be used. The run must be forgotten.
var ErrState = errors.New("the state of the run cannot be used")

// Begin begins a run or continues an earlier one. The game gets its own name. more is as for [Learning.New].
func Begin(db *store.Store, of Learning, more ...string) (*Run, error) {
	g, err := krow.Game(of.Game)
	if err != nil {
		return nil, err
	}
	of.Game = g.String()
	l, err := of.New(more...)
	if err != nil {
		return nil, err
	}
	settings, err := json.Marshal(of)
	if err != nil {
		return nil, err
	}
	_, steps := l.Steps()
	r, err := db.Run(Kind, of.String(), settings, steps)
	if err != nil {
		return nil, err
	}
	begun := &Run{Run: r, Learning: of, db: db, more: more}
	_, err = begun.restored()
	return begun, err
}

// Open returns a run by its number. For a run of another kind the error is also [store.ErrNoRun].
func Open(db *store.Store, id int64) (*Run, error) {
	r, err := db.Load(id)
	if err == nil && r.Kind != Kind {
		err = fmt.Errorf("run %d is not of learning, but of %s: %w", id, r.Kind, store.ErrNoRun)
	}
	if err != nil {
		return nil, err
	}
	return newRun(db, r)
}

func newRun(db *store.Store, r *store.Run) (*Run, error) {
	all := &Run{Run: r, db: db}
	if err := json.Unmarshal(r.Spec, &all.Learning); err != nil {
		return nil, fmt.Errorf("run %d: settings: %w", r.ID, err)
	}
	return all, nil
}

// List returns all runs in the order they were begun, without states. With an error it returns those it can read.
func List(db *store.Store) (all []*Run, err error) {
	kept, err := db.Runs(Kind)
	for i := range kept {
		r, e := newRun(db, &kept[i])
		if e != nil {
			err = cmp.Or(err, e)
			continue
		}
		all = append(all, r)
	}
	return all, err
}

// Forget removes the run and its learning curve.
func (r *Run) Forget() error { return r.db.Delete(r.ID) }

// Curve returns the learning curve from the first step on.
func (r *Run) Curve() ([]learn.Point, error) { return r.db.Points(r.ID) }

// Learn makes the remaining steps and marks the run as done. Each step is stored before told, unless nil, is called.
// An error returned by told stops the work, which can continue later.
func (r *Run) Learn(ctx context.Context, told func(learn.Point) error) error {
	l, err := r.restored()
	if err != nil {
		return err
	}
	rungs := Rungs(r.Steps)
	err = learn.Run(ctx, l, func(state []byte, p learn.Point) error {
		if slices.Contains(rungs, p.Step) {
			if err := r.keep(p.Step, state); err != nil {
				return err
			}
		}
		if err := r.db.SaveStep(r.Run, state, p); err != nil {
			return err
		}
		if err := r.finish(); err != nil {
			return err
		}
		if told == nil {
			return nil
		}
		return told(p)
	})
	if err != nil {
		return err
	}
	return r.finish() // of a run that was killed after its last step
}

func (r *Run) finish() error {
	if r.Done || r.Step < r.Steps {
		return nil
	}
	return r.db.Finish(r.Run)
}

func (r *Run) restored() (learn.Learner, error) {
	if r.learner != nil {
		return r.learner, nil
	}
	l, err := r.New(r.more...)
	if err == nil && r.State != nil {
		err = l.Restore(r.State)
		if done, total := l.Steps(); err == nil && (done != r.Step || total != r.Steps) {
			err = fmt.Errorf("the state is of step %d of %d, and the run at %d of %d", done, total, r.Step, r.Steps)
		}
		if err != nil {
			err = stateError{fmt.Errorf("run %d: %w", r.ID, err)}
		}
	}
	if err != nil {
		return nil, err
	}
	r.learner = l
	return l, nil
}

type stateError struct{ error }

func (stateError) Is(target error) bool { return target == ErrState }

// Rungs returns the steps whose states are kept: the first, an eighth, a quarter and a half of all, and the last.
func Rungs(steps int) []int {
	all := []int{1}
	for _, n := range []int{steps / 8, steps / 4, steps / 2, steps} {
		if n > all[len(all)-1] {
			all = append(all, n)
		}
	}
	return all
}

// stateCell is the study under which the store keeps states. The variant is the run, the key its step.
const stateCell = "state"

func (r *Run) keep(step int, state []byte) error {
	return r.db.PutCell(stateCell, r.Key, strconv.Itoa(step), state)
}

// stateAt returns the state after a step, or nil if it is not kept.
func (r *Run) stateAt(step int) ([]byte, error) {
	if step == r.Step {
		return r.State, nil
	}
	return r.db.Cell(stateCell, r.Key, strconv.Itoa(step))
}

// beyond is the error for a step that the run has not made.
func (r *Run) beyond(step int) error {
	return fmt.Errorf("run %d has made %d steps, not %d", r.ID, r.Step, step)
}
