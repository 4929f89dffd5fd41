// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/match"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/study"
	"github.com/krow-lab/krow/study/experiments"
	document "github.com/krow-lab/krow/study/report"
)

type studying struct {
	db    databaseFlag
	out   string
	jobs  int
	quick bool
	// for a study whose players are the user's choice
	players []string
	time    time.Duration
}

func newStudy() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "study",
		Short: "Run experiments and report what came out",
		Long: `Run experiments, published ones and our own, and report what came out. Whatever is computed is kept in
a database, so that a study that was interrupted or killed goes on, and a report is made of what is kept.`,
		Example: "  krow study list\n  krow study run published --jobs 2\n  krow study report published --out report",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return misusef("there are list, run and report", "%s needs to know what to do", cmd.CommandPath())
		},
	}
	cmd.AddCommand(newStudyList(), newStudyRun(), newStudyReport())
	return cmd
}

func newStudyList() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the studies",
		Long:    "List the studies that can be run.",
		Example: "  krow study list",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, s := range experiments.All() {
				if asJSON(cmd) {
					if err := printJSON(cmd.OutOrStdout(), map[string]any{"kind": "study", "name": s.Name, "doc": s.Doc, "cite": s.Cite}); err != nil {
						return err
					}
					continue
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%-32s%s\n", s.Name, s.Doc)
			}
			return nil
		},
	}
}

func newStudyRun() *cobra.Command {
	var o studying
	cmd := &cobra.Command{
		Use:   "run STUDY",
		Short: "Compute what a study needs",
		Long: `Compute what a study needs and the database does not have yet. Each game, and each step of a learner, is
kept as it ends: killed at any moment, the same command goes on where it was.`,
		Example: `  krow study run published --jobs 2
  krow study run learners --quick --db trial.db`,
		Args:              exactly("STUDY"),
		ValidArgsFunction: complete(fixed(studyNames()...)),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := o.run(cmd, args[0], false)
			if err != nil {
				return err
			}
			return o.tell(cmd, args[0], "is computed", d)
		},
	}
	o.flags(cmd)
	cmd.Flags().IntVar(&o.jobs, "jobs", 1, "games played at once")
	return cmd
}

func newStudyReport() *cobra.Command {
	var o studying
	cmd := &cobra.Command{
		Use:   "report STUDY",
		Short: "Write the report of a study",
		Long: `Write the report of a study that was run: README.md with its plots, a CSV file for each table, and
index.html, which has everything in one page. Every number comes from the database; nothing is computed.`,
		Example:           `  krow study report published --out report`,
		Args:              exactly("STUDY"),
		ValidArgsFunction: complete(fixed(studyNames()...)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.out == "" {
				return misusef("for example --out report", "%s needs --out", cmd.CommandPath())
			}
			d, err := o.run(cmd, args[0], true)
			if err != nil {
				return err
			}
			if err := document.Write(o.out, d); err != nil {
				return err
			}
			return o.tell(cmd, args[0], "is in "+filepath.Join(o.out, "README.md"), d)
		},
	}
	o.flags(cmd)
	cmd.Flags().StringVar(&o.out, "out", "", "directory to write to")
	return cmd
}

// studyNames returns the names of the studies.
func studyNames() []string {
	var names []string
	for _, s := range experiments.All() {
		names = append(names, s.Name)
	}
	return names
}

func (o *studying) flags(cmd *cobra.Command) {
	o.db.add(cmd)
	cmd.Flags().BoolVar(&o.quick, "quick", false, "the study in small, to see that it works")
	cmd.Flags().StringArrayVar(&o.players, "player", nil, "a player of mnk-challenge, instead of its own; give one for each")
	cmd.Flags().DurationVar(&o.time, "time", 0, "time of a move in mnk-challenge, instead of its own")
}

// run runs a study, or only puts together what is in the database.
func (o *studying) run(cmd *cobra.Command, name string, readOnly bool) (*document.Document, error) {
	s, ok := experiments.Find(name)
	if !ok {
		hint := spec.Hint(name, studyNames())
		if hint == "" {
			hint = "see krow study list"
		}
		return nil, misusef(hint, "unknown study %q", name)
	}
	if !readOnly && (o.jobs < 1 || o.jobs > maxJobs) {
		return nil, misusef("", "--jobs must be from 1 to %d, not %d", maxJobs, o.jobs)
	}
	if err := o.check(s); err != nil {
		return nil, err
	}
	db, err := o.store(readOnly)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	dir, err := os.MkdirTemp("", "krow-study-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	line := newStatusLine(cmd.ErrOrStderr())
	defer line.clear()
	lab := &study.Lab{Store: pieces{db}, ReadOnly: readOnly, Jobs: o.jobs, Quick: o.quick, Dir: dir, Players: o.players, Time: o.time, Progress: func(p study.Progress) {
		if line.due() {
			line.show(progressText(p))
		}
	}}
	d, err := s.Run(cmd.Context(), lab)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, errors.New("interrupted; the same command goes on")
	case errors.Is(err, study.ErrMissing):
		return nil, &misuse{err, "krow study run " + name + lab.Choice() + " computes it"}
	}
	return d, err
}

// store opens the database, and makes it only for a study that is to be run.
func (o *studying) store(readOnly bool) (*store.Store, error) {
	if readOnly {
		return o.db.openOld("nothing has been computed yet")
	}
	return o.db.open()
}

// progressText says how far a study is, and how long the rest will take where that can be told.
func progressText(p study.Progress) string {
	left := ""
	if p.Computed > 0 && p.Total > p.Done {
		left = fmt.Sprintf("   %s left", p.Left().Round(time.Second))
	}
	return fmt.Sprintf("%d/%d%s   %s", p.Done, p.Total, left, p.What)
}

// check refuses choices that the study does not leave.
func (o *studying) check(s study.Study) error {
	switch {
	case !s.Chooses && len(o.players) > 0:
		return misusef("", "%s has its own players: there is no --player", s.Name)
	case !s.Chooses && o.time != 0:
		return misusef("", "%s has its own limits: there is no --time", s.Name)
	case len(o.players) == 1:
		return misusef("", "one --player meets nobody: give two or more")
	case o.time < 0:
		return misusef("", "--time cannot be negative: %v", o.time)
	}
	return o.checkPlayers()
}

// checkPlayers refuses players that cannot be made, persons, and who would meet themselves. It asks on the first
// board of the challenge.
func (o *studying) checkPlayers() error {
	g, err := catalog.Game("mnk:3,3,3")
	if err != nil {
		return err
	}
	m := match.Match{Terms: arena.Match{Game: g}}
	for i, p := range o.players {
		if slices.Contains(o.players[:i], p) {
			return misusef("", "%s plays twice", p)
		}
		if err := enter(&m, p, catalog.Player); err != nil {
			return err
		}
	}
	return nil
}

// tell says how it ended.
func (o *studying) tell(cmd *cobra.Command, name, what string, d *document.Document) error {
	if asJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), map[string]any{"final": true, "study": name, "title": d.Title, "out": o.out})
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", name, what)
	return err
}

// pieces keeps the pieces of studies in the database.
type pieces struct{ db *store.Store }

// Get returns the value of a key, or nil.
func (p pieces) Get(key string) ([]byte, error) {
	value, ok, err := p.db.Cell("piece", "", key)
	if !ok {
		return nil, err
	}
	return value, err
}

// Put makes value the key's.
func (p pieces) Put(key string, value []byte) error {
	return p.db.PutCell(store.Cell{Study: "piece", Key: key, Result: value})
}
