// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn/fiverow"
)

// chunkGames is how many games a file has.
const chunkGames = 500

type learnGamesCommand struct {
	data              string
	games, jobs       int
	nodes, seed       uint64
	chunks, positions int
}

func newLearnGames() *cobra.Command {
	var c learnGamesCommand
	cmd := &cobra.Command{
		Use:   "games GAME...",
		Short: "Play games of five in a row to learn from",
		Long: `Play games of the gomoku engine against itself, at a fixed number of nodes a move, and write them to files that
learners read. Each file holds 500 games of one of the kinds named, in turn: a kind that is named twice has twice as
many. The same command goes on where it was ended, even by kill -9, and the same seed gives the same files.`,
		Example: `  krow learn games gomoku gomoku gomoku:20 --data games --games 6000 --seed 1
  krow learn games renju --data games --games 2000 --nodes 2000`,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
		ValidArgsFunction: complete(completeGames),
	}
	f := cmd.Flags()
	f.StringVar(&c.data, "data", "", "folder for the files")
	f.IntVar(&c.games, "games", 2000, "games in all")
	f.Uint64Var(&c.nodes, "nodes", 700, "nodes for each move")
	f.Uint64Var(&c.seed, "seed", 1, "seed of everything that is drawn")
	f.IntVar(&c.jobs, "jobs", runtime.GOMAXPROCS(0), "games at once")
	return cmd
}

func (c *learnGamesCommand) run(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return misusef("usage: "+cmd.UseLine(), "%s needs GAME", cmd.CommandPath())
	}
	if c.data == "" {
		return misusef("for example --data games", "%s needs --data", cmd.CommandPath())
	}
	if c.games < 1 || c.jobs < 1 || c.nodes < 1 {
		return misusef("", "--games, --jobs and --nodes begin with 1")
	}
	var kinds []game.Game
	for _, text := range args {
		g, err := catalog.Game(text)
		if err != nil {
			return err
		}
		kinds = append(kinds, g)
	}
	line, games := newStatusLine(cmd.ErrOrStderr()), 0
	defer line.clear()
	o := fiverow.Options{
		Playing: fiverow.Playing{Nodes: c.nodes}, Dir: c.data, Games: c.games, Chunk: chunkGames, Seed: c.seed, Jobs: c.jobs,
	}
	err := fiverow.Generate(cmd.Context(), kinds, o, func(chunk *fiverow.Chunk) {
		c.chunks++
		games += chunk.Games
		c.positions += chunk.Positions()
		if line.due() {
			line.show(fmt.Sprintf("%d/%d games, %d positions", games, c.games, c.positions))
		}
	})
	if cmd.Context().Err() != nil {
		return fmt.Errorf("%w after %d of %d games; the same command goes on", errInterrupted, games, c.games)
	}
	if err != nil {
		return err
	}
	line.clear()
	if asJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), struct {
			Games     int `json:"games"`
			Positions int `json:"positions"`
			Files     int `json:"files"`
		}{games, c.positions, c.chunks})
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d games, %d positions in %d files\n", games, c.positions, c.chunks)
	return err
}
