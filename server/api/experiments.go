// SPDX-License-Identifier: Apache-2.0

package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/docs/measurements"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/experiments"
	"github.com/krow-lab/krow/research/report"
	"github.com/krow-lab/krow/research/reports"
	"github.com/krow-lab/krow/server/gate"
)

// ExperimentItem is an experiment in a list.
type ExperimentItem struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
	Cite string `json:"cite,omitempty"`
	Made string `json:"made,omitempty" doc:"date and build of the report that is part of krow"`
	// Readings are the variants of the experiment that can be run. They interpret its description in different ways.
	Readings []research.Reading `json:"readings" nullable:"false" doc:"the first is the default"`

	Work gate.Work `json:"work" doc:"job of the complete experiment"`
	// Small is the job of the small version of the experiment. (Work is the job of the complete experiment.)
	Small gate.Work `json:"small" doc:"job of the small version of the experiment"`
}

// experimentRef names an experiment in a request, together with the variant and the size in which to run it.
type experimentRef struct {
	Name    string `path:"name" maxLength:"60"`
	Reading string `query:"reading" maxLength:"60" doc:"one of the experiment's variants; empty for the first"`
	Small   bool   `query:"small" doc:"the small version of the experiment, a quick trial"`
}

func (r experimentRef) job() string { return fmt.Sprintf("study %s %s %t", r.Name, r.Reading, r.Small) }

// session returns the experiment that r names, and a research.Session in which to run the experiment. It replaces old names in
// r by the current ones.
func (s *Server) session(r *experimentRef) (research.Study, *research.Session, error) {
	st, err := experiments.Find(r.Name)
	if err != nil {
		return st, nil, noExperiment.wrap(err, r.Name)
	}
	session := &research.Session{Store: s.db, Jobs: 1, Quick: r.Small, Reading: r.Reading}
	if err := st.Check(session); err != nil {
		return st, nil, noExperiment.wrap(err, session.Reading)
	}
	r.Name, r.Reading = st.Name, session.Reading
	return st, session, nil
}

type experimentsOutputBody struct {
	Experiments []ExperimentItem `json:"experiments" nullable:"false"`
	Values      int              `json:"values" doc:"number of proved values of games"`
}

func (s *Server) experiments(context.Context, *struct{}) (out experimentsOutputBody, err error) {
	out.Experiments, out.Values = []ExperimentItem{}, len(measurements.Values())
	for _, st := range experiments.All() {
		shipped, _ := reports.Report(st.Name, "")
		out.Experiments = append(out.Experiments, ExperimentItem{
			st.Name, st.Doc, st.Cite, shipped.Made, append([]research.Reading{}, st.Readings...), s.workOn(st, false), s.workOn(st, true),
		})
	}
	return out, nil
}

// workOn returns the job of the experiment st. If a job of any variant is in progress, workOn returns that job.
func (s *Server) workOn(st research.Study, small bool) gate.Work {
	w := s.jobs.Look(experimentRef{st.Name, "", small}.job())
	for _, r := range st.Readings {
		if other := s.jobs.Look(experimentRef{st.Name, r.Name, small}.job()); !w.Going() {
			w = other
		}
	}
	return w
}

// report makes the report of an experiment from its stored results. If some results are missing, it returns the report that is
// part of krow, which is about the complete experiment. If krow contains no such report, the answer is 404.
func (s *Server) report(ctx context.Context, in *experimentRef) (report.Data, error) {
	st, session, err := s.session(in)
	if err != nil {
		return report.Data{}, err
	}
	session.ReadOnly = true
	shipped, ok := reports.Report(st.Name, session.Reading)
	d, err := st.Report(ctx, session)
	switch {
	case errors.Is(err, research.ErrMissing) && ok:
		return shipped, nil
	case errors.Is(err, research.ErrMissing):
		return report.Data{}, notComputed.new()
	case err != nil:
		return report.Data{}, err
	}
	data := d.Data()
	data.Cost = cmp.Or(data.Cost, shipped.Cost) // if no cost was measured here, the report shows the cost shipped with krow
	return data, nil
}

// startExperiment starts the job of an experiment, which may wait for its turn. Each result is stored as soon as it is
// computed.
func (s *Server) startExperiment(ctx context.Context, in *experimentRef) (gate.Work, error) {
	if _, _, err := s.session(in); err != nil {
		return gate.Work{}, err
	}
	own := *in // the job gets a copy of in, because the job continues after the request is answered
	if err := s.jobs.Start(clientOf(ctx), func() (string, error) { return own.job(), nil }, func(ctx context.Context, note func(string)) error {
		st, session, err := s.session(&own)
		if err != nil {
			return err
		}
		session.Progress = func(p research.Progress) { note(fmt.Sprintf("%d/%d %s", p.Done, p.Total, p.What)) }
		s.handOutStudy(st, session)
		_, err = st.Report(ctx, session)
		return err
	}); err != nil {
		return gate.Work{}, err
	}
	return s.jobs.Look(in.job()), nil
}

func (s *Server) stopExperiment(ctx context.Context, in *experimentRef) (gate.Work, error) {
	if _, _, err := s.session(in); err != nil {
		return gate.Work{}, err
	}
	s.jobs.Stop(ctx, in.job())
	return s.jobs.Look(in.job()), nil
}

// experimentEvents sends the progress of an experiment until its job ends.
func (s *Server) experimentEvents(ctx context.Context, in *experimentRef, send sse.Sender) {
	// The method session replaces an old name of the experiment by the current one, which names the job. Its error is ignored,
	// because an unknown experiment has no job.
	_, _, _ = s.session(in)
	s.poll(ctx, func() (any, string, bool) {
		w := s.jobs.Look(in.job())
		return w, fmt.Sprint(w), !w.Going()
	}, send)
}
