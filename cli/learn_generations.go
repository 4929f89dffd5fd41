// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/server/generations"
	"github.com/krow-lab/krow/server/machines"
)

type generationsCommand struct {
	generations.Options
	out  outFlag
	n    int
	jobs int
	on   clusterFlags
}

func newLearnGenerations() *cobra.Command {
	var c generationsCommand
	cmd := &cobra.Command{
		Use:   "generations [GAME...]",
		Short: "Make a network for an engine in generations of games and training",
		Long: `Train a network for the engine for five in a row, or for the engine for ultimate. A generation has three
steps. The current best network plays games against itself. A new network is trained on all games in the folder. Both
networks play a match with equal nodes, in which each plays both sides of every even opening. The match is a sequential
test (SPRT) of 0 against 15 Elo. The new network becomes the best if it passes the test, or if its result is nearer to 15
Elo than to 0 Elo when all games are played. At the end the best network is written to --out.

The network for five in a row is trained from random weights in each generation; the network for ultimate starts
from the network of --from. The first GAME is the game of the matches. If the only game is gomoku, standard, renju or caro,
three of ten files of games are played on 9x9, 12x12 and 20x20; if it is ultimate, half of them are played with draw=boards.
If there are several games, they are played in turn.

All files are kept in the folder. After any interruption, even kill -9, the same command continues. The same seed
gives the same files. A larger --generations continues a finished run. Without GAME the command prints the record of the
folder.`,
		Example: `  krow learn generations gomoku --from none --data games --out gomoku.net --seed 1
  krow learn generations renju --from gomoku.net --data renju --out renju.net --generations 1
  krow learn generations --data games`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.Kinds = args; len(args) == 0 {
				return c.printRecord(cmd)
			}
			return c.makeGenerations(cmd)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.Dir, "data", "", "`FOLDER` for games, networks and the record")
	_ = cmd.MarkFlagRequired("data")
	c.out.add(cmd, "out", "`FILE` for the best network")
	addNumber(cmd, &c.n, "generations", 3, 1, generations.MostGenerations, "number of generations")
	f.IntVar(&c.Games, "games", 10_000, "training games of each generation")
	addNumber(cmd, &c.Nodes, "nodes", 0, 1, 0, "nodes for each move of the training games (default 400, for ultimate 2000)")
	addNumber(cmd, &c.Passes, "passes", 0, 1, 0, "training passes (default 6, or 3 if training continues a network)")
	f.IntVar(&c.Match, "match-games", 1000, "maximum number of games of each match")
	f.Uint64Var(&c.MatchNodes, "match-nodes", 2000, "nodes for each move of a match")
	f.StringVar(&c.From, "from", "default", "network to start from: default, none or a `FILE`")
	f.Uint64Var(&c.Seed, "seed", 1, "seed of all random numbers")
	addJobs(cmd, &c.jobs, runtime.GOMAXPROCS(0))
	c.on.add(cmd)
	return cmd
}

func (c *generationsCommand) checkFlags(cmd *cobra.Command) error {
	switch {
	case c.out.name == "":
		return misusef("for example --out gomoku.net", "%s needs --out", cmd.CommandPath())
	case sameFile(c.out.name, c.From):
		return misusef("the same command must find the file of --from as it was", "--out and --from are the same file, %s", c.out.name)
	case sameFile(filepath.Dir(c.out.name), c.Dir):
		return misusef("", "--out cannot lie in the folder of --data, %s", c.Dir)
	}
	return c.out.checkPlace()
}

func (c *generationsCommand) makeGenerations(cmd *cobra.Command) (err error) {
	if err := c.checkFlags(cmd); err != nil {
		return err
	}
	r, err := generations.Begin(c.Options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	// The file must not contain another network, except if an unfinished run continues: then the file may contain an earlier
	// network of this run, and is replaced.
	if n := len(r.Generations()); n == 0 || n >= c.n {
		if err := c.out.checkSame(r.Best); err != nil {
			return err
		}
	}
	queue, done, err := c.on.open(cmd, machines.Run("generations", fmt.Sprint(r.Settings), "a network of "+r.Kinds[0], 0))
	if err != nil {
		return err
	}
	defer done()
	r.Jobs, r.Queue = c.jobs, queue
	if c.on.asked() {
		r.Away = machines.File
	}
	if n := len(r.Generations()); n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "continuing after generation %d of %d\n", n, max(n, c.n))
	}
	_, err = working(cmd, func(line *statusLine) (struct{}, error) {
		return struct{}{}, r.Make(cmd.Context(), c.n, func(p generations.Progress) { showGeneration(line, p) })
	})
	if errors.Is(err, errInterrupted) {
		return fmt.Errorf("%w in generation %d of %d; the same command continues", err, len(r.Generations())+1, c.n)
	}
	if err != nil {
		return err
	}
	if err := printGenerations(cmd, r.Generations()); err != nil {
		return err
	}
	data, err := r.Best()
	if err == nil {
		err = c.out.write(cmd, data)
	}
	if err != nil {
		return err
	}
	return printAnswer(cmd, writtenJSON{true, c.out.name}, "wrote %s\n", c.out.name)
}

type writtenJSON struct {
	Final bool   `json:"final"`
	Out   string `json:"out"`
}

// showGeneration shows the progress of a generation, with a line for each of its parts. The line of a
// finished part stays on the screen.
func showGeneration(line *statusLine, p generations.Progress) {
	text := fmt.Sprintf("generation %d: %d/%d %s", p.Generation, p.Done, p.Of, p.Doing)
	if s := p.Match; s.Games > 0 {
		text += fmt.Sprintf("   +%d =%d -%d   Elo %+.0f ± %.0f   %s", s.AWins, s.Draws, s.BWins, s.Elo, s.EloError, s.SPRT)
	}
	if text = strings.TrimSpace(text); p.Done == p.Of || p.Match.SPRT != "" {
		line.keep(text)
		return
	}
	line.showWhenDue("%s", text)
}

// printRecord prints the record that krow learn generations keeps in a folder: the settings, and the result of each generation.
func (c *generationsCommand) printRecord(cmd *cobra.Command) error {
	if c.out.name != "" {
		return misusef("usage: "+cmd.UseLine(), "%s needs GAME, or --data alone", cmd.CommandPath())
	}
	s, all, err := generations.Read(c.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has no record of generations", c.Dir)
	}
	if err != nil {
		return err
	}
	if err := printAnswer(cmd, s, "%s\nfrom %s, %s, seed %d, %d games of %d nodes a move, matches of %d at %d\n",
		strings.Join(s.Kinds, " "), s.From, s.Learner, s.Seed, s.Games, s.Nodes, s.Match, s.MatchNodes); err != nil {
		return err
	}
	return printGenerations(cmd, all)
}

func printGenerations(cmd *cobra.Command, all []generations.Generation) error {
	const header = "generation\tgames\tpositions\tloss\theld out\twon\tdrawn\tlost\tElo\taccepted\thours\tnetwork"
	return printRows(cmd.OutOrStdout(), asJSON(cmd), header, all, func(g generations.Generation) string {
		held, accepted := "-", "no"
		if g.HeldOut != nil {
			held = fmt.Sprintf("%.4f", *g.HeldOut)
		}
		if g.Accepted {
			accepted = "yes"
		}
		return fmt.Sprintf("%d\t%d\t%d\t%.4f\t%s\t%d\t%d\t%d\t%+.0f ± %.0f\t%s\t%.3g\t%s", g.Generation, g.Games, g.Positions, g.Loss, held,
			g.Won, g.Drawn, g.Lost, g.Elo, g.EloError, accepted, g.Hours, g.Network)
	})
}
