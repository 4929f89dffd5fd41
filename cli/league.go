// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/server/league"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/store"
)

func newLeague() *cobra.Command {
	return newGroup(&cobra.Command{
		Use:   "league",
		Short: "Rate players by many games",
		Long: `A league rates players of one game. It prefers informative games: games between players of similar strength, and
games of players that have played few. Each game is stored in the database when it ends.`,
		Example: `  krow league new lunch connect4 --levels
  krow league add lunch mcts:sims=500 --name forest
  krow league run lunch --games 1000 --jobs 2
  krow league table lunch`,
	}, newLeagueNew(), newLeagueAdd(), newLeagueDrop(), newLeagueList(), newLeagueRun(), newLeagueTable(), newLeagueGames(),
		newLeagueExport(), newLeagueDelete())
}

// leagueCall is the state of a running command whose first argument is the name of a league.
type leagueCall struct {
	*league.League
	cmd  *cobra.Command
	args []string
	db   databaseFlag

	store *store.Store
}

const noLeagues = "there are no leagues yet: krow league new"

// aboutLeague completes a command whose first argument is the name of a league. It adds the flag --db and the function RunE,
// which opens the league and calls do.
func aboutLeague(cmd *cobra.Command, do func(*leagueCall) error) *cobra.Command {
	var db databaseFlag
	db.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return db.lookFor(noLeagues, func(s *store.Store) error {
			l, err := league.Open(s, args[0])
			if err == nil {
				err = do(&leagueCall{l, cmd, args, db, s})
			}
			return leagueError(err)
		})
	}
	return cmd
}

// leagueError converts an error that an invalid argument has caused to the error of an invalid command line, with a hint:
// see misused.
func leagueError(err error) error {
	if errors.Is(err, atomicfile.ErrBusy) {
		return errors.New("another process plays the games of this league")
	}
	return misused(err, []misuse{
		{league.ErrName, ""},
		{league.ErrTerms, ""},
		{league.ErrFull, ""},
		{league.ErrTwice, "krow league table shows the members"},
		{store.ErrNoMember, "krow league table shows the members"},
		{store.ErrNoLeague, "krow league list shows the leagues"},
		{store.ErrTaken, "take another name"},
		{league.ErrMembers, "krow league add"},
		{league.ErrNoGame, ""},
		{match.ErrPerson, "use krow play"},
	})
}

// opener returns a function that makes the player of a spec. The function looks up each spec in the
// database only once.
func (f *databaseFlag) opener(cmd *cobra.Command) match.Open {
	var mu sync.Mutex
	known := map[string]match.Open{}
	return func(g game.Game, spec string, seed uint64) (_ player.Player, err error) {
		mu.Lock()
		open := known[spec]
		if open == nil {
			_, open, err = f.players(cmd, g, spec)
			known[spec] = open
		}
		mu.Unlock()
		if err != nil {
			return nil, err
		}
		return open(g, spec, seed)
	}
}

func newLeagueNew() *cobra.Command {
	var f databaseFlag
	var t league.Terms
	var levels, field bool
	cmd := &cobra.Command{
		Use:   "new NAME GAME",
		Short: "Make a league",
		Long: `Make a league. --nodes and --depth limit each move of every player; they replace the limits in the specs of the
players. Without these flags each player uses the limits in its spec.`,
		Example: `  krow league new lunch connect4 --levels`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := krow.Game(args[1])
			if err != nil {
				return err
			}
			db, err := f.open()
			if err != nil {
				return err
			}
			defer db.Close()
			l, err := league.Create(db, args[0], args[1], t)
			if err != nil {
				return leagueError(err)
			}
			n := 0
			if levels || field {
				if n, err = l.AddField(field, f.opener(cmd)); err != nil {
					return leagueError(err)
				}
			}
			return printAnswer(cmd, map[string]any{"name": l.Name, "game": g.String(), "members": n}, "%s: %s, %s\n", l.Name, g, humanize.Amount(n, "member", "members"))
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&t.Nodes, "nodes", 0, "nodes for each move")
	flags.IntVar(&t.Depth, "depth", 0, "depth for each move, in plies")
	flags.IntVar(&t.Plies, "random-plies", 2, "random moves at the start of each pair of games")
	flags.Uint64Var(&t.Seed, "seed", 1, "seed of the openings and of random players")
	flags.IntVar(&t.Guard, "guard", 0, "seconds after which a player that does not answer forfeits (default 30)")
	flags.BoolVar(&levels, "levels", false, "add the levels of the game")
	flags.BoolVar(&field, "field", false, "add the levels and krow's other players of the game")
	f.add(cmd)
	return cmd
}

func newLeagueAdd() *cobra.Command {
	var m league.Member
	cmd := aboutLeague(&cobra.Command{
		Use:   "add NAME PLAYER",
		Short: "Add a member, who plays from the next round on",
		Long: `Add a player as a member. Any player except a person can be a member. The member plays from the next round
on. If the player is a learning run, the member is the player of the current step, and does not change later.`,
		Example: `  krow league add lunch mcts:sims=500 --name forest --author ada`,
	}, func(c *leagueCall) (err error) {
		if m.Spec, _, err = c.db.players(c.cmd, c.Game, c.args[1]); err != nil {
			return err
		}
		m.Name = cmp.Or(m.Name, league.NameOf(m.Spec))
		if err := c.Add(m, c.db.opener(c.cmd)); err != nil {
			return err
		}
		return printAnswer(c.cmd, map[string]any{"name": m.Name, "spec": m.Spec}, "%s joins %s\n", m.Name, c.Name)
	})
	flags := cmd.Flags()
	flags.StringVar(&m.Name, "name", "", "`NAME` of the member (default: made from the spec of the player)")
	flags.StringVar(&m.Author, "author", "", "`NAME` of the author")
	return cmd
}

func newLeagueDrop() *cobra.Command {
	return aboutLeague(&cobra.Command{
		Use:   "drop NAME MEMBER",
		Short: "Let a member leave after this round; its games stay",
		Long: `Remove a member after the current round. The games of the member stay, so the ratings of the other members do not
change.`,
		Example: `  krow league drop lunch forest`,
	}, func(c *leagueCall) error {
		if err := c.Drop(c.args[1]); err != nil {
			return err
		}
		return printAnswer(c.cmd, map[string]any{"name": c.args[1]}, "%s leaves %s\n", c.args[1], c.Name)
	})
}

func newLeagueDelete() *cobra.Command {
	return addYes(aboutLeague(&cobra.Command{
		Use:     "delete NAME",
		Short:   "Delete a league and its games",
		Long:    `Delete a league, its members and its games. This cannot be undone.`,
		Example: `  krow league delete lunch`,
	}, func(c *leagueCall) error { return deleteAsked(c.cmd, "the league "+c.Name, c.Delete) }))
}

func newLeagueList() *cobra.Command {
	return withStore(&cobra.Command{
		Use:     "list",
		Short:   "List leagues",
		Long:    `List the leagues in the database, each with its game and its numbers of members and rounds.`,
		Example: `  krow league list`,
	}, noLeagues, func(cmd *cobra.Command, _ []string, db *store.Store) error {
		all, err := db.Leagues()
		if err != nil {
			return err
		}
		return printRows(cmd.OutOrStdout(), asJSON(cmd), "name\tgame\tmembers\trounds", all, func(s store.League) string {
			return fmt.Sprintf("%s\t%s\t%d\t%d", s.Name, s.Game, s.Members, s.Round)
		})
	})
}
