// SPDX-License-Identifier: Apache-2.0

// Package runs begins and continues learning runs, stores them, and makes players from the learned states.
//
// # Basics
//
//	r, err := runs.Begin(db, runs.Learning{Learner: "genetic", Game: "ultimate", Seed: 7}) // or continues it
//	err = r.Learn(ctx, func(p learn.CurvePoint) error { ... })                                   // the remaining steps
//	l, err := r.At(0)                                                                      // after the last step
//	err = l.Save("bred.json", 0)
//
// [Ref] names a player learned by a run: run:7,step=15,member=2.
//
// # Caveats
//
// Each step is stored together with its point of the learning curve before the step is reported. A run that was killed
// therefore continues with the same results as an uninterrupted run. If two processes continue the same run, the first to store
// a step succeeds, and the other gets store.ErrConflict.
//
// The states after a few steps ([Rungs]) are kept permanently, so that they can be compared with each other. [Settle] also
// makes the store keep the state of the player that it checks. Other states are lost when the next step is stored.
package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/store"
)

// Kind is the kind of the runs in the store.
const Kind = "learn"

// Learning contains the settings of a learning run. The store keeps its JSON as the settings of the run.
type Learning struct {
	Learner string `json:"learner" maxLength:"200" example:"qlearning:episodes=20" doc:"spec of the learner"`
	Game    string `json:"game" maxLength:"100" example:"mnk:5,5,4"`
	Seed    uint64 `json:"seed" maximum:"1000000000"`
	// Bot is the bot whose parameters are learned. The learner then has no argument target.
	Bot string `json:"bot,omitempty" maxLength:"200" example:"bot:fork,version=3" doc:"the bot in the store whose parameters are learned"`
	// Own is appended to the key, so that members with the same settings have separate runs.
	Own string `json:"-"`
}

// String returns the key of the run in the store.
func (l Learning) String() string {
	text := fmt.Sprintf("%s %s seed=%d", l.Learner, l.Game, l.Seed)
	if l.Bot != "" {
		text += " " + l.Bot
	}
	return text + l.Own
}

// New returns a new learner. more contains additional arguments for the learner's spec that do not change the result, such as
// jobs=2.
func (l Learning) New(more ...string) (learn.Learner, error) {
	g, err := krow.Game(l.Game)
	if err != nil {
		return nil, err
	}
	return krow.Learner(g, spec.With(l.Learner, more...), l.Seed)
}

// CheckUntrusted returns an error if a stranger may not begin the run, whose game is g.
func (l Learning) CheckUntrusted(g game.Game) error {
	if l.Bot != "" {
		// The learner is checked without the bot, and so for a game that has other parameters to learn.
		g, _ = krow.Game("tictactoe")
	}
	_, err := krow.LearnerBy(spec.Untrusted, g, l.Learner, l.Seed)
	return err
}

// open returns a new learner as New does, also if the run learns the parameters of a bot.
func (l Learning) open(db *store.Store, more ...string) (made learn.Learner, err error) {
	if l.Bot == "" {
		return l.New(more...)
	}
	p, err := l.program(db)
	if err == nil {
		err = inTemp(func(dir string) error {
			file, err := writeProgram(dir, p)
			if err == nil {
				made, err = l.New(append([]string{"target=bot(" + file + ")"}, more...)...)
			}
			return err
		})
	}
	return made, err
}

// program returns the program of the bot whose parameters are learned.
func (l Learning) program(db *store.Store) (p bot.Program, err error) {
	ref, is, err := bots.ParseRef(l.Bot)
	if err == nil && !is {
		err = &spec.Error{Msg: fmt.Sprintf("%q is not a bot of this server", l.Bot)}
	}
	if err == nil {
		p, _, err = ref.Program(db)
	}
	return p, err
}

// writeProgram writes the program of a bot to a file in the directory dir, and returns the path of the file.
func writeProgram(dir string, p bot.Program) (file string, err error) {
	file = filepath.Join(dir, p.Name+".star")
	return file, os.WriteFile(file, p.Text, 0o600)
}

// Run is a learning run in the store.
type Run struct {
	*store.Run
	Learning

	db      *store.Store
	more    []string
	learner learn.Learner // its state at Step is restored when it is first needed
}

// ErrState is wrapped by the error for a run whose stored state cannot be restored. Such a run can only be deleted.
var ErrState = errors.New("the state of the run cannot be used")

// Begin begins a run, or continues an earlier one with the same settings. The name of the game is replaced by its full name. The
// argument more is described at [Learning.New].
func Begin(db *store.Store, of Learning, more ...string) (*Run, error) {
	g, err := krow.Game(of.Game)
	if err != nil {
		return nil, err
	}
	of.Game = g.String()
	l, err := of.open(db, more...)
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

// Open returns the learning run with this number. If there is no such run, or if the run is not a learning run, the error wraps
// [store.ErrNoRun].
func Open(db *store.Store, id int64) (*Run, error) {
	r, err := db.Load(id)
	if err == nil && r.Kind != Kind {
		err = fmt.Errorf("run %d is not a learning run, but a run of %s: %w", id, r.Kind, store.ErrNoRun)
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

// List returns all learning runs in the order in which they were begun, without states. If some cannot be read, it returns the
// others with an error.
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
func (r *Run) Curve() ([]learn.CurvePoint, error) { return r.db.Points(r.ID) }

// Learn makes the remaining steps and marks the run as done. After each stored step, Learn calls the function told, if it is
// not nil, with the point of the step. If the function returns an error, the run stops, and can continue later.
func (r *Run) Learn(ctx context.Context, told func(learn.CurvePoint) error) error {
	l, err := r.restored()
	if err != nil {
		return err
	}
	rungs := Rungs(r.Steps)
	err = learn.Run(ctx, l, func(state []byte, p learn.CurvePoint) error {
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
	return r.finish() // needed if the run was killed after its last step
}

var errTimeUp = errors.New("time is up")

// LearnFor does the same as Learn, but unless the time is 0, it pauses at the step that ends closest to the end of this time.
// It assumes that the next step takes as long as the last step.
func (r *Run) LearnFor(ctx context.Context, limit time.Duration, told func(learn.CurvePoint) error) error {
	last := time.Now()
	end := last.Add(limit)
	err := r.Learn(ctx, func(p learn.CurvePoint) error {
		if told != nil {
			if err := told(p); err != nil {
				return err
			}
		}
		now := time.Now()
		halfway := now.Add(now.Sub(last) / 2) // time at which the next step is half done
		last = now
		if limit > 0 && halfway.After(end) {
			return errTimeUp
		}
		return nil
	})
	if errors.Is(err, errTimeUp) {
		return nil
	}
	return err
}

// Weights returns the file of the weights that the run has learned.
func (r *Run) Weights() ([]byte, error) {
	l, err := r.At(0)
	if err != nil {
		return nil, err
	}
	return l.Weights(0)
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
	l, err := r.open(r.db, r.more...)
	if err == nil && r.State != nil {
		err = l.Restore(r.State)
		if done, total := l.Steps(); err == nil && (done != r.Step || total != r.Steps) {
			err = fmt.Errorf("the state belongs to step %d of %d, but the run is at step %d of %d", done, total, r.Step, r.Steps)
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

// Rungs returns the steps whose states are kept permanently: step 1, the steps after an eighth, a quarter and a half of all
// steps, and the last step.
func Rungs(steps int) []int {
	all := []int{1}
	for _, n := range []int{steps / 8, steps / 4, steps / 2, steps} {
		if n > all[len(all)-1] {
			all = append(all, n)
		}
	}
	return all
}

// Rungs returns the completed steps whose states are kept.
func (r *Run) Rungs() []int {
	return slices.DeleteFunc(Rungs(r.Steps), func(n int) bool { return n > r.Step })
}

// stateKey is the key under which the store keeps the state after a step.
func (r *Run) stateKey(step int) string { return fmt.Sprintf("state of %s after %d", r.Key, step) }

func (r *Run) keep(step int, state []byte) error { return r.db.PutPiece(r.stateKey(step), state) }

// stateAt returns the state after a step, or nil if it is not kept.
func (r *Run) stateAt(step int) ([]byte, error) {
	if step == r.Step {
		return r.State, nil
	}
	return r.db.Piece(r.stateKey(step))
}

// beyond returns the error for a request of a step that the run has not made yet.
func (r *Run) beyond(step int) error {
	return fmt.Errorf("run %d has made %d steps, not %d", r.ID, r.Step, step)
}
