// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/runs"
)

func newLearnGames() *cobra.Command {
	var o runs.Games
	cmd := &cobra.Command{
		Use:   "games GAME...",
		Short: "Play games of five in a row to learn from",
		Long: `Play games of the gomoku engine against itself, at a fixed number of nodes a move, and write them to files that
learners read. Each file holds 500 games of one of the kinds named, in turn: a kind that is named twice has twice as
many. The same command goes on where it was ended, even by kill -9, and the same seed gives the same files.`,
		Example: `  krow learn games gomoku gomoku gomoku:20 --data games --games 6000 --seed 1
  krow learn games renju --data games --games 2000 --nodes 2000`,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return playGames(cmd, o, args) },
		ValidArgsFunction: complete(completeGames),
	}
	f := cmd.Flags()
	f.StringVar(&o.Dir, "data", "", "folder for the files")
	f.IntVar(&o.Games, "games", 2000, "games in all")
	f.Uint64Var(&o.Nodes, "nodes", 700, "nodes for each move")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of everything that is drawn")
	f.IntVar(&o.Jobs, "jobs", runtime.GOMAXPROCS(0), "games at once")
	return cmd
}

func playGames(cmd *cobra.Command, o runs.Games, kinds []string) error {
	switch o.Kinds = kinds; {
	case len(kinds) == 0:
		return misusef("usage: "+cmd.UseLine(), "%s needs GAME", cmd.CommandPath())
	case o.Dir == "":
		return misusef("for example --data games", "%s needs --data", cmd.CommandPath())
	case o.Games < 1 || o.Jobs < 1 || o.Nodes < 1:
		return misusef("", "--games, --jobs and --nodes begin with 1")
	}
	line := newStatusLine(cmd.ErrOrStderr())
	defer line.clear()
	p, err := o.Play(cmd.Context(), func(p runs.Played) {
		if line.due() {
			line.show(fmt.Sprintf("%d/%d games, %d positions", p.Games, o.Games, p.Positions))
		}
	})
	if cmd.Context().Err() != nil {
		return fmt.Errorf("%w after %d of %d games; the same command goes on", errInterrupted, p.Games, o.Games)
	}
	if err != nil {
		return err
	}
	line.clear()
	if asJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), p)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d games, %d positions in %d files\n", p.Games, p.Positions, p.Files)
	return err
}
