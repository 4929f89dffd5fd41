// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// showValue solves p and then each of its moves.
func showValue(ctx context.Context, cmd *cobra.Command, s *solve.Solver, p game.Position) error {
	w, start := cmd.OutOrStdout(), time.Now()
	line := newStatusLine(cmd.ErrOrStderr())
	v, err := s.Solve(ctx, p, func(v solve.Solution) {
		if line.due() {
			text := fmt.Sprintf("%s   %s nodes   %.0f s   %s", v.Bounds(), count(v.Nodes), time.Since(start).Seconds(), v.Progress)
			line.show(strings.TrimRight(text, " "))
		}
	})
	line.clear()
	took := time.Since(start)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "move  value  plies  score     nodes\n")
	for _, m := range p.AppendMoves(nil) {
		v, err := s.Move(ctx, p, m)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%4s  %s\n", p.Game().Format(m), moveRow(v)); err != nil {
			return err
		}
	}
	pv, err := s.Line(ctx, p, v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s   best %s   %s nodes   %s   pv %s\n", v, p.Game().Format(pv[0]), count(v.Nodes), rate(v.Nodes, took),
		notation.FormatMoves(p.Game(), pv))
	return err
}

// moveRow returns what a move is worth. One that ends the game has neither score nor nodes.
func moveRow(v solve.Solution) string {
	switch {
	case v.Score != nil:
		return fmt.Sprintf("%-5s  %5d  %+5d  %8s", v.Value, *v.Plies, *v.Score, count(v.Nodes))
	case v.Plies != nil:
		return fmt.Sprintf("%-5s  %5d  %5s", v.Value, *v.Plies, "")
	}
	return fmt.Sprintf("%-5s  %5s  %5s  %8s", v.Value, "", "", count(v.Nodes))
}

type valueJSON struct {
	Final  bool     `json:"final"`
	Value  string   `json:"value,omitempty"`
	Plies  *int     `json:"plies,omitempty"`
	Score  *int     `json:"score,omitempty"`
	Best   string   `json:"best,omitempty"`
	PV     []string `json:"pv"`
	Nodes  uint64   `json:"nodes"`
	TimeMS int64    `json:"time_ms"`
	Proved string   `json:"proved,omitempty"`
	Error  string   `json:"error,omitempty"`
}

// printValue solves p and prints one object.
func printValue(ctx context.Context, cmd *cobra.Command, s *solve.Solver, p game.Position) error {
	start := time.Now()
	v, failed := s.Solve(ctx, p, func(solve.Solution) {})
	took := time.Since(start)
	j := valueJSON{Final: true, Value: v.Value, Plies: v.Plies, Score: v.Score, PV: []string{}, Nodes: v.Nodes, TimeMS: took.Milliseconds()}
	if v.Value != "" {
		pv, err := s.Line(ctx, p, v)
		if failed == nil {
			failed = err
		}
		if j.PV = notation.MoveNames(p.Game(), pv); len(pv) > 0 {
			j.Best = j.PV[0]
		}
	}
	if failed != nil {
		j.Proved, j.Error = v.String(), failed.Error()
	}
	return together(failed, printJSON(cmd.OutOrStdout(), j))
}

func printResult(cmd *cobra.Command, r solve.Result) error {
	text := r.Value
	if r.Score != nil {
		text = fmt.Sprintf("%+d", *r.Score)
	}
	if r.Mismatch {
		text += fmt.Sprintf(" expected %+d", *r.Expected)
	}
	return answer(cmd, r, "%d: %s %s\n", r.Line, r.Moves, text)
}

func printPositions(cmd *cobra.Command, s solve.Summary) error {
	err := answer(cmd, s, "%s, %s   mean %.1f nodes, %.1f µs   median %.1f µs\n",
		amount(s.Positions, "position", "positions"), amount(s.Mismatches, "mismatch", "mismatches"), s.MeanNodes, s.MeanTimeUS, s.MedianTimeUS)
	if err == nil && s.Mismatches > 0 {
		err = fmt.Errorf("%d of %d positions are not worth what the file says", s.Mismatches, s.Positions)
	}
	return err
}
