// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/server/explorer"
	"github.com/krow-lab/krow/server/store"
)

const noGames = "there are no games yet: krow games import"

func newGames() *cobra.Command {
	return newGroup(&cobra.Command{
		Use:   "games",
		Short: "Collect games and show which moves were played from a position",
		Long: `The database contains collections of games: one with the games played on the page, one with the games of
matches, and one for each import. For each move in a position, krow games explore prints the number of games in which the
move was played, and their results. Positions that differ only by symmetry or by the order of moves count as the same
position.`,
		Example: `  krow games import club.sgf other/ --to club
  krow games explore gomoku --moves "h8 h9"
  krow games list`,
	}, newGamesImport(), newGamesExplore(), newGamesList(), newGamesDelete())
}

func newGamesImport() *cobra.Command {
	var db databaseFlag
	var to string
	var o explorer.Options
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Add the games of files to a collection",
		Long: `Add games to a collection: SGF, Piskvork's PSQ, RenjuNet's XML (.rif), binpack, the games of krow match,
and lists of moves, one game on each line, which may end with 1-0, 0-1, 1/2-1/2 or *. A folder means all files in the
folder. Games that the collection already contains are ignored, so the command can be repeated after an interruption.
Invalid games are counted; for each kind of error, the first invalid game is shown.`,
		Example: `  krow games import renjunet.rif --to renjunet
  krow games import openings.txt --game renju --to openings`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := explorer.Files(args)
			if err != nil {
				return err
			}
			if len(files) == 0 {
				return misusef("", "there is no file in %s", strings.Join(args, ", "))
			}
			s, err := db.open()
			if err != nil {
				return err
			}
			line := newStatusLine(cmd.ErrOrStderr())
			o.Progress = func(r explorer.Report) {
				line.showWhenDue("%s %d games, %d new, %d there already, %d bad", barText(r.Read, r.Of), r.Read, r.Added, r.Duplicates, r.Bad)
			}
			if to == "" {
				name := filepath.Base(args[0])
				to = strings.TrimSuffix(name, filepath.Ext(name))
			}
			r, err := explorer.New(s).Import(cmd.Context(), to, files, o)
			line.clear()
			if e := printImport(cmd, to, r); err == nil {
				err = e
			}
			if cmd.Context().Err() != nil {
				err = errInterrupted
			}
			return errors.Join(err, s.Close())
		},
	}
	db.add(cmd)
	cmd.Flags().StringVar(&to, "to", "", "`NAME` of the collection (default: the name of the first file)")
	cmd.Flags().StringVar(&o.Game, "game", "", "`GAME` of the file, if it contains plain lists of moves")
	return cmd
}

func printImport(cmd *cobra.Command, to string, r explorer.Report) error {
	out := cmd.OutOrStdout()
	if asJSON(cmd) {
		return printJSON(out, r)
	}
	fmt.Fprintf(out, "%s: %s, %d new, %d there already, %d bad\n", to, humanize.Amount(r.Read, "game", "games"), r.Added, r.Duplicates, r.Bad)
	for _, reason := range r.Reasons {
		fmt.Fprintf(out, "  %d bad: %s\n", reason.Games, reason.First)
	}
	return nil
}

func newGamesExplore() *cobra.Command {
	var db databaseFlag
	var at positionFlags
	var only, result string
	var in request.ExploreInput
	cmd := &cobra.Command{
		Use:   "explore GAME",
		Short: "Show which moves were played from a position",
		Long: `For each move that was played in the position, print the number of games, the wins of the first side, the draws,
the wins of the second side, and the score of the side to move. Then list some of the games.`,
		Example: `  krow games explore gomoku --moves "h8 h9"
  krow games explore renju --collection renjunet`,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, p, err := at.load(args[0])
			if err != nil {
				return err
			}
			b, ok := p.(game.Board)
			if !ok {
				return misusef("", "%s has no board of stones", p.Game())
			}
			in.Place, in.Result = request.PlaceOf(b), map[string]string{"first": "first wins", "second": "second wins", "draw": "draw"}[result]
			return db.lookFor(noGames, func(s *store.Store) error {
				e := explorer.New(s)
				if err := e.SyncAll(); err != nil {
					return err
				}
				if in.Collections, err = collectionOf(s, only); err != nil {
					return err
				}
				v, err := request.Explore(e.Explorer, &in)
				if err != nil {
					return err
				}
				return printExplored(cmd.OutOrStdout(), asJSON(cmd), b, v)
			})
		},
	}
	db.add(cmd)
	at.add(cmd)
	cmd.Flags().StringVar(&only, "collection", "", "only games of this collection, by its `NAME` or number")
	cmd.Flags().StringVar(&in.Player, "player", "", "only games of players whose `NAME` contains this text")
	addChoice(cmd, &result, "result", "only games with this `RESULT`: first, second, draw", "first", "second", "draw")
	cmd.Flags().IntVar(&in.From, "from", 0, "only games of this `YEAR` and later")
	cmd.Flags().IntVar(&in.Until, "until", 0, "only games of this `YEAR` and earlier")
	return cmd
}

// collectionOf returns the number of the collection with the given name or number. If the name is empty, it returns nil, which
// stands for all collections.
func collectionOf(s *store.Store, name string) ([]int64, error) {
	if name == "" {
		return nil, nil
	}
	all, err := s.Collections()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(c store.Collection) bool { return c.Name == name || strconv.FormatInt(c.ID, 10) == name })
	if i < 0 {
		return nil, misusef("krow games list shows them", "there is no collection %q", name)
	}
	return []int64{all[i].ID}, nil
}

func printExplored(out io.Writer, json bool, b game.Board, v request.Explored) error {
	if !json && v.Results.All() == 0 {
		fmt.Fprintln(out, "no game came to this position")
		return nil
	}
	err := printRows(out, json, "move\tgames\tfirst\tdrawn\tsecond\tpoints", v.Moves, func(m request.ExploredMove) string {
		x := m.Results
		return fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%s", m.Move, x.All(), x.First, x.Drawn, x.Second, points(x, b.Turn()))
	})
	if err != nil || json {
		return err
	}
	for _, x := range v.Games {
		year := ""
		if x.Year > 0 {
			year = fmt.Sprintf(", %d", x.Year)
		}
		result := x.Outcome
		if result == game.Ongoing.String() {
			result = "no result"
		}
		fmt.Fprintf(out, "%s - %s%s: %s after %s\n", unnamed(x.First), unnamed(x.Second), year, result, humanize.Amount(len(x.Moves), "move", "moves"))
	}
	return nil
}

// points returns the score of a side in percent. A draw counts half.
func points(r explorer.Results, side game.Side) string {
	known := r.First + r.Drawn + r.Second
	if known == 0 {
		return "-"
	}
	won := float64(r.First) + float64(r.Drawn)/2
	if side == game.Second {
		won = float64(known) - won
	}
	return fmt.Sprintf("%.0f %%", 100*won/float64(known))
}

func unnamed(player string) string {
	if player == "" {
		return "?"
	}
	return player
}

func newGamesList() *cobra.Command {
	return withStore(&cobra.Command{
		Use:     "list",
		Short:   "List the collections of games",
		Long:    "List the collections with their numbers of games. The collections of the page's games and of match games are updated whenever krow games explore reads them.",
		Example: "  krow games list",
	}, noGames, func(cmd *cobra.Command, _ []string, s *store.Store) error {
		all, err := s.Collections()
		if err != nil {
			return err
		}
		return printRows(cmd.OutOrStdout(), asJSON(cmd), "collection\tgames\tname", all, func(c store.Collection) string {
			return fmt.Sprintf("%d\t%d\t%s", c.ID, c.Games, c.Name)
		})
	})
}

func newGamesDelete() *cobra.Command {
	return addYes(withStore(&cobra.Command{
		Use:     "delete COLLECTION",
		Short:   "Delete a collection and its games",
		Long:    "Delete a collection and all its games. The collection is given by its name or its number. Imported files are not deleted.",
		Example: "  krow games delete club",
	}, noGames, func(cmd *cobra.Command, args []string, s *store.Store) error {
		ids, err := collectionOf(s, args[0])
		if err != nil {
			return err
		}
		return deleteAsked(cmd, "the collection "+args[0], func() error { return s.DeleteCollection(ids[0]) })
	}))
}
