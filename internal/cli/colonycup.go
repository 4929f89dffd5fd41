// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/match"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/store"
)

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
		Long: `Let everyone meet everyone. A PLAYER is a colony by the number of its run (1: all its members), some of its
members (1/3, 1/1-5), or any player by its spec, without a look at a colony. The colonies must be of one game;
without one it is ultimate. Members draw no lots, so each pair of games begins with random moves. Elo is against
the mean of all, with its 95 % interval.`,
		Example: `  krow colony tournament 1/1-5 random mcts:sims=100
  krow colony tournament 1/1 2/1 3/1 --games 200`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exactly("PLAYER")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.db.add(cmd)
	o.terms.add(cmd, 20, 4)
	return cmd
}

// entry is members of a colony: RUN, RUN/MEMBER or RUN/FIRST-LAST.
type entry struct {
	run         string
	first, last int
	all         bool
}

var entryText = regexp.MustCompile(`^(\d+)(?:/(\d+)(?:-(\d+))?)?$`)

// parseEntry reads an entry, and says whether the word is one. It is the spec of a player otherwise.
func parseEntry(word string) (e entry, ok bool) {
	m := entryText.FindStringSubmatch(word)
	if m == nil {
		return e, false
	}
	number := func(text string) int {
		n, _ := strconv.Atoi(text) // digits; of too many the greatest there is
		return n
	}
	e = entry{run: m[1], first: number(m[2]), last: number(m[3]), all: m[2] == ""}
	if m[3] == "" {
		e.last = e.first
	}
	return e, true
}

func (o *tournamentCommand) run(cmd *cobra.Command, words []string) error {
	if err := o.terms.check(); err != nil {
		return err
	}
	m := &o.m
	m.Terms, m.RoundRobin = o.terms.Match, true
	if err := o.enter(words); err != nil {
		return err
	}
	if err := m.Check(); err != nil {
		return &misuse{err: err}
	}
	json, line := asJSON(cmd), newStatusLine(cmd.ErrOrStderr())
	m.OnGame = func(e match.Event) error {
		played, all := (e.Pairing-1)*m.Terms.Games+e.Meeting.Games, m.Games()
		if line.due() {
			line.show(fmt.Sprintf("%d/%d games   %s against %s", played, all, e.Meeting.A, e.Meeting.B))
		}
		if json && e.Meeting.Games == m.Terms.Games {
			return printJSON(cmd.OutOrStdout(), e.Meeting)
		}
		return nil
	}
	meetings, err := m.Run(cmd.Context())
	line.clear()
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	all, err := match.Standings(meetings)
	if err != nil {
		return err
	}
	return showStandings(cmd.OutOrStdout(), all, json)
}

// enter finds the players that the words name, and the game.
func (o *tournamentCommand) enter(words []string) error {
	var others []string
	for _, word := range words {
		e, ok := parseEntry(word)
		if !ok {
			others = append(others, word)
			continue
		}
		if err := o.enterColony(e); err != nil {
			return err
		}
	}
	if o.m.Terms.Game == nil {
		g, err := catalog.Game("ultimate")
		if err != nil {
			return err
		}
		o.m.Terms.Game = g
	}
	for _, word := range others {
		if err := enter(&o.m, word, catalog.Player); err != nil {
			return err
		}
	}
	return nil
}

// enterColony adds the members that e names.
func (o *tournamentCommand) enterColony(e entry) error {
	return o.db.lookAt(e.run, func(_ *store.Store, r *store.Run) error {
		c, err := colonyOf(r)
		if err != nil {
			return err
		}
		if err := o.sameGame(c.Game); err != nil {
			return err
		}
		if e.all {
			e.first, e.last = 1, len(c.Members)
		}
		if e.first > e.last {
			return misusef("", "run %d: there are no members from %d to %d", r.ID, e.first, e.last)
		}
		for member := e.first; member <= e.last; member++ {
			if err := c.Check(member); err != nil {
				return &misuse{err: fmt.Errorf("run %d: %w", r.ID, err)}
			}
			o.m.Players = append(o.m.Players, c.Factory(member, fmt.Sprintf("%d/%d", r.ID, member)))
		}
		return nil
	})
}

func (o *tournamentCommand) sameGame(g game.Game) error {
	if o.m.Terms.Game != nil && o.m.Terms.Game.String() != g.String() {
		return misusef("", "the colonies are of two games, %s and %s", o.m.Terms.Game, g)
	}
	o.m.Terms.Game = g
	return nil
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
//	1     1/1     31.5    30   3      7     +151 ± 60
func showStandings(w io.Writer, all []match.Standing, json bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if !json {
		fmt.Fprintln(t, "rank\tplayer\tpoints\twon\tdrawn\tlost\tElo")
	}
	for i, s := range all {
		if json {
			if err := printJSON(w, standingJSON{true, i + 1, s.Name, s.Points, s.Won, s.Drawn, s.Lost, s.Elo, s.Error}); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(t, "%d\t%s\t%g\t%d\t%d\t%d\t%+.0f ± %.0f\n", i+1, s.Name, s.Points, s.Won, s.Drawn, s.Lost, s.Elo, s.Error)
	}
	return t.Flush()
}
