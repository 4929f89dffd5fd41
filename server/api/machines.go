// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/cluster"
	"github.com/krow-lab/krow/server/machines"
	"github.com/krow-lab/krow/server/match"
)

func (s *Server) registerMachines() {
	answerJSON(s, op(club.Organiser, "machines", "GET", "/machines", "machines", "The machines that work for the server, and their runs"), s.lookAtMachines)
	answerJSON(s, op(club.Organiser, "steer", "POST", "/machines/runs/{name}", "machines", "Pause, resume or cancel a run, or change its priority"), s.steer)
}

// Machines describes the machines that work for the server, and their runs.
type Machines struct {
	cluster.View
	On   bool   `json:"on" doc:"whether the server hands out work"`
	Join string `json:"join,omitempty" doc:"URL for krow work --join"`
}

func (s *Server) lookAtMachines(context.Context, *struct{}) (Machines, error) {
	if s.o.Machines == nil {
		return Machines{View: cluster.View{Workers: []cluster.WorkerState{}, Runs: []cluster.RunState{}}}, nil
	}
	v := s.o.Machines.View()
	v.Runs = slices.DeleteFunc(v.Runs, func(r cluster.RunState) bool { return r.Finished })
	return Machines{View: v, On: true, Join: s.o.Machines.Join}, nil
}

// machineRef names a run on which other machines work, and contains an order for the run, such as to pause.
type machineRef struct {
	Name string `path:"name" maxLength:"40" pattern:"^[A-Za-z0-9_-]+$"`
	Body cluster.Order
}

func (s *Server) steer(ctx context.Context, in *machineRef) (Machines, error) {
	if s.o.Machines == nil {
		return Machines{}, noRun.new()
	}
	if err := s.o.Machines.Give(in.Name, in.Body); err != nil {
		return Machines{}, noRun.with(err.Error(), in.Name)
	}
	return s.lookAtMachines(ctx, nil)
}

// handOut lets other machines play a match, if they can create its players and if no move has a time limit.
func (s *Server) handOut(m *match.Match, title, identity string) {
	if s.o.Machines == nil || m.Terms.Limits.Time > 0 || machines.Enter(m, s.awaySpec) != nil {
		return
	}
	m.Terms.Queue = s.o.Machines.Queue(machines.Run("match", identity, title, m.Games()-m.Played()))
}

// awaySpec returns a spec with which other machines can create the player. In this spec a stored bot is replaced by a reference
// to its program, which is sent along. It returns an error for a player that must not run on other machines.
func (s *Server) awaySpec(g game.Game, text string, lim search.Limits) (string, error) {
	return machines.Kept(s.db, g, spec.Untrusted, text, lim)
}

// handOutStudy lets other machines play the matches of a study.
func (s *Server) handOutStudy(st research.Study, session *research.Session) {
	if s.o.Machines == nil {
		return
	}
	session.Queue = s.o.Machines.Queue(machines.OfStudy(st.Name, session.Choice()))
	session.Spec = machines.Spec
}
