// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/threat"
)

// answerJSON is an answer as --json prints it, the last one with more.
type answerJSON struct {
	Final bool `json:"final,omitempty"`
	analysis.Answer
	Threats *[]threatJSON `json:"threats,omitempty"` // empty, not absent, where there are none
	Error   string        `json:"error,omitempty"`
}

type analyzeCommand struct {
	at      positionFlags
	limit   limitFlags
	player  string
	seed    uint64
	lines   int
	threats bool
}

func newAnalyze() *cobra.Command {
	var a analyzeCommand
	cmd := &cobra.Command{
		Use:   "analyze GAME",
		Short: "Search a position and say what it is worth",
		Long: `Search a position: a line for each improved answer, then the best move. Scores are the view of the
side to move, in the heuristic's unit. Ctrl-C ends the search; its best answer so far stands. With --json
the last object has "final":true, and an "error" when the position could not be searched.`,
		Example: `  krow analyze connect4 --moves 4455 --time 1s
  krow analyze gomoku --moves "h8 h9 i9" --player mics:time=2s --threats`,
		Args:              exactly("GAME"),
		ValidArgsFunction: complete(completeGames),
		RunE:              func(cmd *cobra.Command, args []string) error { return a.run(cmd, args[0]) },
	}
	a.at.add(cmd)
	a.limit.add(cmd, "to search")
	cmd.Flags().StringVar(&a.player, "player", "best", "player that searches; see krow list players")
	cmd.Flags().Uint64Var(&a.seed, "seed", 1, "seed of a player that draws lots")
	cmd.Flags().IntVar(&a.lines, "lines", 1, "number of best moves to report")
	cmd.Flags().BoolVar(&a.threats, "threats", false, "also show the threats of both sides")
	completeFlag(cmd, "player", completePlayers(isAnalyst))
	completeFlag(cmd, "seed", nothing)
	completeFlag(cmd, "lines", nothing)
	return cmd
}

func (a *analyzeCommand) run(cmd *cobra.Command, text string) error {
	g, p, err := a.at.load(text)
	if err != nil {
		return err
	}
	lim, err := a.limit.limits()
	if err != nil {
		return err
	}
	if a.lines < 1 {
		return misusef("", "--lines must be at least 1, not %d", a.lines)
	}
	lim.Lines = a.lines
	pl, err := a.analyst(g)
	if err != nil {
		return a.failed(cmd, err)
	}
	var threats []threat.Threat
	if a.threats {
		lined, ok := p.(game.Lined)
		if !ok {
			return misusef("", "%s has no threats: it is not won by a row", g)
		}
		threats = slices.DeleteFunc(threat.Find(lined), func(t threat.Threat) bool { return t.Class == threat.Closed })
	}
	if asJSON(cmd) {
		return a.json(cmd.Context(), cmd.OutOrStdout(), pl, p, lim, threats)
	}
	return a.text(cmd.Context(), cmd.OutOrStdout(), pl, p, lim, threats)
}

// failed returns err, after the final object that a failure has under --json; misuse has none.
func (a *analyzeCommand) failed(cmd *cobra.Command, err error) error {
	if !asJSON(cmd) || status(err) != 1 {
		return err
	}
	return errors.Join(err, printJSON(cmd.OutOrStdout(), struct {
		Final bool   `json:"final"`
		Error string `json:"error"`
	}{true, err.Error()}))
}

// analyst returns the player, which must be one that says what it thinks.
func (a *analyzeCommand) analyst(g game.Game) (player.Analyst, error) {
	p, err := catalog.Player(g, a.player, a.seed)
	if err != nil {
		return nil, err
	}
	if pl, ok := p.(player.Analyst); ok {
		return pl, nil
	}
	return nil, misusef("try --player best", "%s plays, but has nothing to say about a position", a.player)
}

// search searches p, and shows each answer until one cannot be shown.
func (a *analyzeCommand) search(ctx context.Context, pl player.Analyst, p game.Position, lim search.Limits, show func(analysis.Info) error) (analysis.Info, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
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
}

func (a *analyzeCommand) json(ctx context.Context, w io.Writer, pl player.Analyst, p game.Position, lim search.Limits, threats []threat.Threat) error {
	info, err := a.search(ctx, pl, p, lim, func(i analysis.Info) error { return printJSON(w, i.Answer) })
	final := answerJSON{Final: true, Answer: info.Answer}
	if lined, ok := p.(game.Lined); ok && a.threats {
		list := newThreatsJSON(lined, threats)
		final.Threats = &list
	}
	if err != nil {
		final.Line, final.PV, final.Error = 1, []string{}, err.Error()
	}
	return cmp.Or(err, printJSON(w, final))
}

func (a *analyzeCommand) text(ctx context.Context, w io.Writer, pl player.Analyst, p game.Position, lim search.Limits, threats []threat.Threat) error {
	if lined, ok := p.(game.Lined); ok && a.threats {
		printThreats(w, lined, threats)
	}
	shown := false
	info, err := a.search(ctx, pl, p, lim, func(i analysis.Info) error {
		if !shown {
			a.row(w, " line", " depth     score     nodes     time   pv")
			shown = true
		}
		return a.row(w, fmt.Sprintf("%5d", i.Line), fmt.Sprintf("%6d %9s %9s %6.1f s   %s", i.Depth, i.Short(), count(i.Nodes), i.Time.Seconds(), pvText(i.PV)))
	})
	if err != nil {
		return err
	}
	solved := ""
	if info.Solved {
		solved = "   solved: " + info.Value
	}
	_, err = fmt.Fprintf(w, "best %s   %s nodes   %s%s\n", info.Best, count(info.Nodes), rate(info.Nodes, info.Time), solved)
	return err
}

// row prints a row of the table. It begins with the number of the line where several are asked for.
func (a *analyzeCommand) row(w io.Writer, line, rest string) error {
	if a.lines == 1 {
		line = ""
	}
	_, err := fmt.Fprintf(w, "%s%s\n", line, rest)
	return err
}

// pvText shows at most eight moves: a screen has 80 columns.
func pvText(pv []string) string {
	if len(pv) > 8 {
		return strings.Join(pv[:8], " ") + " ..."
	}
	return strings.Join(pv, " ")
}
