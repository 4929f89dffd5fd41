// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/learn"
)

// learnKind is what runs of learning are in the store, as the command line keeps them too: either goes on with what
// the other began.
const learnKind = "learn"

// Learning is what a run of learning follows from. Its JSON is the settings of the run in the store.
type Learning struct {
	Learner string `json:"learner" maxLength:"200" example:"qlearning:episodes=20" doc:"spec"`
	Game    string `json:"game" maxLength:"100" example:"mnk:5,5,4"`
	Seed    uint64 `json:"seed" maximum:"1000000000"`
}

func (l Learning) key() string { return fmt.Sprintf("%s %s seed=%d", l.Learner, l.Game, l.Seed) }

// learner returns the learner before its first step.
func (l Learning) learner() (learn.Learner, error) {
	if err := public(l.Learner); err != nil {
		return nil, err
	}
	g, err := gameOf(l.Game)
	if err != nil {
		return nil, err
	}
	return catalog.Learner(g, l.Learner, l.Seed)
}

// RunItem is a run of learning in a list.
type RunItem struct {
	ID int64 `json:"id"`
	Learning
	Step    int       `json:"step"`
	Steps   int       `json:"steps"`
	Done    bool      `json:"done"`
	Work    Work      `json:"work"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
}

// RunView is a run of learning with its curve.
type RunView struct {
	RunItem
	Curve  []CurvePoint `json:"curve" nullable:"false"`
	Rungs  []int        `json:"rungs" nullable:"false" doc:"steps after which what was learned is kept, of those that are made: the players run:ID,step=N"`
	Colony *Colony      `json:"colony,omitempty" doc:"what a run that breeds has bred"`
}

// CurvePoint is a point of a learning curve.
type CurvePoint struct {
	Step   int                `json:"step"`
	Games  uint64             `json:"games" doc:"played since the beginning"`
	Values map[string]float64 `json:"values"`
}

func (s *Server) item(r *store.Run) (RunItem, error) {
	v := RunItem{ID: r.ID, Step: r.Step, Steps: r.Steps, Done: r.Done, Work: s.jobs.look(jobOf(r.ID)), Created: r.Created.UTC(), Updated: r.Updated.UTC()}
	return v, json.Unmarshal(r.Spec, &v.Learning)
}

type runsOutput struct {
	Body struct {
		Runs []RunItem `json:"runs" nullable:"false" doc:"the latest first"`
	}
}

func (s *Server) runs(context.Context, *struct{}) (*runsOutput, error) {
	all, err := s.db.Runs(learnKind)
	if err != nil {
		return nil, s.fault(err)
	}
	out := &runsOutput{}
	out.Body.Runs = []RunItem{}
	for _, r := range slices.Backward(all) {
		if v, err := s.item(&r); err == nil {
			out.Body.Runs = append(out.Body.Runs, v)
		}
	}
	return out, nil
}

type runOutput struct{ Body RunView }

func (s *Server) run(_ context.Context, in *RunRef) (*runOutput, error) { return s.runView(in.ID) }

func (s *Server) runView(id int64) (*runOutput, error) {
	r, err := s.runOf(id, learnKind)
	if err != nil {
		return nil, err
	}
	points, err := s.db.Points(id)
	if err != nil {
		return nil, s.fault(err)
	}
	v, err := s.item(r)
	if err != nil {
		return nil, s.fault(err)
	}
	out := &runOutput{RunView{v, []CurvePoint{}, []int{}, colonyOf(r)}}
	for _, n := range rungs(r.Steps) {
		if n <= r.Step {
			out.Body.Rungs = append(out.Body.Rungs, n)
		}
	}
	for _, p := range points {
		out.Body.Curve = append(out.Body.Curve, CurvePoint{p.Step, p.Games, p.Values})
	}
	return out, nil
}

type learningInput struct{ Body Learning }

// startRun begins a run of learning, or goes on with it.
func (s *Server) startRun(_ context.Context, in *learningInput) (*runOutput, error) {
	id := in.Body
	l, err := id.learner()
	if err != nil {
		return nil, badLearner.of(err, id.Learner)
	}
	g, err := gameOf(id.Game)
	if err != nil {
		return nil, err
	}
	id.Game = g.String()
	spec, err := json.Marshal(id)
	if err != nil {
		return nil, s.fault(err)
	}
	_, steps := l.Steps()
	r, err := s.db.Run(learnKind, id.key(), spec, steps)
	if err != nil {
		return nil, s.fault(err)
	}
	if !r.Done {
		if err := s.jobs.start(jobOf(r.ID), func(ctx context.Context, _ func(string)) error { return s.learn(ctx, r.ID) }); err != nil {
			return nil, s.fault(err)
		}
	}
	return s.runView(r.ID)
}

// restored returns a run with its learner where it is.
func (s *Server) restored(id int64) (*store.Run, learn.Learner, error) {
	r, err := s.db.Load(id)
	if err != nil {
		return nil, nil, err
	}
	l, err := learnerAt(r, r.State)
	return r, l, err
}

// learn makes the steps that are left of a run.
func (s *Server) learn(ctx context.Context, id int64) error {
	r, l, err := s.restored(id)
	if err != nil {
		return err
	}
	kept := rungs(r.Steps)
	err = learn.Run(ctx, l, func(state []byte, p learn.Point) error {
		if slices.Contains(kept, p.Step) {
			if err := s.keepState(r, p.Step, state); err != nil {
				return err
			}
		}
		return s.db.SaveStep(r, state, store.Point{Step: p.Step, Games: p.Games, Values: p.Values})
	})
	if err != nil {
		return err
	}
	return s.db.Finish(r)
}

func (s *Server) stopRun(ctx context.Context, in *RunRef) (*runOutput, error) {
	if _, err := s.runOf(in.ID, learnKind); err != nil {
		return nil, err
	}
	s.jobs.stop(ctx, jobOf(in.ID))
	return s.runView(in.ID)
}

// weights returns what a run has learned so far as a file that players load.
func (s *Server) weights(_ context.Context, in *RunRef) (*exportOutput, error) {
	if _, err := s.runOf(in.ID, learnKind); err != nil {
		return nil, err
	}
	_, l, err := s.restored(in.ID)
	if err != nil {
		return nil, s.fault(err)
	}
	dir, err := os.MkdirTemp("", "krow-web-")
	if err != nil {
		return nil, s.fault(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "weights.json")
	err = l.Save(name)
	var data []byte
	if err == nil {
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, s.fault(err)
	}
	return &exportOutput{"application/json", fmt.Sprintf(`attachment; filename="run-%d.json"`, in.ID), data}, nil
}

// runEvents sends a run now and after each step, whoever makes it: this server, or a command line beside it.
func (s *Server) runEvents(ctx context.Context, in *RunRef, send sse.Sender) {
	s.poll(ctx, func() (any, string, bool) {
		out, err := s.runView(in.ID)
		if err != nil {
			return Gone{}, "gone", true
		}
		v := out.Body
		return v, fmt.Sprint(v.Step, v.Steps, v.Done, v.Work), v.Done
	}, send)
}

// forgetRun removes a run that does not run, of learning or a match.
func (s *Server) forgetRun(kind string) func(context.Context, *RunRef) (*struct{}, error) {
	return func(_ context.Context, in *RunRef) (*struct{}, error) {
		if _, err := s.runOf(in.ID, kind); err != nil {
			return nil, err
		}
		if state := s.jobs.look(jobOf(in.ID)).State; state == running || state == waiting {
			return nil, goingOn.plain()
		}
		if err := s.db.Delete(in.ID); err != nil && !errors.Is(err, store.ErrNoRun) {
			return nil, s.fault(err)
		}
		return nil, nil
	}
}
