// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/inputfile"
	"github.com/krow-lab/krow/player"
)

// answerJSON is a result of the analysis in the form that --json prints. Only the last result has Final and Error.
type answerJSON struct {
	Final bool `json:"final,omitempty"`
	analysis.Answer
	Error string `json:"error,omitempty"`
}

type analyzeCommand struct {
	at     positionFlags
	limit  limitFlags
	player string
	seed   uint64
	lines  int
	db     databaseFlag
	p      game.Position
}

func newAnalyze() *cobra.Command {
	var a analyzeCommand
	cmd := &cobra.Command{
		Use:   "analyze GAME",
		Short: "Search a position and print its value and best moves",
		Long: `Search a position. Print a line for each better answer that the search finds, and at the end the best move.
A positive score is good for the side to move. The player's heuristic defines the unit of the score. Ctrl-C ends the
search; the best answer until then is printed. With --json the last object contains "final":true, and "error" if the
position could not be searched. With --moves - (a dash) each line of standard input contains the moves of one position.`,
		Example: `  krow analyze connect4 --moves 4455 --time 1s
  krow analyze gomoku --moves "h8 h9 i9" --player mics:time=2s`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.analyzeAll(cmd, args[0]) },
	}
	a.at.add(cmd)
	a.limit.add(cmd, "to search")
	cmd.Flags().StringVar(&a.player, "player", "best", "`PLAYER` that searches: see krow list players")
	cmd.Flags().Uint64Var(&a.seed, "seed", 1, "seed of a random player")
	addNumber(cmd, &a.lines, "lines", 1, 1, 0, "number of best moves to report")
	a.db.add(cmd)
	completeFlag(cmd, "player", completePlayers(isAnalyst))
	return cmd
}

// analyzeAll searches the position, or the position of each line of standard input if --moves is -.
func (a *analyzeCommand) analyzeAll(cmd *cobra.Command, text string) error {
	if a.at.moves != "-" {
		return a.analyzePosition(cmd, text)
	}
	return inputfile.Read(cmd.Context(), "-", func(f *inputfile.File) error {
		lines, n := bufio.NewScanner(f), 0
		for lines.Scan() {
			n++
			a.at.moves = lines.Text()
			if err := a.analyzePosition(cmd, text); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
		return lines.Err()
	})
}

func (a *analyzeCommand) analyzePosition(cmd *cobra.Command, text string) error {
	g, p, err := a.at.load(text)
	if err != nil {
		return err
	}
	lim := a.limit.Limits
	lim.Lines = a.lines
	pl, err := a.db.player(cmd, g, a.player, a.seed)
	if err != nil {
		return a.failed(cmd, err)
	}
	if _, ok := pl.(player.Analyst); !ok {
		return misusef("try --player best", "%s plays, but has nothing to say about a position", a.player)
	}
	write := a.text
	if asJSON(cmd) {
		write = a.json
	}
	a.p = p
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	return write(cmd.OutOrStdout(), func(show func(analysis.Info) error) (analysis.Info, error) {
		var failed error
		info, err := analysis.Ask(ctx, pl, p, lim, func(i analysis.Info) {
			if failed == nil {
				failed = show(i)
			}
			if failed != nil {
				cancel()
			}
		})
		return info, cmp.Or(err, failed)
	})
}

// failed returns err. With --json it first prints the final JSON object with the error, unless the command line is invalid.
func (a *analyzeCommand) failed(cmd *cobra.Command, err error) error {
	if !asJSON(cmd) || status(err) != 1 {
		return err
	}
	return errors.Join(err, printJSON(cmd.OutOrStdout(), struct {
		Final bool   `json:"final"`
		Error string `json:"error"`
	}{true, err.Error()}))
}

// asking is a function that searches and returns the final result. It calls show with each intermediate result, and stops if show
// returns an error.
type asking func(show func(analysis.Info) error) (analysis.Info, error)

func (a *analyzeCommand) json(w io.Writer, ask asking) error {
	info, err := ask(func(i analysis.Info) error { return printJSON(w, i.Answer) })
	final := answerJSON{Final: true, Answer: info.Answer}
	if err != nil {
		final.Line, final.PV, final.Error = 1, []string{}, err.Error()
	}
	return cmp.Or(err, printJSON(w, final))
}

func (a *analyzeCommand) text(w io.Writer, ask asking) error {
	shown := false
	var latest analysis.Latest
	info, err := ask(func(i analysis.Info) error {
		latest.Put(i)
		if !shown {
			a.row(w, " line", " depth     score     nodes     time   pv")
			shown = true
		}
		return a.row(w, fmt.Sprintf("%5d", i.Line), i.Row())
	})
	if err != nil {
		return err
	}
	if a.lines > 1 {
		if _, err := io.WriteString(w, latest.Lines().Columns(a.p)); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(w, info.Summary())
	return err
}

// row prints a row of the table. The row begins with the number of the line of moves if the user requested several lines.
func (a *analyzeCommand) row(w io.Writer, line, rest string) error {
	if a.lines == 1 {
		line = ""
	}
	_, err := fmt.Fprintf(w, "%s%s\n", line, rest)
	return err
}
