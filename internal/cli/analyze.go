// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/threat"
)

// infoJSON is an answer of a search as --json prints it. Scores are the mover's view, exact thousandths
// of the heuristic's unit.
type infoJSON struct {
	Final   bool          `json:"final,omitempty"`
	Line    int           `json:"line"`
	Depth   int           `json:"depth"`
	Best    string        `json:"best"`
	Score   int64         `json:"score"`
	Bound   string        `json:"bound,omitempty"`
	WinIn   *int          `json:"win_in,omitempty"`
	LossIn  *int          `json:"loss_in,omitempty"`
	Solved  bool          `json:"solved"`
	Value   string        `json:"value,omitempty"`
	PV      []string      `json:"pv"`
	Nodes   uint64        `json:"nodes"`
	TimeMS  int64         `json:"time_ms"`
	Threats *[]threatJSON `json:"threats,omitempty"` // empty, not absent, where there are none
	Error   string        `json:"error,omitempty"`
}

func newInfoJSON(g game.Game, i search.Info) infoJSON {
	j := infoJSON{
		Line: max(i.Line, 1), Depth: i.Depth, Score: int64(i.Score), Solved: i.Solved,
		Bound: [...]string{"", "lower", "upper"}[i.Bound],
		PV:    formatMoves(g, i.PV), Nodes: i.Nodes, TimeMS: i.Time.Milliseconds(),
	}
	if len(j.PV) > 0 {
		j.Best = j.PV[0]
	}
	if i.Solved {
		j.Value = i.Value()
	}
	switch plies, sign := i.Score.Distance(); sign {
	case 1:
		j.WinIn = &plies
	case -1:
		j.LossIn = &plies
	}
	return j
}

type analysis struct {
	at      positionFlags
	limit   limitFlags
	player  string
	seed    uint64
	lines   int
	threats bool
}

func newAnalyze() *cobra.Command {
	var a analysis
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

func (a *analysis) run(cmd *cobra.Command, text string) error {
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
func (a *analysis) failed(cmd *cobra.Command, err error) error {
	if !asJSON(cmd) || status(err) != 1 {
		return err
	}
	return errors.Join(err, printJSON(cmd.OutOrStdout(), struct {
		Final bool   `json:"final"`
		Error string `json:"error"`
	}{true, err.Error()}))
}

// analyst returns the player, which must be one that says what it thinks.
func (a *analysis) analyst(g game.Game) (player.Analyst, error) {
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
func (a *analysis) search(ctx context.Context, pl player.Analyst, p game.Position, lim search.Limits, show func(search.Info) error) (search.Info, error) {
	if p.Outcome() != game.Ongoing {
		return search.Info{}, fmt.Errorf("the game is over: %s", p.Outcome())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var failed error
	info, err := pl.Analyze(ctx, p, lim, func(i search.Info) {
		if failed == nil {
			failed = show(i)
		}
		if failed != nil {
			cancel()
		}
	})
	if err == nil {
		err = failed
	}
	return info, err
}

func (a *analysis) json(ctx context.Context, w io.Writer, pl player.Analyst, p game.Position, lim search.Limits, threats []threat.Threat) error {
	info, err := a.search(ctx, pl, p, lim, func(i search.Info) error { return printJSON(w, newInfoJSON(p.Game(), i)) })
	final := newInfoJSON(p.Game(), info)
	final.Final = true
	if lined, ok := p.(game.Lined); ok && a.threats {
		list := newThreatsJSON(lined, threats)
		final.Threats = &list
	}
	if err != nil {
		final.Error = err.Error()
	}
	if e := printJSON(w, final); err == nil {
		err = e
	}
	return err
}

func (a *analysis) text(ctx context.Context, w io.Writer, pl player.Analyst, p game.Position, lim search.Limits, threats []threat.Threat) error {
	if lined, ok := p.(game.Lined); ok && a.threats {
		printThreats(w, lined, threats)
	}
	shown := false
	info, err := a.search(ctx, pl, p, lim, func(i search.Info) error {
		if !shown {
			a.row(w, " line", " depth     score     nodes     time   pv")
			shown = true
		}
		return a.row(w, fmt.Sprintf("%5d", max(i.Line, 1)), infoText(p.Game(), i))
	})
	if err != nil {
		return err
	}
	solved := ""
	if info.Solved {
		solved = "   solved: " + info.Value()
	}
	_, err = fmt.Fprintf(w, "best %s   %s nodes   %s%s\n", p.Game().Format(info.PV[0]), count(info.Nodes), rate(info.Nodes, info.Time), solved)
	return err
}

// row prints a row of the table, which says its line where there are several.
func (a *analysis) row(w io.Writer, line, rest string) error {
	if a.lines == 1 {
		line = ""
	}
	_, err := fmt.Fprintf(w, "%s%s\n", line, rest)
	return err
}

func infoText(g game.Game, i search.Info) string {
	return fmt.Sprintf("%6d %9s %9s %6.1f s   %s", i.Depth, bounded(i), count(i.Nodes), i.Time.Seconds(), pvText(g, i))
}

// bounded writes a score, and whether it is only a bound of it.
func bounded(i search.Info) string {
	return [...]string{"", ">=", "<="}[i.Bound] + scoreText(i.Score)
}

// pvText shows at most eight moves: a screen has 80 columns.
func pvText(g game.Game, i search.Info) string {
	s := strings.Join(formatMoves(g, i.PV[:min(len(i.PV), 8)]), " ")
	if len(i.PV) > 8 {
		s += " ..."
	}
	return s
}
