// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/server/machines"
	"github.com/krow-lab/krow/server/runs"
	"github.com/krow-lab/krow/server/store"
)

type runJSON struct {
	*store.Run
	runs.Learning
}

func newLearnList() *cobra.Command {
	return withStore(&cobra.Command{
		Use:     "list",
		Short:   "List the learning runs",
		Long:    "List the learning runs in the database. The oldest run comes first.",
		Example: "  krow learn list",
	}, noRuns, func(cmd *cobra.Command, _ []string, db *store.Store) error {
		all, err := runs.List(db)
		if err != nil {
			return err
		}
		var rows []runJSON
		for _, r := range all {
			rows = append(rows, runJSON{r.Run, r.Learning})
		}
		return printRows(cmd.OutOrStdout(), asJSON(cmd), "run\tlearner\tgame\tseed\tsteps", rows, func(r runJSON) string {
			done := ""
			if r.Done {
				done = "  done"
			}
			return fmt.Sprintf("%d\t%s\t%s\t%d\t%d/%d%s", r.ID, r.Learner, r.Game, r.Seed, r.Step, r.Steps, done)
		})
	})
}

func newLearnDelete() *cobra.Command {
	return addYes(aboutRun(&cobra.Command{
		Use:     "delete RUN",
		Short:   "Delete a run and its learning curve",
		Long:    "Delete a run and its learning curve from the database. Files of weights are not deleted.",
		Example: "  krow learn delete 1",
	}, func(cmd *cobra.Command, r *runs.Run) error {
		return deleteAsked(cmd, fmt.Sprintf("run %d, %s", r.ID, r.Key), r.Forget)
	}))
}

func newLearnGames() *cobra.Command {
	var o runs.Games
	var on clusterFlags
	cmd := &cobra.Command{
		Use:   "games GAME...",
		Short: "Play games of five in a row or ultimate tic-tac-toe, for learning",
		Long: `Let the engine for five in a row, or the engine for ultimate, play games against itself with a fixed number of
nodes for each move. The games are written to files for learners. Each file contains 500 games of one GAME (400 of
ultimate). If several GAMEs are given, the files alternate between them; a GAME that is given twice gets twice as many
files. After any interruption, even kill -9, the same command continues. The same seed gives the same files.`,
		Example: `  krow learn games gomoku gomoku gomoku:20 --data games --games 6000 --seed 1
  krow learn games renju --data games --games 2000 --nodes 2000
  krow learn games ultimate ultimate:draw=boards --data games --games 8000 --nodes 2000`,
		RunE: func(cmd *cobra.Command, args []string) error { return playGames(cmd, o, on, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.Dir, "data", "", "`FOLDER` for the files")
	_ = cmd.MarkFlagRequired("data")
	addNumber(cmd, &o.Games, "games", 2000, 1, 0, "total number of games")
	addNumber(cmd, &o.Nodes, "nodes", 700, 1, 0, "nodes for each move")
	f.StringVar(&o.Net, "net", "default", "network of the engine: default, none or a `FILE`")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of all random numbers")
	addJobs(cmd, &o.Jobs, runtime.GOMAXPROCS(0))
	on.add(cmd)
	return cmd
}

func playGames(cmd *cobra.Command, o runs.Games, on clusterFlags, kinds []string) error {
	o.Kinds = kinds
	identity := fmt.Sprint(kinds, o.Games, o.Nodes, o.Net, o.Seed)
	queue, done, err := on.open(cmd, machines.Run("games", identity, "games to learn from", 0))
	if err != nil {
		return err
	}
	defer done()
	if on.asked() {
		if o.NetName, err = machines.File(o.Net); err != nil {
			return err
		}
	}
	o.Queue = queue
	p, err := working(cmd, func(line *statusLine) (runs.Played, error) {
		return o.Play(cmd.Context(), func(p runs.Played) {
			line.showWhenDue("%d/%d games, %d positions", p.Games, o.Games, p.Positions)
		})
	})
	if errors.Is(err, errInterrupted) {
		return fmt.Errorf("%w after %d of %d games; the same command continues", err, p.Games, o.Games)
	}
	if err != nil {
		return err
	}
	return printAnswer(cmd, p, "%d games, %d positions in %d files\n", p.Games, p.Positions, p.Files)
}
