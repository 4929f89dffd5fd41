// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/match"
	"github.com/krow-lab/krow/app/runs"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/internal/store"
)

func newColony() *cobra.Command {
	return group(&cobra.Command{
		Use:   "colony",
		Short: "Look at a bred colony, and let its members play",
		Long: `A colony is what "krow learn genetic" bred for ultimate tic-tac-toe: its number is that of the run, its
members count from 1, the best. They can be listed, written to files that players load, and meet each other and
anybody else in a tournament.`,
		Example: `  krow colony list 1
  krow colony export 1 2 --out second.json
  krow colony tournament run:1,members=1-5 random mcts:sims=100`,
	}, newColonyList(), newColonyExport(), newColonyTournament())
}

func newColonyList() *cobra.Command {
	return aboutRun(&cobra.Command{
		Use:   "list RUN",
		Short: "List the members of a colony",
		Long: `List the members of a colony after its last generation, the best first: the share of its games that each
won, the generation it was born in, and its weights. "krow learn list" lists the runs.`,
		Example: "  krow colony list 1",
	}, listMembers)
}

type memberJSON struct {
	Run        int64              `json:"run"`
	Member     int                `json:"member"`
	Fitness    float64            `json:"fitness"`
	Born       int                `json:"born"`
	Generation int                `json:"generation"`
	Weights    map[string]float64 `json:"weights"`
}

// listMembers prints a line for each member.
//
//	run 1   genetic ultimate seed=7   generation 30 of 30
//	member  fitness  born  corner  centre  edge  ...
//	1       0.95     22    4.31    7.2     -1.5
func listMembers(cmd *cobra.Command, r *runs.Run) error {
	l, err := r.At(0)
	if err != nil {
		return err
	}
	c, err := l.Colony()
	if err != nil {
		return err
	}
	var rows []memberJSON
	for n, m := range c.Members {
		weights := map[string]float64{}
		for i, trait := range c.Traits {
			weights[trait] = m.Values[i]
		}
		rows = append(rows, memberJSON{r.ID, n + 1, m.Fitness, m.Born, r.Step, weights})
	}
	w, json := cmd.OutOrStdout(), asJSON(cmd)
	if !json {
		fmt.Fprintf(w, "run %d   %s   generation %d of %d\n", r.ID, r.Key, r.Step, r.Steps)
	}
	return printRows(w, json, "member\tfitness\tborn\t"+strings.Join(c.Traits, "\t"), rows, func(m memberJSON) string {
		line := fmt.Sprintf("%d\t%.4g\t%d", m.Member, m.Fitness, m.Born)
		for _, trait := range c.Traits {
			line += fmt.Sprintf("\t%.3g", m.Weights[trait])
		}
		return line
	})
}

func newColonyExport() *cobra.Command {
	var db databaseFlag
	var out string
	cmd := &cobra.Command{
		Use:     "export RUN MEMBER",
		Short:   "Write the weights of a member to a file",
		Long:    "Write the weights of a member, from 1, the best, to a file, and say which player loads it.",
		Example: "  krow colony export 1 2 --out second.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			member, err := strconv.Atoi(args[1])
			if err != nil || member < 1 {
				return misusef("the best is 1", "MEMBER must be the number of a member, not %q", args[1])
			}
			if out == "" {
				return misusef("for example --out second.json", "%s needs --out", cmd.CommandPath())
			}
			if err := checkWeights(out, &db); err != nil {
				return err
			}
			return db.lookAt(args[0], func(r *runs.Run) error { return exportMember(cmd, r, member, out) })
		},
	}
	db.add(cmd)
	cmd.Flags().StringVar(&out, "out", "", "file to write the weights to")
	return cmd
}

type exportedJSON struct {
	Final  bool   `json:"final"`
	Run    int64  `json:"run"`
	Member int    `json:"member"`
	Out    string `json:"out"`
	Player string `json:"player"` // the spec of the player that loads the file
}

func exportMember(cmd *cobra.Command, r *runs.Run, member int, out string) error {
	l, err := r.At(0)
	if err != nil {
		return err
	}
	if err := l.Save(out, member); err != nil {
		return err
	}
	player, err := l.Spec(out)
	if err != nil {
		return err
	}
	return answer(cmd, exportedJSON{true, r.ID, member, out, player}, "wrote %s   player %s\n", out, player)
}

type tournamentCommand struct {
	db    databaseFlag
	terms termsFlags
	m     match.Match
}

func newColonyTournament() *cobra.Command {
	var o tournamentCommand
	cmd := &cobra.Command{
		Use:   "tournament PLAYER...",
		Short: "Let members of colonies and others play a tournament",
		Long: `Let everyone meet everyone. A PLAYER is a colony by its run (run:1, all members), some of its members
(run:1,member=3 or run:1,members=1-5), or any player by its spec. The runs must be of one game; without one it is
ultimate. Members draw no lots, so each pair of games begins with random moves. Elo is against the mean of all,
with its 95 % interval.`,
		Example: `  krow colony tournament run:1,members=1-5 random mcts:sims=100
  krow colony tournament run:1,member=1 run:2,member=1 --games 200`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.db.add(cmd)
	o.terms.add(cmd, 20, 4)
	return cmd
}

func (o *tournamentCommand) run(cmd *cobra.Command, words []string) error {
	if err := o.terms.check(); err != nil {
		return err
	}
	m := &o.m
	m.Terms, m.RoundRobin = o.terms.Match, true
	if err := o.enter(cmd, words); err != nil {
		return err
	}
	if err := m.Check(); err != nil {
		return misusef("", "%w", err)
	}
	json := asJSON(cmd)
	meetings, err := working(cmd, func(line *statusLine) ([]match.Meeting, error) {
		m.OnGame = func(e match.Event) error {
			played, all := (e.Pairing-1)*m.Terms.Games+e.Meeting.Games, m.Games()
			line.tell("%d/%d games   %s against %s", played, all, e.Meeting.A, e.Meeting.B)
			if json && e.Meeting.Games == m.Terms.Games {
				return printJSON(cmd.OutOrStdout(), e.Meeting)
			}
			return nil
		}
		return m.Run(cmd.Context())
	})
	if err != nil {
		return err
	}
	all, err := match.Standings(meetings)
	if err != nil {
		return err
	}
	return showStandings(cmd.OutOrStdout(), all, json)
}

// enter finds the players that the words name, and the game: that of the runs, or ultimate.
func (o *tournamentCommand) enter(cmd *cobra.Command, words []string) error {
	var players []string
	game := ""
	for _, word := range words {
		word = renamed(word)
		ref, is, err := runs.ParseRef(word)
		if err != nil {
			return err
		}
		if !is {
			players = append(players, word)
			continue
		}
		if err := o.db.lookFor(noRuns, func(s *store.Store) error {
			r, err := runs.Open(s, ref.Run)
			if err != nil {
				return err
			}
			all, err := r.Players(ref)
			for _, ref := range all {
				players = append(players, ref.String())
			}
			if game == "" {
				game = r.Game
			}
			if err == nil && game != r.Game {
				err = misusef("", "the runs are of two games, %s and %s", game, r.Game)
			}
			return err
		}); err != nil {
			return err
		}
	}
	g, err := catalog.Game(cmp.Or(game, "ultimate"))
	if err != nil {
		return err
	}
	o.m.Terms.Game = g
	for _, text := range players {
		_, open, err := o.db.players(cmd, g, text)
		if err == nil {
			err = enter(&o.m, text, open)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var oldMembers = regexp.MustCompile(`^(\d+)(?:/(\d+)(-\d+)?)?$`)

// renamed returns a player by its present spelling: 1 was all members of run 1, 1/2 one, and 1/1-5 some.
func renamed(word string) string {
	m := oldMembers.FindStringSubmatch(word)
	if m == nil {
		return word
	}
	now := "run:" + m[1]
	switch {
	case m[3] != "":
		now += ",members=" + m[2] + m[3]
	case m[2] != "":
		now += ",member=" + m[2]
	}
	spec.Old(word, now)
	return now
}

type standingJSON struct {
	Final  bool    `json:"final"`
	Rank   int     `json:"rank"`
	Player string  `json:"player"`
	Points float64 `json:"points"`
	Won    int     `json:"won"`
	Drawn  int     `json:"drawn"`
	Lost   int     `json:"lost"`
	Elo    float64 `json:"elo"`
	Error  float64 `json:"elo_error"`
}

// showStandings prints a line for each player.
//
//	rank  player  points  won  drawn  lost  Elo
//	1     run:1   31.5    30   3      7     +151 ± 60
func showStandings(w io.Writer, all []match.Standing, json bool) error {
	var rows []standingJSON
	for i, s := range all {
		rows = append(rows, standingJSON{true, i + 1, s.Name, s.Points, s.Won, s.Drawn, s.Lost, s.Elo, s.Error})
	}
	return printRows(w, json, "rank\tplayer\tpoints\twon\tdrawn\tlost\tElo", rows, func(s standingJSON) string {
		return fmt.Sprintf("%d\t%s\t%g\t%d\t%d\t%d\t%+.0f ± %.0f", s.Rank, s.Player, s.Points, s.Won, s.Drawn, s.Lost, s.Elo, s.Error)
	})
}
