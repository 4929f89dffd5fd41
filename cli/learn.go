// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/server/runs"
	"github.com/krow-lab/krow/server/store"
)

// maxHours is the maximum value of --hours, a little more than a year.
const maxHours = 10_000

type learnCommand struct {
	runs.Learning
	out   outFlag
	hours float64
	db    databaseFlag
}

func newLearn() *cobra.Command {
	var c learnCommand
	cmd := &cobra.Command{
		Use:   "learn LEARNER GAME",
		Short: "Learn the parameters of a heuristic",
		Long: `Learn the parameters of a heuristic and write them to a file that players load, for example
greedy:eval=indicators(weights=FILE). Each step is stored in a database, together with its point of the learning curve.
After an interruption, the same command continues the run; the result is the same as without the interruption. For a
finished run, the command only writes the file again. With --hours the run pauses when the time is over: the current step
ends, and the file is written. The same command continues the run. The player of run 1 is run:1. The player as it was after
step 5 is run:1,step=5. The page (krow serve) draws the learning curves, and lists the members of a genetic run.`,
		Example: `  krow learn qlearning:episodes=20 mnk:7,7,4 --out learned.json
  krow learn genetic ultimate --seed 7 --out bred.json
  krow learn network ultimate --hours 1 --seed 7 --out net
  krow learn spsa:target=mics,games=500 gomoku:9 --out tuned.json
  krow learn list
  krow match mnk:7,7,4 run:1 random`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.Game = args[1]
			return c.learnAndSave(cmd, args[0])
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&c.Seed, "seed", 1, "seed of all random numbers")
	c.out.add(cmd, "out", "`FILE` for the weights")
	addNumber(cmd, &c.hours, "hours", 0, 1e-9, maxHours, "pause after this time (default: learn until all steps are done)")
	c.db.add(cmd)
	f.String("data", "", "`FOLDER` for files of games")
	f.Int("jobs", 0, "games played at once (default chosen by the learner)")
	_ = cmd.MarkFlagRequired("out")
	cmd.AddCommand(newLearnList(), newLearnDelete(), newLearnExport(), newLearnGames())
	return cmd
}

// arguments returns the values of those given flags that the user has set, in the form of arguments for the spec of a learner.
func arguments(cmd *cobra.Command, flags ...string) (args []string) {
	for _, name := range flags {
		if f := cmd.Flag(name); f.Changed {
			args = append(args, name+"="+spec.Nested(f.Value.String()))
		}
	}
	return args
}

// prepare checks the flags and files before the run begins. It returns the learner's arguments, such as jobs, that may change
// when an interrupted run continues.
func (c *learnCommand) prepare(cmd *cobra.Command, text string) (more []string, err error) {
	c.Learner = text
	more = arguments(cmd, "jobs", "data")
	if _, err := c.New(more...); err != nil {
		return nil, err
	}
	return more, checkWeights(&c.out, &c.db)
}

// checkWeights is called before the learning. It returns an error if the file for the weights could not be written
// afterwards.
func checkWeights(out *outFlag, db *databaseFlag) error {
	if err := out.checkPlace(); err != nil {
		return err
	}
	name, err := db.file()
	if err != nil {
		return err
	}
	if store.HasFile(name, out.name) {
		return misusef("", "--out and the database are the same file, %s", out.name)
	}
	return nil
}

func (c *learnCommand) learnAndSave(cmd *cobra.Command, text string) (err error) {
	more, err := c.prepare(cmd, text)
	if err != nil {
		return err
	}
	db, err := c.db.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	r, err := runs.Begin(db, c.Learning, more...)
	if errors.Is(err, runs.ErrState) {
		return fmt.Errorf("%w; krow learn delete %d removes it", err, r.ID)
	}
	if err != nil {
		return err
	}
	// The file must not contain other weights, except if an unfinished run continues: then the file may contain the weights of an
	// earlier step of this run, and is replaced.
	if r.Step == 0 || r.Done {
		if err := c.out.checkSame(r.Weights); err != nil {
			return err
		}
	}
	switch w := cmd.ErrOrStderr(); {
	case r.Done:
		fmt.Fprintf(w, "run %d is finished: there is nothing to learn again\n", r.ID)
	case r.Step > 0:
		fmt.Fprintf(w, "continuing run %d after step %d of %d\n", r.ID, r.Step, r.Steps)
	default:
		name, _ := c.db.file()
		fmt.Fprintf(w, "run %d is kept in %s\n", r.ID, name)
	}
	begun := r.Step
	if err := c.learn(cmd, r); err != nil {
		return err
	}
	data, err := r.Weights()
	if err != nil {
		return err
	}
	if err := c.out.write(cmd, data); err != nil {
		return fmt.Errorf("%w; the weights are in the database: the same command writes the file without learning again", err)
	}
	return c.printLearned(cmd, r, begun)
}

// learn makes the remaining steps, or as many of them as the time limit allows.
func (c *learnCommand) learn(cmd *cobra.Command, r *runs.Run) error {
	json, line, start, begun := asJSON(cmd), newStatusLine(cmd.ErrOrStderr()), time.Now(), r.Step
	defer func() {
		if line.columns != nil && r.Step > begun {
			fmt.Fprintln(line.w) // the line stays on the terminal
		}
	}()
	err := r.LearnFor(cmd.Context(), time.Duration(c.hours*float64(time.Hour)), func(p learn.CurvePoint) error {
		if line.due() || p.Step >= r.Steps {
			line.show(p.Progress(begun, r.Steps, time.Since(start)))
		}
		if json {
			return printJSON(cmd.OutOrStdout(), stepJSON{p, r.Steps})
		}
		return nil
	})
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w after step %d of %d; the same command continues", errInterrupted, r.Step, r.Steps)
	}
	return err
}

type stepJSON struct {
	learn.CurvePoint
	Steps int `json:"steps"`
}

type learnedJSON struct {
	Final bool  `json:"final"`
	Run   int64 `json:"run"`
	runs.Learning
	Steps int    `json:"steps"`
	Begun int    `json:"begun"`          // number of steps that were completed before this command
	Step  int    `json:"step,omitempty"` // number of completed steps, if fewer than Steps
	Out   string `json:"out"`
}

func (c *learnCommand) printLearned(cmd *cobra.Command, r *runs.Run, begun int) error {
	j, steps := learnedJSON{true, r.ID, r.Learning, r.Steps, begun, 0, c.out.name}, fmt.Sprintf("%d steps", r.Steps)
	if r.Step < r.Steps {
		j.Step, steps = r.Step, fmt.Sprintf("%d of %d steps; the same command continues", r.Step, r.Steps)
	}
	return printAnswer(cmd, j, "wrote %s   run %d, %s\n", c.out.name, r.ID, steps)
}
