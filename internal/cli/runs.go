// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/internal/store"
)

func newLearnList() *cobra.Command {
	var db databaseFlag
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the runs of learning",
		Long:    "List the runs of learning that the database keeps, in the order they were begun.",
		Example: "  krow learn list",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return db.look(func(s *store.Store) error {
				runs, err := s.Runs(learnKind)
				if err != nil {
					return err
				}
				return listRuns(cmd.OutOrStdout(), runs, asJSON(cmd))
			})
		},
	}
	db.add(cmd)
	return cmd
}

type runJSON struct {
	Run int64 `json:"run"`
	identity
	Step    int       `json:"step"`
	Steps   int       `json:"steps"`
	Done    bool      `json:"done"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
}

// identityOf reads what a run is of.
func identityOf(r *store.Run) (id identity, err error) {
	if err = json.Unmarshal(r.Spec, &id); err != nil {
		err = fmt.Errorf("run %d: settings: %w", r.ID, err)
	}
	return id, err
}

// listRuns prints a line for each run.
//
//	run  learner                game       seed  steps
//	1    qlearning:episodes=20  mnk:7,7,4  1     12/20
//	2    genetic                ultimate   7     30/30  done
func listRuns(w io.Writer, runs []store.Run, json bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if !json && len(runs) > 0 {
		fmt.Fprintln(t, "run\tlearner\tgame\tseed\tsteps")
	}
	for i := range runs {
		r := &runs[i]
		id, err := identityOf(r)
		if err != nil {
			return err
		}
		if json {
			if err := printJSON(w, runJSON{r.ID, id, r.Step, r.Steps, r.Done, r.Created.UTC(), r.Updated.UTC()}); err != nil {
				return err
			}
			continue
		}
		done := ""
		if r.Done {
			done = "  done"
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%d\t%d/%d%s\n", r.ID, id.Learner, id.Game, id.Seed, r.Step, r.Steps, done)
	}
	return t.Flush()
}

func newLearnForget() *cobra.Command {
	var db databaseFlag
	cmd := &cobra.Command{
		Use:     "forget RUN",
		Short:   "Remove a run and its learning curve",
		Long:    "Remove a run and its learning curve from the database. Files of weights that it wrote stay.",
		Example: "  krow learn forget 1",
		Args:    exactly("RUN"),
		RunE: func(_ *cobra.Command, args []string) error {
			return db.lookAt(args[0], func(s *store.Store, r *store.Run) error { return s.Delete(r.ID) })
		},
	}
	db.add(cmd)
	return cmd
}
