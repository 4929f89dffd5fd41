// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
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
	var data []byte
	err := readFile(ctx, in, func(in *input) (err error) {
		data, err = io.ReadAll(in)
		return err
	})
	if err != nil {
		return nil, err
	}
	from := cmp.Or(f.from, gamefile.ByName(in), gamefile.Look(data))
	games, err := gamefile.Read(data, from, gamefile.Options{Game: f.game})
	switch {
	case errors.Is(err, gamefile.ErrGame) && from == "position":
		return nil, misusef("for example --game renju", "a position needs --game")
	case errors.Is(err, gamefile.ErrGame) && f.from == "moves":
		return nil, misusef("for example --game renju", "a list of moves needs --game")
	case errors.Is(err, gamefile.ErrGame):
		return nil, misusef("give --game, or --from "+strings.Join(gamefile.Names(), "|"), "%s does not look like a file of games", inputName(in))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", inputName(in), err)
	}
	if f.number > len(games) {
		return nil, misusef("", "%s has %s, and no game %d", inputName(in), humanize.Amount(len(games), "game", "games"), f.number)
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
		err = misusef("for example --number 1", "%s has %d games", inputName(in), len(games))
	}
	if err != nil {
		return gamefile.Game{}, err
	}
	return games[0], nil
}

// keyLoss is the smallest loss of a key move. The loss of a move is the amount by which the move lowers the winning chance
// of its side. Loss and chance are numbers from 0 to 1. The web page uses the same keyLoss.
const keyLoss = 0.1

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
			all := make([]analysis.Judgement, len(g.Moves)+1)
			_, err = working(cmd, func(line *statusLine) (struct{}, error) {
				return struct{}{}, analysis.Review(g.Position, func(p game.Board) (analysis.Info, error) {
					return analysis.Ask(cmd.Context(), pl, p, lim, nil)
				}, func(j analysis.Judgement) error {
					all[j.Ply] = j
					line.showWhenDue("%d of %d positions", len(all)-j.Ply, len(all))
					return cmd.Context().Err()
				})
			})
			if err != nil {
				return err
			}
			levels, err := analysis.LevelsPlayed(cmd.Context(), g.Position, g.Opening, analysis.LevelsTime)
			if err != nil {
				return err
			}
			return printReview(cmd, g, all, levels)
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&player, "player", "best", "`PLAYER` that searches: see krow list players")
	addNumber(cmd, &lim.Time, "time", lim.Time, time.Nanosecond, 0, "time for each position")
	db.add(cmd)
	completeFlag(cmd, "player", completePlayers(isAnalyst))
	return cmd
}

// reviewedJSON is a move of a reviewed game.
type reviewedJSON struct {
	Side string `json:"side"`
	Move string `json:"move"`
	analysis.Judgement
}

// printReview prints the key moves, or with --json all moves, and the accuracy and the level of both sides.
//
//	ply  side   move  loses  better
//	9    first  h9    34 %   g7
//	accuracy: first 91 %, second 96 %
//	level: first 3 (61 %), second 5 (84 %)
func printReview(cmd *cobra.Command, g gamefile.Game, all []analysis.Judgement, levels []analysis.LevelPlayed) error {
	var rows []reviewedJSON
	var losses [2][]float64
	p := gamefile.Start(g.Position)
	for i, m := range g.Moves {
		if side := p.Turn(); i >= g.Opening {
			losses[side] = append(losses[side], all[i].Loss)
			if asJSON(cmd) || all[i].Loss >= keyLoss {
				rows = append(rows, reviewedJSON{side.String(), p.Game().Format(m), all[i]})
			}
		}
		p.Play(m)
	}
	w := cmd.OutOrStdout()
	err := printRows(w, asJSON(cmd), "ply\tside\tmove\tloses\tbetter", rows, func(r reviewedJSON) string {
		return fmt.Sprintf("%d\t%s\t%s\t%.0f %%\t%s", r.Ply+1, r.Side, r.Move, 100*r.Loss, r.Best)
	})
	accuracy := [2]float64{analysis.Accuracy(losses[0]), analysis.Accuracy(losses[1])}
	answer := fmt.Sprintf("accuracy: first %.0f %%, second %.0f %%\n", 100*accuracy[0], 100*accuracy[1])
	for i, l := range levels {
		answer += fmt.Sprintf("%s%s %d (%.0f %%)", []string{"level: ", ", "}[i], l.Side, l.Level, 100*l.Share)
	}
	if len(levels) > 0 {
		answer += "\n"
	}
	return cmp.Or(err, printAnswer(cmd, map[string]any{"final": true, "accuracy": accuracy, "levels": levels}, "%s", answer))
}
