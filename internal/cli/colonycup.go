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
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/learn/colony"
)

type cup struct {
	db databaseFlag
	t  colony.Tournament
}

func newColonyTournament() *cobra.Command {
	var o cup
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
	f := cmd.Flags()
	f.IntVar(&o.t.Games, "games", 20, "games of each match, an even number")
	f.Uint64Var(&o.t.Seed, "seed", 1, "seed of the openings and of players that draw lots")
	f.IntVar(&o.t.RandomPlies, "random-plies", 4, "random moves at the start of each pair of games")
	f.IntVar(&o.t.Concurrency, "concurrency", 1, "games played at once")
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

func (o *cup) run(cmd *cobra.Command, words []string) error {
	if o.t.RandomPlies < 0 {
		return misusef("", "--random-plies cannot be negative: %d", o.t.RandomPlies)
	}
	if o.t.Concurrency < 1 || o.t.Concurrency > maxConcurrency {
		return misusef("", "--concurrency must be from 1 to %d, not %d", maxConcurrency, o.t.Concurrency)
	}
	if err := o.enter(words); err != nil {
		return err
	}
	if err := o.t.Check(); err != nil {
		return &misuse{err: err}
	}
	last, json := time.Now(), asJSON(cmd)
	o.t.OnMatch = func(m colony.Meeting) error {
		if time.Since(last) >= quiet {
			last = time.Now()
			fmt.Fprintf(cmd.ErrOrStderr(), "%d/%d matches\n", m.Number, m.Total)
		}
		if json {
			return printJSON(cmd.OutOrStdout(), meetingJSON{m.A, m.B, m.Summary})
		}
		return nil
	}
	all, err := o.t.Run(cmd.Context())
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	return showStandings(cmd.OutOrStdout(), all, json)
}

// enter finds the players that the words name, and the game.
func (o *cup) enter(words []string) error {
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
	if o.t.Game == nil {
		g, err := catalog.Game("ultimate")
		if err != nil {
			return err
		}
		o.t.Game = g
	}
	for _, word := range others {
		var f arena.Factory
		if err := factory(o.t.Game, word, &f); err != nil {
			return err
		}
		o.t.Players = append(o.t.Players, f)
	}
	return nil
}

// enterColony adds the members that e names.
func (o *cup) enterColony(e entry) error {
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
			o.t.Players = append(o.t.Players, c.Factory(member, fmt.Sprintf("%d/%d", r.ID, member)))
		}
		return nil
	})
}

func (o *cup) sameGame(g game.Game) error {
	if o.t.Game != nil && o.t.Game.String() != g.String() {
		return misusef("", "the colonies are of two games, %s and %s", o.t.Game, g)
	}
	o.t.Game = g
	return nil
}

type meetingJSON struct {
	A string `json:"a"`
	B string `json:"b"`
	arena.Summary
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
func showStandings(w io.Writer, all []colony.Standing, json bool) error {
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
