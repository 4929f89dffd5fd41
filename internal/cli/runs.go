// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
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

func newLearnCurve() *cobra.Command {
	var db databaseFlag
	cmd := &cobra.Command{
		Use:   "curve RUN",
		Short: "Plot the learning curve of a run",
		Long: `Plot the learning curve of a run, which may still be going on: each value from its first step to its
last, between its lowest and its highest. With --json every point is an object.`,
		Example: "  krow learn curve 1\n  krow learn curve 1 --json",
		Args:    exactly("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return db.lookAt(args[0], func(s *store.Store, r *store.Run) error {
				points, err := s.Points(r.ID)
				if err != nil {
					return err
				}
				return showCurve(cmd.OutOrStdout(), r, points, asJSON(cmd))
			})
		},
	}
	db.add(cmd)
	return cmd
}

// showCurve prints the points as objects, or plots each value.
//
//	run 2   genetic ultimate seed=7   30/30 steps   90.0 k games
//	        steps 1 to 30         lowest  highest  last
//	best    ▁▃▅▆▇▇▇█████████████  0.61    0.98     0.97
func showCurve(w io.Writer, r *store.Run, points []store.Point, json bool) error {
	if json {
		for _, p := range points {
			if err := printJSON(w, stepJSON{p.Step, r.Steps, p.Games, p.Values}); err != nil {
				return err
			}
		}
		return nil
	}
	games := uint64(0)
	series := map[string][]float64{}
	for _, p := range points {
		games = p.Games
		for name, v := range p.Values {
			series[name] = append(series[name], v)
		}
	}
	fmt.Fprintf(w, "run %d   %s   %d/%d steps   %s games\n", r.ID, r.Key, r.Step, r.Steps, count(games))
	if len(series) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\tsteps 1 to %d\tlowest\thighest\tlast\n", r.Step)
	for _, name := range slices.Sorted(maps.Keys(series)) {
		v := series[name]
		fmt.Fprintf(t, "%s\t%s\t%.4g\t%.4g\t%.4g\n", name, sparkline(v, 50), slices.Min(v), slices.Max(v), v[len(v)-1])
	}
	return t.Flush()
}

// sparkline draws values as blocks between their lowest and their highest, at most width of them: of more
// values each block stands for the mean of its share. Equal values are drawn in the middle.
func sparkline(values []float64, width int) string {
	blocks := []rune("▁▂▃▄▅▆▇█")
	lo, hi := slices.Min(values), slices.Max(values)
	n := min(width, len(values))
	var b strings.Builder
	for i := range n {
		share := values[i*len(values)/n : (i+1)*len(values)/n]
		mean := 0.0
		for _, v := range share {
			mean += v / float64(len(share))
		}
		level := 0.5
		if hi > lo {
			level = (mean/2 - lo/2) / (hi/2 - lo/2) // halves cannot overflow
		}
		b.WriteRune(blocks[int(math.Round(min(max(level, 0), 1)*float64(len(blocks)-1)))])
	}
	return b.String()
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
