// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/league"
	"github.com/krow-lab/krow/server/machines"
	"github.com/krow-lab/krow/server/match"
)

func newLeagueRun() *cobra.Command {
	var games, jobs, most int
	var on clusterFlags
	cmd := aboutLeague(&cobra.Command{
		Use:   "run NAME",
		Short: "Play the games of a league",
		Long: `Play games of a league until --games are played or Ctrl-C is pressed. The most informative games are played
first. Each game is stored when it ends: if the command is killed, only the games in progress are lost. With --cluster or
--nats other machines play the games between members that use no clock and read no files. When all of these games of a
round are finished, they are stored together.`,
		Example: `  krow league run lunch --games 1000 --jobs 2
  krow league run lunch --member-games 200 --cluster 127.0.0.1:4222`,
	}, func(c *leagueCall) error {
		return c.playGames(league.Options{Jobs: jobs, Games: games, Most: most}, &on, func(o league.Options) error { return c.Run(c.cmd.Context(), o) })
	})
	addNumber(cmd, &games, "games", 0, 0, 0, "number of games to play (default no limit)")
	addNumber(cmd, &most, "member-games", 1000, 0, 0, "end when each member has played this number of games; 0 for no limit")
	addJobs(cmd, &jobs, 1)
	on.add(cmd)
	return cmd
}

// playGames calls run, which plays games of the league, and shows the progress.
func (c *leagueCall) playGames(o league.Options, on *clusterFlags, run func(league.Options) error) error {
	queue, done, err := on.open(c.cmd, machines.OfLeague(c.ID, c.Name))
	if err != nil {
		return err
	}
	defer done()
	o.Open, o.Queue = c.db.opener(c.cmd), queue
	o.Away = func(g game.Game, text string, lim search.Limits) (string, error) {
		return machines.Kept(c.store, g, spec.Trusted, text, lim)
	}
	line, n, start := newStatusLine(c.cmd.ErrOrStderr()), 0, time.Now()
	o.OnGame = func(g match.PlayedGame) error {
		n++
		if g.Forfeit {
			line.keep(fmt.Sprintf("%s - %s: %s, %s", g.First, g.Second, g.Outcome, g.Reason))
		}
		line.showWhenDue("%d games   %.0f a minute   %s - %s: %s", n, float64(n)/max(time.Since(start).Minutes(), 1e-6), g.First, g.Second, g.Outcome)
		if asJSON(c.cmd) {
			return printJSON(c.cmd.OutOrStdout(), g)
		}
		return nil
	}
	err = run(o)
	line.clear()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w after %d games", errInterrupted, n)
	}
	if err != nil || asJSON(c.cmd) {
		return err
	}
	_, err = fmt.Fprintf(c.cmd.OutOrStdout(), "%d games played\n", n)
	return err
}

func newLeagueTable() *cobra.Command {
	return aboutLeague(&cobra.Command{
		Use:   "table NAME",
		Short: "Show the table: ratings with their 95 % intervals",
		Long: `Show the table of a league. The column Elo shows the difference from the mean of all members, with its 95 %
interval.`,
		Example: `  krow league table lunch`,
	}, func(c *leagueCall) error {
		t, err := c.Table()
		if err != nil {
			return err
		}
		if asJSON(c.cmd) {
			return printJSON(c.cmd.OutOrStdout(), t)
		}
		return printRows(c.cmd.OutOrStdout(), false, "rank\tmember\tElo\t95 %\tgames\tscore\t+ = -", t.Rows, rowOfTable)
	})
}

func rowOfTable(r league.Row) string {
	rank, elo, half, score, state := "-", "-", "-", "-", ""
	if r.Rank > 0 {
		rank = strconv.Itoa(r.Rank)
	}
	if r.Games > 0 {
		score = fmt.Sprintf("%.1f %%", 100*r.Score)
	}
	if r.Hi > r.Lo {
		elo, half = fmt.Sprintf("%+.0f", r.Elo), fmt.Sprintf("± %.0f", math.Ceil((r.Hi-r.Lo)/2))
	}
	switch {
	case r.Left:
		state = "left"
	case r.New:
		state = "new"
	}
	return strings.TrimRight(fmt.Sprintf("%s\t%s\t%s\t%s\t%d\t%s\t+%d =%d -%d\t%s", rank, r.Name, elo, half, r.Games, score, r.Won, r.Drawn, r.Lost, state), "\t")
}

func newLeagueGames() *cobra.Command {
	var of league.Filter
	cmd := aboutLeague(&cobra.Command{
		Use:   "games NAME",
		Short: "List the games of a league, the latest first",
		Long: `List the games of a league; the latest game comes first. A line shows the first player, the second player, the
result and the moves. The moves can be given to krow analyze --moves.`,
		Example: `  krow league games lunch --member forest --games 5`,
	}, func(c *leagueCall) error {
		all, err := c.Games(of)
		if err != nil {
			return err
		}
		return printRows(c.cmd.OutOrStdout(), asJSON(c.cmd), "game\tfirst\tsecond\tresult\treason\tmoves", all, func(g match.PlayedGame) string {
			return fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%s", g.ID, g.First, g.Second, g.Outcome, g.Reason, g.Moves)
		})
	})
	flags := cmd.Flags()
	flags.StringVar(&of.Member, "member", "", "only games of this `MEMBER`")
	flags.StringVar(&of.Against, "against", "", "with --member: only games against this `MEMBER`")
	flags.Int64Var(&of.ID, "id", 0, "only the game with this number")
	addNumber(cmd, &of.Count, "games", 20, 1, 0, "maximum number of games")
	return cmd
}

func newLeagueExport() *cobra.Command {
	var format string
	var out outFlag
	cmd := aboutLeague(&cobra.Command{
		Use:   "export NAME",
		Short: "Write the table or the games of a league to a file",
		Long: `Write a league to a file or to standard output. The format json contains the table and all games. For
spreadsheets, csv contains the table and games-csv the games. The format games is krow's file of games; sgf, psq and the
other formats are those of krow convert.`,
		Example: `  krow league export lunch --format csv --out lunch.csv`,
	}, func(c *leagueCall) error {
		if err := out.checkFile(); err != nil {
			return err
		}
		data, err := c.Export(format)
		if err != nil {
			return err
		}
		return out.write(c.cmd, data)
	})
	format = "json"
	addChoice(cmd, &format, "format", "`FORMAT`: "+strings.Join(league.Formats(), ", "), league.Formats()...)
	out.add(cmd, "out", "`FILE` to write (default standard output)")
	return cmd
}
