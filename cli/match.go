// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/server/machines"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/players"
	"github.com/krow-lab/krow/server/store"
)

type termsFlags struct {
	arena.Match
}

func (f *termsFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	addNumber(cmd, &f.Games, "games", 100, 1, 0, "number of games between two players")
	flags.Uint64Var(&f.Seed, "seed", 1, "seed of the openings and of random players")
	addNumber(cmd, &f.RandomPlies, "random-plies", 0, 0, 0, "random moves at the start of each pair of games")
	addJobs(cmd, &f.Jobs, 1)
}

// addJobs adds the flag --jobs, the number of games that are played at once.
func addJobs(cmd *cobra.Command, jobs *int, standard int) {
	addNumber(cmd, jobs, "jobs", standard, 1, maxJobs, "games played at once")
}

// maxJobs is the maximum number of games played at once. A limit is needed because each game takes memory even before its first
// move.
const maxJobs = 1024

func enter(m *match.Match, spec string, open match.Open) error {
	err := m.Enter(spec, open)
	switch {
	case errors.Is(err, match.ErrPerson):
		return misusef("use krow play", "%w", err)
	case errors.Is(err, opening.ErrUnable):
		return misusef("players that search do, such as best", "%w", err)
	}
	return err
}

type matchCommand struct {
	terms    termsFlags
	limit    limitFlags
	clock    string
	openings string
	sprt     string
	resign   string
	draw     string
	gauntlet bool
	out      outFlag
	db       databaseFlag
	cluster  clusterFlags
}

func newMatch() *cobra.Command {
	var o matchCommand
	cmd := &cobra.Command{
		Use:   "match GAME PLAYER...",
		Short: "Play a match and measure the difference in strength",
		Long: `Play a match between two players, A and B. Three or more players play a round robin, in which every player meets
every other player. With --gauntlet only the first player meets each other player. @FILE stands for the players in FILE, one
on each line. run:1,members=1-5 stands for five members of genetic run 1. Every opening is played twice, with sides
exchanged.

With --opening the players make the opening of each game themselves, by a rule such as swap2. The games come in pairs: A
begins the opening in the first game of each pair, B in the second. In the files of games, "first" names the player who had
Black after the opening. With --clock each player has a clock for the whole game, and decides how much of it to use for a
move; --time is then the maximum for one move. The result shows how many Elo A is stronger than B, with a 95 % interval,
which is computed from pairs of games. A player that fails, runs out of time or plays an illegal move forfeits the game.
program:PATH,log=FILE appends every line to and from an engine to FILE, with the time.

With --resign, --draw and --max-plies a game can end before the rules end it. --resign and --draw need the scores of both
players. Only UGI engines and players that search report scores.

With --out the games are written to FILE.part, which is renamed to FILE after the last game. After an interruption
the same command continues the match. With a larger --games it also continues a finished match.`,
		Example: `  krow match tictactoe random rules --games 100
  krow match connect4 mcts:sims=1000 alphabeta:depth=4 --games 200 --random-plies 2 --jobs 2
  krow match gomoku best program:./pbrain-other --opening swap2 --clock 60s+1s --games 20
  krow match ultimate run:1,members=1-5 random --games 20 --random-plies 4
  krow match gomoku program:./my-engine @engines.txt --gauntlet --clock 60s+1s --random-plies 4
  krow match gomoku mics:nodes=2000 alphabeta:depth=2 --sprt 0,50 --games 1000 --out games.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.prepareAndPlay(cmd, args[0], args[1:]) },
	}
	o.terms.add(cmd)
	o.limit.add(cmd, "for each move")
	f := cmd.Flags()
	f.StringVar(&o.openings, "openings", "", "`FILE` of openings; each line is a list of moves or offsets: see krow openings")
	addOpening(cmd, &o.terms.Opening, "A begins")
	f.StringVar(&o.sprt, "sprt", "", "stop when a sequential test (SPRT) has decided between the two Elo differences `ELO0,ELO1`, such as 0,10")
	o.out.add(cmd, "out", "`FILE` for the games, as JSON lines")
	f.StringVar(&o.clock, "clock", "", "time of each player for the whole game, plus an increment for each move, such as `60s+1s`")
	addNumber(cmd, &o.terms.Margin, "margin", arena.DefaultMargin, time.Nanosecond, 0, "extra time before a move counts as late")
	addNumber(cmd, &o.terms.MaxPlies, "max-plies", 0, 0, 0, "a game is a draw after this number of plies, opening included; 0: no maximum")
	f.StringVar(&o.resign, "resign", "", "adjudicate a loss after `MOVES,PERCENT`, such as 4,2: each player, in 4 moves in a row, gives the loser a chance of at most 2 %")
	f.StringVar(&o.draw, "draw", "", "adjudicate a draw after `MOVES,PERCENT`, such as 8,1: each player, in 8 moves in a row, gives itself a chance of 49 % to 51 %")
	f.BoolVar(&o.gauntlet, "gauntlet", false, "only the first player meets the other players")
	f.BoolVar(&o.terms.Times, "times", false, "write the time of each move with the games")
	o.db.add(cmd)
	o.cluster.add(cmd)
	cmd.MarkFlagsMutuallyExclusive("opening", "openings", "random-plies")
	return cmd
}

func (o *matchCommand) newMatch(cmd *cobra.Command, text string, names []string) (*match.Match, error) {
	g, err := krow.Game(text)
	if err != nil {
		return nil, err
	}
	warnUnwinnable(g)
	m := &match.Match{Terms: o.terms.Match, Gauntlet: o.gauntlet}
	m.Terms.Game = g
	m.Terms.Limits = o.limit.Limits
	if o.clock != "" {
		if m.Terms.Clock, err = clock.Parse(o.clock); err != nil {
			return nil, misusef("for example --clock 60s+1s", "--clock: %w", err)
		}
	}
	look := func(do func(*store.Store) error) error { return o.db.lookFor(noRuns, do) }
	if names, err = players.Expand(names, look); err != nil {
		return nil, err
	}
	for _, spec := range names {
		settled, open, err := o.db.players(cmd, g, spec)
		if err == nil {
			err = enter(m, settled, open)
		}
		if err != nil {
			return nil, err
		}
	}
	if o.sprt != "" {
		if m.Terms.SPRT, err = stats.ParseSPRT(o.sprt); err != nil {
			return nil, misusef("for example --sprt 0,10", "--sprt %w", err)
		}
	}
	if m.Terms.Resign, err = parseAgreement("resign", o.resign); err != nil {
		return nil, err
	}
	if m.Terms.Draw, err = parseAgreement("draw", o.draw); err != nil {
		return nil, err
	}
	if o.openings != "" {
		if m.Terms.Openings, err = gamefile.ReadOpenings(g, o.openings); err != nil {
			return nil, err
		}
	}
	if err := m.Check(); err != nil {
		return nil, misusef("", "%w", err)
	}
	return m, nil
}

func parseAgreement(flag, text string) (a arena.Agreement, err error) {
	if text == "" {
		return a, nil
	}
	if a, err = arena.ParseAgreement(text); err != nil {
		return a, misusef("for example --"+flag+" 4,2", "--%s: %w", flag, err)
	}
	return a, nil
}

func (o *matchCommand) prepareAndPlay(cmd *cobra.Command, game string, players []string) (err error) {
	m, err := o.newMatch(cmd, game, players)
	if err != nil {
		return err
	}
	if o.out.name != "" {
		closeFile, failed := o.keepGames(m)
		if failed != nil {
			return failed
		}
		defer func() { err = cmp.Or(err, closeFile()) }()
		if n := m.Played(); n > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "continuing after %d games\n", n)
		}
	}
	if o.cluster.asked() {
		defer machines.Close() // deletes the temporary files of units
		if err := machines.Enter(m, machines.Spec); err != nil {
			return misusef("a worker starts no program, and reads the files of weights, networks and bots alone", "on a cluster: %w", err)
		}
	}
	queue, done, err := o.cluster.open(cmd, machines.Of(m))
	if err != nil {
		return err
	}
	defer done()
	if m.Terms.Queue = queue; queue != nil {
		m.Terms.Speed = machines.Speed()
	}
	if err := m.Check(); err != nil {
		return misusef("", "%w", err)
	}
	return o.playMatch(cmd, m)
}

// keepGames lets m write its games to the file of --out. The file may already contain games of the same match.
func (o *matchCommand) keepGames(m *match.Match) (closeFile func() error, err error) {
	if err := o.out.checkPlace(); err != nil {
		return nil, err
	}
	closeFile, err = m.KeepFile(o.out.name, o.out.force)
	if errors.Is(err, match.ErrAnother) {
		err = misusef("--force replaces it", "--out %w", err)
	}
	return closeFile, err
}

func (o *matchCommand) playMatch(cmd *cobra.Command, m *match.Match) error {
	w, json := cmd.OutOrStdout(), asJSON(cmd)
	bar, start := newStatusLine(cmd.ErrOrStderr()), time.Now()
	met := map[int]arena.Meeting{}
	m.OnGame = func(e match.Event) error {
		if e.Game.Forfeited() {
			bar.keep(fmt.Sprintf("game %d: %s", e.Game.Index+1, cmp.Or(e.Game.Detail, e.Game.Reason)))
		}
		s := e.Meeting
		switch {
		case len(m.Players) > 2:
			if met[e.Pairing] = s; bar.due() {
				bar.show(arena.Leaders(slices.Collect(maps.Values(met)), m.Games()))
			}
		case bar.due():
			left := time.Duration(float64(time.Since(start)) / float64(s.Games-m.Played()) * float64(m.Games()-s.Games))
			bar.show(fmt.Sprintf("%d/%d games   +%d =%d -%d   Elo %+.0f ± %.0f   %s left",
				s.Games, m.Games(), s.AWins, s.Draws, s.BWins, s.Elo, s.EloError, left.Round(time.Second)))
		}
		if json {
			return printJSON(w, e.Game)
		}
		return nil
	}
	all, err := m.Run(cmd.Context())
	bar.clear()
	if len(m.Players) > 2 {
		if errors.Is(err, context.Canceled) {
			return errInterrupted
		}
		return showStandings(w, all, err, json)
	}
	var s arena.Meeting
	if len(all) > 0 {
		s = all[0]
	}
	if errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%w after %d games", errInterrupted, s.Games)
	}
	if e := printSummary(w, m, s.Summary, err, json); err == nil {
		err = e
	}
	return err
}

type summaryJSON struct {
	Final bool   `json:"final"`
	Game  string `json:"game"`
	A     string `json:"a"`
	B     string `json:"b"`
	Seed  uint64 `json:"seed"`
	arena.Summary
	Error string `json:"error,omitempty"`
}

// printSummary prints the results of a match. If an error ended the match, it prints the results of the games before the error.
func printSummary(w io.Writer, m *match.Match, s arena.Summary, failed error, json bool) error {
	a, b := m.Players[0].Name, m.Players[1].Name
	if json {
		final := summaryJSON{Final: true, Game: m.Terms.Game.String(), A: a, B: b, Seed: m.Terms.Seed, Summary: s}
		if failed != nil {
			final.Error = failed.Error()
		}
		return printJSON(w, final)
	}
	if failed != nil && s.Games == 0 {
		return nil
	}
	_, err := io.WriteString(w, s.Report(a, b, m.Terms.SPRT))
	return err
}

// showStandings prints a line for each player of a round robin.
//
//	rank  player  points  won  drawn  lost  Elo
//	1     run:1   31.5    30   3      7     +151 ± 60
func showStandings(w io.Writer, meetings []arena.Meeting, failed error, json bool) error {
	if failed != nil {
		return failed
	}
	all, err := arena.Rank(meetings)
	if err != nil {
		return err
	}
	type row struct {
		Final bool `json:"final"`
		arena.Rated
	}
	var rows []row
	for _, r := range all {
		rows = append(rows, row{true, r})
	}
	return printRows(w, json, "rank\tplayer\tpoints\twon\tdrawn\tlost\tElo", rows, func(r row) string {
		return fmt.Sprintf("%d\t%s\t%g\t%d\t%d\t%d\t%+.0f ± %.0f", r.Rank, r.Name, r.Points, r.Won, r.Drawn, r.Lost, r.Elo, r.Error)
	})
}
