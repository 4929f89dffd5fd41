// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/internal/buildinfo"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/experiments"
	document "github.com/krow-lab/krow/research/report"
	"github.com/krow-lab/krow/server/machines"
	"github.com/krow-lab/krow/server/store"
)

type experimentCommand struct {
	db  databaseFlag
	out string
	s   research.Session
	on  clusterFlags
}

func newExperiment() *cobra.Command {
	return newGroup(&cobra.Command{
		Use:   "experiment",
		Short: "Run experiments and report the results",
		Long: `Run experiments, from publications and by krow's authors, and report their results. All results are kept in a
database. Therefore an interrupted experiment can continue, and a report needs no new computation.`,
		Example: "  krow experiment list\n  krow experiment run published --jobs 2\n  krow experiment report published --out report",
	}, newExperimentList(), newExperimentRun(), newExperimentReport())
}

func newExperimentList() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the experiments",
		Long:    "List the experiments, each with its variants below it. The first variant is the default.",
		Example: "  krow experiment list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, s := range experiments.All() {
				text := fmt.Sprintf("%-28s%s\n", s.Name, s.Doc)
				for _, r := range s.Readings {
					text += fmt.Sprintf("  %-26s%s\n", r.Name, r.Doc)
				}
				if err := printAnswer(cmd, experimentJSON{"experiment", s.Name, s.Doc, s.Cite, s.Readings}, "%s", text); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

type experimentJSON struct {
	Kind     string             `json:"kind"`
	Name     string             `json:"name"`
	Doc      string             `json:"doc"`
	Cite     string             `json:"cite"`
	Readings []research.Reading `json:"readings,omitempty"`
}

func newExperimentRun() *cobra.Command {
	var o experimentCommand
	cmd := &cobra.Command{
		Use:   "run EXPERIMENT",
		Short: "Compute the results of an experiment",
		Long: `Run an experiment: compute the results that the database does not contain yet. The result of each game, and of
each step of a learner, is stored when it ends. After an interruption, the same command continues the work.`,
		Example: `  krow experiment run published --jobs 2
  krow experiment run published --variant all --jobs 2
  krow experiment run learners --quick --db trial.db`,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := o.runExperiment(cmd, args[0])
			if err != nil {
				return err
			}
			return o.printDone(cmd, args[0], "is computed", d)
		},
	}
	o.addFlags(cmd)
	addJobs(cmd, &o.s.Jobs, 1)
	o.on.add(cmd)
	return cmd
}

func newExperimentReport() *cobra.Command {
	var o experimentCommand
	cmd := &cobra.Command{
		Use:   "report EXPERIMENT",
		Short: "Write the report of an experiment",
		Long: `Write the report of a finished experiment: README.md with its plots, a CSV file for each table, and report.json.
All numbers come from the database.`,
		Example: `  krow experiment report published --out report`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.s.ReadOnly = true
			d, err := o.runExperiment(cmd, args[0])
			if err != nil {
				return err
			}
			d.Made = time.Now().Format(time.DateOnly) + ", krow " + buildinfo.Version()
			if err := document.Write(o.out, d); err != nil {
				return err
			}
			return o.printDone(cmd, args[0], "is in "+filepath.Join(o.out, "README.md"), d)
		},
	}
	o.addFlags(cmd)
	cmd.Flags().StringVar(&o.out, "out", "", "`FOLDER` to write to")
	_ = cmd.MarkFlagRequired("out")
	return cmd
}

func (o *experimentCommand) addFlags(cmd *cobra.Command) {
	o.db.add(cmd)
	cmd.Flags().StringVar(&o.s.Reading, "variant", "", "`VARIANT` of the experiment \"published\" (see krow experiment list); \"all\" compares every combination of its switches")
	cmd.Flags().BoolVar(&o.s.Quick, "quick", false, "run a small version of the experiment, as a trial")
	cmd.Flags().StringArrayVar(&o.s.Players, "player", nil, "`PLAYER` for the experiment mnk-challenge, instead of its default players; can be repeated")
	cmd.Flags().DurationVar(&o.s.Time, "time", 0, "time for each move of the experiment mnk-challenge, instead of its default")
}

// runExperiment runs a study, or only makes its report from the results in the database.
func (o *experimentCommand) runExperiment(cmd *cobra.Command, name string) (*document.Document, error) {
	st, err := experiments.Find(name)
	if err != nil {
		return nil, err
	}
	if err := st.Check(&o.s); err != nil {
		return nil, err
	}
	open := o.db.open
	if o.s.ReadOnly {
		open = func() (*store.Store, error) { return o.db.openOld("nothing has been computed yet") }
	}
	db, err := open()
	if err != nil {
		return nil, err
	}
	defer db.Close()
	queue, done, err := o.on.open(cmd, machines.OfStudy(st.Name, o.s.Choice()))
	if err != nil {
		return nil, err
	}
	defer done()
	o.s.Queue, o.s.Spec = queue, machines.Spec
	line := newStatusLine(cmd.ErrOrStderr())
	defer line.clear()
	o.s.Store, o.s.Metered, o.s.Progress = db, true, func(p research.Progress) { line.showWhenDue("%s", p) }
	d, err := st.Report(cmd.Context(), &o.s)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, errors.New("interrupted; the same command continues")
	case errors.Is(err, research.ErrMissing):
		return nil, misusef("krow experiment run "+st.Name+o.s.Choice()+" computes it", "%w", err)
	}
	return d, err
}

func (o *experimentCommand) printDone(cmd *cobra.Command, name, what string, d *document.Document) error {
	return printAnswer(cmd, map[string]any{"final": true, "experiment": name, "title": d.Title, "out": o.out}, "%s %s\n", name, what)
}
