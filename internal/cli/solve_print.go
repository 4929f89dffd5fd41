// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/game"
)

// text solves p, then each move.
func (s *solving) text(ctx context.Context, cmd *cobra.Command, solver exactSolver, p game.Position) error {
	w, start := cmd.OutOrStdout(), time.Now()
	line := newStatusLine(cmd.ErrOrStderr())
	sol := solver.Solve(ctx, p, s.progress(line, solver, p, start))
	line.clear()
	took := time.Since(start)
	if err := unproved(ctx, s.weak, sol); err != nil {
		return err
	}
	fmt.Fprintf(w, "move  value  plies  score     nodes\n")
	for _, m := range p.AppendMoves(nil) {
		row, err := s.move(ctx, solver, p, m)
		if err != nil {
			return fmt.Errorf("move %s: %w", p.Game().Format(m), err)
		}
		if _, err := fmt.Fprintf(w, "%4s  %s\n", p.Game().Format(m), row); err != nil {
			return err
		}
	}
	pv := solver.Best(ctx, p, sol)
	if len(pv) == 0 {
		return unproved(ctx, s.weak, solution{Known: sol.text(s.weak)})
	}
	_, err := fmt.Fprintf(w, "%s   best %s   %s nodes   %s   pv %s\n", sol.text(s.weak), p.Game().Format(pv[0]),
		count(sol.Nodes), rate(sol.Nodes, took), strings.Join(formatMoves(p.Game(), pv), " "))
	return err
}

// move solves p after m and returns its row of the table, for the side that makes the move.
func (s *solving) move(ctx context.Context, solver exactSolver, p game.Position, m game.Move) (string, error) {
	p.Play(m)
	defer p.Undo()
	var sol solution
	switch p.Outcome() {
	case game.Ongoing:
		sol = solver.Solve(ctx, p, nil)
		if err := unproved(ctx, s.weak, sol); err != nil {
			return "", err
		}
		sol = sol.minus()
		sol.Plies++
	default:
		return fmt.Sprintf("%-5s  %5d  %5s", map[bool]string{true: "draw", false: "win"}[p.Outcome() == game.Draw], 1, ""), nil
	}
	if !sol.Exact || s.weak {
		return fmt.Sprintf("%-5s  %5s  %5s  %8s", sol.Value, "", "", count(sol.Nodes)), nil
	}
	return fmt.Sprintf("%-5s  %5d  %+5d  %8s", sol.Value, sol.Plies, sol.Score, count(sol.Nodes)), nil
}

// minus returns the solution for the other side.
func (s solution) minus() solution {
	s.Score = -s.Score
	switch s.Value {
	case "win":
		s.Value = "loss"
	case "loss":
		s.Value = "win"
	}
	return s
}

func (s solution) text(weak bool) string {
	if weak || !s.Exact {
		return s.Value
	}
	return fmt.Sprintf("%s in %s, score %+d", s.Value, amount(s.Plies, "ply", "plies"), s.Score)
}

// progress returns what shows how far the work is, and keeps the file of unfinished work up to date.
func (s *solving) progress(line *statusLine, solver exactSolver, p game.Position, start time.Time) func(solution) {
	saved, known := start, ""
	return func(sol solution) {
		if line != nil && line.due() {
			text := fmt.Sprintf("%s   %s nodes   %.0f s", sol.Known, count(sol.Nodes), time.Since(start).Seconds())
			if sol.Progress != "" {
				text += "   " + sol.Progress
			}
			line.show(text)
		}
		quiet := s.threads == 1 || known != "" && sol.Known != known // nobody else writes to the table
		if s.resume != "" && quiet && time.Since(saved) > s.saveEvery {
			saved = time.Now()
			_ = s.save(solver.(resumer), s.unfinished(p, s.bytes)) // what is lost is only what the next one keeps
		}
		known = sol.Known
	}
}

type solvedJSON struct {
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

// json solves p and prints one object.
func (s *solving) json(ctx context.Context, cmd *cobra.Command, solver exactSolver, p game.Position) error {
	start := time.Now()
	sol := solver.Solve(ctx, p, s.progress(nil, solver, p, start))
	took := time.Since(start)
	j := solvedJSON{Final: true, Value: sol.Value, PV: []string{}, Nodes: sol.Nodes, TimeMS: took.Milliseconds()}
	if sol.Exact && !s.weak {
		j.Score, j.Plies = &sol.Score, &sol.Plies
	}
	if sol.Value != "" {
		j.PV = formatMoves(p.Game(), solver.Best(ctx, p, sol))
	}
	if len(j.PV) > 0 {
		j.Best = j.PV[0]
	}
	failed := unproved(ctx, s.weak, sol)
	if failed == nil && j.Best == "" {
		sol.Known = sol.text(s.weak)
		failed = unproved(ctx, s.weak, solution{Known: sol.Known})
	}
	if failed != nil {
		j.Proved, j.Error = sol.Known, failed.Error()
	}
	return together(failed, printJSON(cmd.OutOrStdout(), j))
}
