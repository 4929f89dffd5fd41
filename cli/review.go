// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/internal/inputfile"
	"github.com/krow-lab/krow/search"
)

// gamesFlags are the flags of a command that reads a file of games. They choose a game of the file.
type gamesFlags struct {
	from, game string
	number     int
}

func (f *gamesFlags) add(cmd *cobra.Command) {
	addChoice(cmd, &f.from, "from", "`FORMAT` of the file to read (default: by its name or content)", gamefile.Names()...)
	cmd.Flags().StringVar(&f.game, "game", "", "`GAME` of the file, if the file does not name it")
	addNumber(cmd, &f.number, "number", 0, 1, 0, "take only the game with this number; the first game is 1")
}

// read returns the games of the file in, or only the game that the flags choose.
func (f *gamesFlags) read(ctx context.Context, in string) ([]gamefile.Game, error) {
	games, from, err := gamefile.ReadFile(ctx, in, f.from, gamefile.Options{Game: f.game})
	switch {
	case errors.Is(err, gamefile.ErrGame) && from == "position":
		return nil, misusef("for example --game renju", "a position needs --game")
	case errors.Is(err, gamefile.ErrGame) && f.from == "moves":
		return nil, misusef("for example --game renju", "a list of moves needs --game")
	case errors.Is(err, gamefile.ErrGame):
		return nil, misusef("give --game, or --from "+strings.Join(gamefile.Names(), "|"), "%s does not look like a file of games", inputfile.Name(in))
	case err != nil:
		return nil, err
	}
	if f.number > len(games) {
		return nil, misusef("", "%s has %s, and no game %d", inputfile.Name(in), humanize.Amount(len(games), "game", "games"), f.number)
	}
	if f.number > 0 {
		games = games[f.number-1 : f.number]
	}
	return games, nil
}

// readOne returns the game that the flags choose, or the only game of the file in.
func (f *gamesFlags) readOne(ctx context.Context, in string) (gamefile.Game, error) {
	games, err := f.read(ctx, in)
	if err == nil && len(games) > 1 {
		err = misusef("for example --number 1", "%s has %d games", inputfile.Name(in), len(games))
	}
	if err != nil {
		return gamefile.Game{}, err
	}
	return games[0], nil
}

func newReview() *cobra.Command {
	var f gamesFlags
	var db databaseFlag
	var player string
	lim := search.Limits{Time: 500 * time.Millisecond}
	cmd := &cobra.Command{
		Use:   "review FILE",
		Short: "Show which moves of a game were mistakes, and the better moves",
		Long: `Search each position of a game. Print the moves that reduced the chance to win by a tenth or more, each
with the better move. The accuracy of a side is 100 % if no move reduced its chance to win. The level of a side is the
level of krow that would most probably have played the same moves. A side that made fewer than five moves gets no level.
Random opening moves do not count. FILE is a game saved by krow play, or any other file of games.`,
		Example: `  krow review gomoku-1.sgf
  krow review games.jsonl --number 3 --time 2s`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := f.readOne(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			pl, err := db.player(cmd, g.Rules, player, 1)
			if err != nil {
				return err
			}
			r, err := working(cmd, func(line *statusLine) (analysis.Reviewed, error) {
				return analysis.ReviewGame(cmd.Context(), g.Position, g.Opening, func(p game.Board) (analysis.Info, error) {
					return analysis.Ask(cmd.Context(), pl, p, lim, nil)
				}, func(done, total int) { line.showWhenDue("%d of %d positions", done, total) })
			})
			if err != nil {
				return err
			}
			return printReview(cmd, r)
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&player, "player", "best", "`PLAYER` that searches: see krow list players")
	addNumber(cmd, &lim.Time, "time", lim.Time, time.Nanosecond, 0, "time for each position")
	db.add(cmd)
	completeFlag(cmd, "player", completePlayers(isAnalyst))
	return cmd
}

// printReview prints the key moves, or with --json all moves, and the accuracy and the level of both sides.
//
//	ply  side   move  loses  better
//	9    first  h9    34 %   g7
//	accuracy: first 91 %, second 96 %
//	level: first 3 (61 %), second 5 (84 %)
func printReview(cmd *cobra.Command, r analysis.Reviewed) error {
	moves := r.Key()
	if asJSON(cmd) {
		moves = r.Moves
	}
	err := printRows(cmd.OutOrStdout(), asJSON(cmd), "ply\tside\tmove\tloses\tbetter", moves, func(m analysis.ReviewedMove) string {
		return fmt.Sprintf("%d\t%s\t%s\t%.0f %%\t%s", m.Ply+1, m.Side, m.Move, 100*m.Loss, m.Best)
	})
	answer := fmt.Sprintf("accuracy: first %.0f %%, second %.0f %%\n", 100*r.Accuracy[0], 100*r.Accuracy[1])
	for i, l := range r.Levels {
		answer += fmt.Sprintf("%s%s %d (%.0f %%)", []string{"level: ", ", "}[i], l.Side, l.Level, 100*l.Share)
	}
	if len(r.Levels) > 0 {
		answer += "\n"
	}
	return cmp.Or(err, printAnswer(cmd, map[string]any{"final": true, "accuracy": r.Accuracy, "levels": r.Levels}, "%s", answer))
}
