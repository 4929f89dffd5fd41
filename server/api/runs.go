// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/players"
	"github.com/krow-lab/krow/server/runs"
	"github.com/krow-lab/krow/server/store"
)

// RunItem is a learning run in a list.
type RunItem struct {
	store.Run
	runs.Learning
	Work gate.Work `json:"work"`
}

// RunView is a learning run with its learning curve.
type RunView struct {
	RunItem
	Curve  []learn.CurvePoint `json:"curve" nullable:"false"`
	Rungs  []int              `json:"rungs" nullable:"false" doc:"completed steps after which the learned weights were kept: run:ID,step=N is a player with the weights of step N"`
	Colony *runs.Colony       `json:"colony,omitempty" doc:"players of a run of the genetic learner"`
}

func (s *Server) item(r *runs.Run) RunItem {
	return RunItem{*r.Run, r.Learning, s.jobs.Look(jobOf(r.ID))}
}

// latestRuns returns the learning runs that the caller's list shows, the latest first. It leaves out unreadable runs.
func (s *Server) latestRuns(ctx context.Context) []*runs.Run {
	all, err := runs.List(s.db)
	if err != nil {
		s.log.Error("runs are not listed", "error", err)
	}
	slices.Reverse(all)
	return slices.DeleteFunc(all, func(r *runs.Run) bool { return !listed(ctx, *r.Run) })
}

func (s *Server) runs(ctx context.Context, _ *struct{}) (out []RunItem, err error) {
	for _, r := range s.latestRuns(ctx) {
		out = append(out, s.item(r))
	}
	return out, nil
}

func (s *Server) runView(id int64) (RunView, error) {
	r, err := runs.Open(s.db, id)
	if err != nil {
		return RunView{}, err
	}
	points, err := r.Curve()
	if err != nil {
		return RunView{}, err
	}
	return RunView{s.item(r), append([]learn.CurvePoint{}, points...), r.Rungs(), r.Best()}, nil
}

type learningInput struct{ Body runs.Learning }

func (s *Server) startRun(ctx context.Context, in *learningInput) (RunView, error) {
	if err := s.room(ctx); err != nil {
		return RunView{}, err
	}
	of := in.Body
	g, err := request.GameOf(of.Game)
	if err != nil {
		return RunView{}, err
	}
	if of.Bot != "" {
		if of.Bot, err = s.mine(ctx).Own(of.Bot); err != nil {
			return RunView{}, err
		}
	}
	if err := of.CheckUntrusted(g); err != nil {
		return RunView{}, badLearner.wrap(err, of.Learner)
	}
	of.Game = g.String()
	id, err := s.beginRun(ctx, runs.Kind, of.String(), func(own string) (*store.Run, error) {
		of.Own = own
		r, err := runs.Begin(s.db, of)
		if err == nil {
			return r.Run, nil
		}
		if bad, ok := errors.AsType[*spec.Error](err); ok { // only the bot of the run shows this error
			err = badLearner.wrap(bad, of.Learner)
		}
		return nil, err
	}, func(ctx context.Context, id int64) error {
		r, err := runs.Open(s.db, id) // the state may have changed while the job waited for its turn
		if err != nil {
			return err
		}
		return r.Learn(ctx, nil)
	})
	if err != nil {
		return RunView{}, err
	}
	return s.runView(id)
}

// aboutRuns adds the operations on one run of a kind (a match or a learning run). view returns the state of the run.
func aboutRuns[V any](s *Server, kind, id, path, tag, what string, view func(id int64) (V, error)) {
	answerJSON(s, with(s.looking, op(club.Watcher, id, "GET", path, tag, "The current state of a "+what)),
		func(_ context.Context, in *RunRef) (V, error) { return view(in.ID) })
	answerJSON(s, op(club.Member, "stop-"+id, "POST", path+"/stop", tag, "Stop a "+what+"; beginning it again continues it"), func(ctx context.Context, in *RunRef) (v V, err error) {
		if err := s.mayRun(ctx, club.Stop, in.ID, kind); err != nil {
			return v, err
		}
		s.jobs.Stop(ctx, jobOf(in.ID))
		return view(in.ID)
	})
	remove(s, op(club.Member, "delete-"+id, "DELETE", path, tag, "Delete a "+what), func(ctx context.Context, in *RunRef) error {
		if err := s.mayRun(ctx, club.Delete, in.ID, kind); err != nil {
			return err
		}
		if s.jobs.Look(jobOf(in.ID)).Going() {
			return goingOn.new()
		}
		if err := s.db.Delete(in.ID); !errors.Is(err, store.ErrNoRun) {
			return err
		}
		return nil
	})
}

// beginRun begins or continues a run of a kind, and starts its job, which calls work. It returns the number of the run. It calls
// begin with a suffix for the run's key: see ownKey.
func (s *Server) beginRun(ctx context.Context, kind, key string, begin func(own string) (*store.Run, error), work func(ctx context.Context, id int64) error) (id int64, err error) {
	err = s.jobs.Start(clientOf(ctx), func() (string, error) {
		own, err := s.ownKey(ctx, kind, key)
		if err != nil {
			return "", err
		}
		r, err := begin(own)
		if err != nil {
			return "", err
		}
		id = r.ID
		if err := s.db.OwnRun(id, club.From(ctx).Member); err != nil || r.Done {
			return "", err
		}
		return jobOf(id), nil
	}, func(ctx context.Context, _ func(string)) error { return work(ctx, id) })
	return id, err
}

// ownKey returns a suffix for the key of a run that the caller begins. The suffix is empty, unless a run with this key exists
// and the caller may not change it. Then the suffix makes the key different, so that the new run belongs to the caller.
func (s *Server) ownKey(ctx context.Context, kind, key string) (string, error) {
	all, err := s.db.Runs(kind)
	for _, r := range all {
		if r.Key == key && !club.May(club.From(ctx), club.Change, runThing(r)) {
			return fmt.Sprintf(" member=%d", club.From(ctx).Member), nil
		}
	}
	return "", err
}

// mayRun returns nil if the caller may perform the action do on the run, otherwise an error. If the caller may not even look at
// the run, the error is the same as for a missing run.
func (s *Server) mayRun(ctx context.Context, do club.Action, id int64, kind string) error {
	r, err := s.runOf(id, kind)
	switch who := club.From(ctx); {
	case err != nil || club.May(who, do, runThing(*r)):
		return err
	case !club.May(who, club.Look, runThing(*r)):
		return noRun.new()
	}
	return notAllowed.new()
}

// weights returns the weights of a run as a file that players can load.
func (s *Server) weights(_ context.Context, in *RunRef) (*request.File, error) {
	var data []byte
	l, err := runs.Find(s.db, runs.Ref{Run: in.ID})
	if err == nil {
		data, err = l.Weights(0)
	}
	if err != nil {
		return nil, s.fault(err)
	}
	return &request.File{Type: "application/json", Disposition: fmt.Sprintf(`attachment; filename="run-%d.json"`, in.ID), Body: data}, nil
}

// runEvents sends a run now and after each step, even if another process computes the steps.
func (s *Server) runEvents(ctx context.Context, in *RunRef, send sse.Sender) {
	s.poll(ctx, func() (any, string, bool) {
		v, err := s.runView(in.ID)
		if err != nil || s.mayRun(ctx, club.Look, in.ID, runs.Kind) != nil { // the run may have become private since the stream began
			return Gone{}, "gone", true
		}
		return v, fmt.Sprint(v.Step, v.Steps, v.Done, v.Work), v.Done
	}, send)
}

// player makes the player of a spec from a request. The spec may also name a learning run or a stored bot.
func (s *Server) player(g game.Game, text string, seed uint64) (player.Player, error) {
	if players.Kept(text) == "" {
		return request.PlayerOf(g, text, seed)
	}
	maker, err := players.Maker(s.db, s.hub, g, spec.Untrusted, text)
	if err != nil {
		return nil, err
	}
	return maker(seed)
}

// settled returns the spec to store for a player. The spec always means the same player: it contains the version of a bot, for
// example. Every operation that stores a player calls settled. A run that the caller may not look at, or a bot that the caller
// may not play against, is reported as missing.
func (s *Server) settled(ctx context.Context, g game.Game, text string) (string, error) {
	if ref, is, err := runs.ParseRef(text); is && err == nil {
		if r, err := s.db.Load(ref.Run); err == nil && !club.May(club.From(ctx), club.Look, runThing(*r)) {
			return "", noRun.new()
		}
	}
	if ref, is, err := bots.ParseRef(text); is && err == nil {
		if err := s.mine(ctx).May(ref); err != nil {
			return "", err
		}
	}
	now, err := players.Settle(s.db, g, text)
	return now, badPlayer.wrap(err, text)
}
