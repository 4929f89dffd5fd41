// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/learn"
)

// learnKind is what runs of learning are in the store.
const learnKind = "learn"

// maxHours is a year and more.
const maxHours = 10_000

type learning struct {
	game  string
	seed  uint64
	out   string
	hours float64
	db    databaseFlag
}

func newLearn() *cobra.Command {
	var o learning
	cmd := &cobra.Command{
		Use:   "learn LEARNER",
		Short: "Learn the parameters of a heuristic",
		Long: `Learn the parameters of a heuristic and write them to a file that players load, as in
greedy:eval=indicators(weights=FILE).
Each step is kept in a database with its point of the learning curve. A run that was interrupted, or killed,
goes on when the same command is given again, and ends as if nothing had happened; one that is finished writes
the same file again without learning. With --hours a run pauses when that time is over, between two steps: the
file is written, and the same command goes on. "krow learn list" lists the runs, "krow learn curve" plots one.`,
		Example: `  krow learn qlearning --game mnk:7,7,4 --episodes 20 --out learned.json
  krow learn genetic --game ultimate --seed 7 --out bred.json
  krow learn network --game ultimate --hours 1 --seed 7 --out net
  krow learn list
  krow learn curve 1`,
		Args:              exactly("LEARNER"),
		ValidArgsFunction: complete(completeLearners),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.game, "game", "", "game to learn on")
	f.Uint64Var(&o.seed, "seed", 1, "seed of everything that is drawn")
	f.StringVar(&o.out, "out", "", "file to write the weights to")
	f.Float64Var(&o.hours, "hours", 0, "time to learn for, however many steps that makes (default: until all are done)")
	o.db.add(cmd)
	f.String("target", "", "what is learned: short for the learner's argument target=")
	f.Int("episodes", 0, "short for the learner's argument episodes=")
	f.Int("generations", 0, "short for the learner's argument generations=")
	f.Int("games", 0, "short for the learner's argument games=")
	f.String("data", "", "folder for files of games: short for the learner's argument data=")
	f.Int("jobs", 0, "games played at once: short for the learner's argument jobs=")
	completeFlag(cmd, "game", completeGames)
	for _, name := range []string{"seed", "target", "episodes", "generations", "games", "jobs", "hours"} {
		completeFlag(cmd, name, nothing)
	}
	cmd.AddCommand(newLearnList(), newLearnCurve(), newLearnForget(), newLearnGames())
	return cmd
}

// prepare returns what is to be learned, by whom, and refuses what cannot be meant before anything is begun.
func (o *learning) prepare(cmd *cobra.Command, text string) (identity, learn.Learner, error) {
	if o.game == "" || o.out == "" {
		return identity{}, nil, misusef("for example --game mnk:7,7,4 --out learned.json", "%s needs --game and --out", cmd.CommandPath())
	}
	if cmd.Flag("hours").Changed && !(o.hours > 0 && o.hours <= maxHours) {
		return identity{}, nil, misusef("", "--hours must be more than 0 and at most %d, not %g", maxHours, o.hours)
	}
	g, err := catalog.Game(o.game)
	if err != nil {
		return identity{}, nil, err
	}
	id := identity{learnerSpec(cmd, text, shorthands...), g.String(), o.seed}
	l, err := id.learner(learnerSpec(cmd, id.Learner, "jobs", "data"))
	if err != nil {
		return identity{}, nil, err
	}
	return id, l, o.checkFiles()
}

// checkFiles finds out now what would stop the writing of the weights after hours of learning.
func (o *learning) checkFiles() error {
	if err := checkOut(o.out); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Dir(o.out)); err != nil {
		return fmt.Errorf("--out %s: %w", o.out, err)
	}
	db, err := o.db.file()
	if err != nil {
		return err
	}
	// Those beside the database are SQLite's: its log, the memory that processes share, its journal.
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if sameFile(o.out, db+suffix) {
			return misusef("", "--out and the database are the same file, %s", o.out)
		}
	}
	return nil
}

// sameFile says whether two names, links or not, are of one file, which need not be there yet.
func sameFile(a, b string) bool {
	atA, errA := os.Stat(a)
	atB, errB := os.Stat(b)
	if errA == nil && errB == nil && os.SameFile(atA, atB) {
		return true
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}

func (o *learning) run(cmd *cobra.Command, text string) (err error) {
	id, l, err := o.prepare(cmd, text)
	if err != nil {
		return err
	}
	s, err := o.db.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	r, err := resumeLearning(s, id, l)
	if err != nil {
		return err
	}
	tellResumed(cmd.ErrOrStderr(), r)
	begun := r.Step
	if err := o.steps(cmd, s, r, l); err != nil {
		return err
	}
	if err := l.Save(o.out); err != nil {
		return fmt.Errorf("%w; what was learned is kept, and the same command writes it at once", err)
	}
	if !r.Done && r.Step == r.Steps {
		if err := s.Finish(r); err != nil {
			return err
		}
	}
	return o.tell(cmd, id, r, begun)
}

// resumeLearning returns the run in the store, begun or gone on with, and brings the learner to where it is.
func resumeLearning(s *store.Store, id identity, l learn.Learner) (*store.Run, error) {
	settings, err := json.Marshal(id)
	if err != nil {
		return nil, err
	}
	_, total := l.Steps()
	r, err := s.Run(learnKind, id.String(), settings, total)
	if err != nil || r.State == nil {
		return r, err
	}
	return r, restore(l, r)
}

// restore brings a learner to where a run is.
func restore(l learn.Learner, r *store.Run) error {
	err := l.Restore(r.State)
	if done, total := l.Steps(); err == nil && (done != r.Step || total != r.Steps) {
		err = fmt.Errorf("the state is of step %d of %d, and the run at %d of %d", done, total, r.Step, r.Steps)
	}
	if err != nil {
		return fmt.Errorf("run %d: %w; krow learn forget %d removes it", r.ID, err, r.ID)
	}
	return nil
}

func tellResumed(w io.Writer, r *store.Run) {
	switch {
	case r.Done:
		fmt.Fprintf(w, "run %d is finished: there is nothing to learn again\n", r.ID)
	case r.Step > 0:
		fmt.Fprintf(w, "going on with run %d after step %d of %d\n", r.ID, r.Step, r.Steps)
	}
}

// steps makes the steps that are left, each of which is shown once it is stored.
func (o *learning) steps(cmd *cobra.Command, s *store.Store, r *store.Run, l learn.Learner) error {
	json, bar := asJSON(cmd), newBar(cmd.ErrOrStderr(), r.Step, r.Steps)
	defer bar.end()
	late := o.lateness()
	err := learn.Run(cmd.Context(), l, func(state []byte, p learn.Point) error {
		if err := s.SaveStep(r, state, store.Point{Step: p.Step, Games: p.Games, Values: p.Values}); err != nil {
			return err
		}
		bar.show(p)
		if json {
			if err := printJSON(cmd.OutOrStdout(), stepJSON{p.Step, r.Steps, p.Games, p.Values}); err != nil {
				return err
			}
		}
		if late() {
			return errTimeUp
		}
		return nil
	})
	if errors.Is(err, errTimeUp) {
		return nil
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w after step %d of %d; the same command goes on", errInterrupted, r.Step, r.Steps)
	}
	return err
}

// errTimeUp ends the steps of a run that goes on another time.
var errTimeUp = errors.New("time is up")

// lateness returns a function to be called after each step. It says whether the time for learning is over, or will be
// when another step as long as the last is halfway.
func (o *learning) lateness() func() bool {
	if o.hours == 0 {
		return func() bool { return false }
	}
	last := time.Now()
	end := last.Add(time.Duration(o.hours * float64(time.Hour)))
	return func() bool {
		now := time.Now()
		halfway := now.Add(now.Sub(last) / 2)
		last = now
		return halfway.After(end)
	}
}

type stepJSON struct {
	Step   int                `json:"step"`
	Steps  int                `json:"steps"`
	Games  uint64             `json:"games"`
	Values map[string]float64 `json:"values"`
}

type learnedJSON struct {
	Final bool  `json:"final"`
	Run   int64 `json:"run"`
	identity
	Steps int    `json:"steps"`
	Begun int    `json:"begun"`          // the steps that were done before
	Step  int    `json:"step,omitempty"` // the steps that are done, where that is not all
	Out   string `json:"out"`
}

// tell says what was written.
func (o *learning) tell(cmd *cobra.Command, id identity, r *store.Run, begun int) error {
	if asJSON(cmd) {
		done := r.Step
		if done == r.Steps {
			done = 0
		}
		return printJSON(cmd.OutOrStdout(), learnedJSON{true, r.ID, id, r.Steps, begun, done, o.out})
	}
	steps := fmt.Sprintf("%d steps", r.Steps)
	if r.Step < r.Steps {
		steps = fmt.Sprintf("%d of %d steps; the same command goes on", r.Step, r.Steps)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "wrote %s   run %d, %s\n", o.out, r.ID, steps)
	return err
}

func completeLearners(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var all []cobra.Completion
	for _, e := range catalog.List("learners") {
		all = append(all, cobra.CompletionWithDesc(e.Name, e.Doc))
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
