// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
)

// found is the solution of a position, and the time that it took.
type found struct {
	solve.Solution
	took time.Duration
}

// solvePosition solves p and, unless quiet, shows its progress.
func solvePosition(ctx context.Context, cmd *cobra.Command, s *solve.Solver, p game.Position, quiet bool) (found, error) {
	report, end := newBoundsReport(cmd, quiet)
	v, err := s.Solve(ctx, p, report)
	return found{v, end()}, err
}

// newBoundsReport returns two functions. report shows the progress of a proof, unless quiet is true. end ends the display and
// returns the time that the proof took.
func newBoundsReport(cmd *cobra.Command, quiet bool) (report func(solve.Solution), end func() time.Duration) {
	start, line := time.Now(), newStatusLine(cmd.ErrOrStderr())
	return func(v solve.Solution) {
			if !quiet && line.due() {
				text := fmt.Sprintf("%s   %s nodes   %.0f s   %s", cmp.Or(v.Bounds(), "not proved yet"), humanize.Count(v.Nodes), time.Since(start).Seconds(), v.Progress)
				line.show(strings.TrimRight(text, " "))
			}
		}, func() time.Duration {
			line.clear()
			return time.Since(start)
		}
}

// showValue shows the value of p. If the solver can compare the moves of p, showValue also solves each move and shows its
// value.
func showValue(ctx context.Context, cmd *cobra.Command, s *solve.Solver, p game.Position, v found) error {
	pv, err := s.Line(ctx, p, v.Solution)
	if err != nil {
		return err
	}
	w, g := cmd.OutOrStdout(), p.Game()
	_, err = fmt.Fprintf(w, "%s   best %s   %s nodes   %s   pv %s\n", v, g.Format(pv[0]), humanize.Count(v.Nodes), rate(v.Nodes, v.took), notation.FormatMoves(g, pv))
	if err != nil || !s.Compares() {
		return err
	}
	fmt.Fprintf(w, "move  value  plies  score     nodes\n")
	for _, m := range p.AppendMoves(nil) {
		v, err := s.Move(ctx, p, m)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%4s  %s\n", g.Format(m), moveRow(v)); err != nil {
			return err
		}
	}
	return nil
}

// moveRow returns the value of a move. A move that ends the game has neither score nor nodes.
func moveRow(v solve.Solution) string {
	switch {
	case v.Score != nil:
		return fmt.Sprintf("%-5s  %5d  %+5d  %8s", v.Value, *v.Plies, *v.Score, humanize.Count(v.Nodes))
	case v.Plies != nil:
		return fmt.Sprintf("%-5s  %5d  %5s", v.Value, *v.Plies, "")
	}
	return fmt.Sprintf("%-5s  %5s  %5s  %8s", v.Value, "", "", humanize.Count(v.Nodes))
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

// printValue prints the value of p as one JSON object. If failed is not nil, the object contains this error, and
// printValue returns it.
func printValue(ctx context.Context, cmd *cobra.Command, s *solve.Solver, p game.Position, v found, failed error) error {
	j := valueJSON{Final: true, Value: v.Value, Plies: v.Plies, Score: v.Score, PV: []string{}, Nodes: v.Nodes, TimeMS: v.took.Milliseconds()}
	if v.Value != "" {
		pv, err := s.Line(ctx, p, v.Solution)
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
	return printAnswer(cmd, r, "%d: %s %s\n", r.Line, r.Moves, text)
}

func printPositions(cmd *cobra.Command, s solve.Summary) error {
	err := printAnswer(cmd, s, "%s, %s   mean %.1f nodes, %.1f µs   median %.1f µs\n",
		humanize.Amount(s.Positions, "position", "positions"), humanize.Amount(s.Mismatches, "mismatch", "mismatches"), s.MeanNodes, s.MeanTimeUS, s.MedianTimeUS)
	if err == nil && s.Mismatches > 0 {
		err = fmt.Errorf("%d of %d positions have another value than the file says", s.Mismatches, s.Positions)
	}
	return err
}

type verifyJSON struct {
	File string `json:"file"`
	proof.Claim
	solve.Verified
}

type verifyCommand struct {
	positions uint64
	memory    size
}

func newVerify() *cobra.Command {
	o := &verifyCommand{positions: 1_000_000_000, memory: 4 << 30}
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check certificates of solved values",
		Long: `Check certificates made by krow solve --certificate, and print their claims: the position, its value, and the facts
on which the value depends. The checker knows only the rules, and uses no engine. It plays the moves in the certificate
against every answer. A file that is damaged, or that proves less than it claims, is refused.

Checking even a short file may take long; --max-positions and --max-memory limit the work.`,
		Example: `  krow verify mnk-6-5-4.proof`,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.verifyFiles(cmd, args) },
	}
	f := cmd.Flags()
	f.Uint64Var(&o.positions, "max-positions", o.positions, "refuse a proof with more positions than this; 0 for no limit")
	f.Var(&o.memory, "max-memory", "refuse a proof that needs more memory than this; 0 for no limit")
	return cmd
}

// verifyFiles checks each file, also after one that is refused.
func (o *verifyCommand) verifyFiles(cmd *cobra.Command, names []string) error {
	refused := 0
	for _, name := range names {
		if len(names) > 1 && !asJSON(cmd) {
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n", name)
		}
		err := o.verifyFile(cmd, name)
		if len(names) == 1 || cmd.Context().Err() != nil {
			return err
		}
		if err != nil {
			report(cmd.ErrOrStderr(), err)
			refused++
		}
	}
	if refused > 0 {
		return fmt.Errorf("%d of %d files are refused", refused, len(names))
	}
	return nil
}

func (o *verifyCommand) verifyFile(cmd *cobra.Command, name string) error {
	line := newStatusLine(cmd.ErrOrStderr())
	start := time.Now()
	limits := proof.Limits{Entered: o.positions, Memory: uint64(o.memory), Tell: func(entered uint64) {
		line.showWhenDue("%s positions   %.0f s", humanize.Count(entered), time.Since(start).Seconds())
	}}
	if o.memory > 0 {
		// Without this limit, garbage could take as much memory as the live data, so krow could need twice the memory.
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(max(int64(o.memory), 64<<20)))
	}
	var v solve.Verified
	err := readFile(cmd.Context(), name, func(f *input) (err error) {
		if i, err := f.Stat(); err == nil && !i.Mode().IsRegular() {
			return errors.New("not a regular file: a certificate is read twice")
		}
		v, err = solve.Verify(cmd.Context(), f, limits)
		return err
	})
	line.clear()
	switch {
	case errors.Is(err, proof.ErrWork):
		return fmt.Errorf("%w: --max-positions is %d", err, o.positions)
	case errors.Is(err, proof.ErrMemory):
		return fmt.Errorf("%w: --max-memory is %s", err, &o.memory)
	case err != nil:
		return err
	}
	c, fits := v.Claim, ""
	if !v.Fits {
		fits = "; no game comes to these numbers with this side to move"
	}
	return printAnswer(cmd, verifyJSON{name, c, v}, "%s: a %s for the %s side, which is to move\n%sstones: X %d, O %d%s\nclaim: %s\nrests on: %s\nverified: %s, %d bytes\n",
		v.Game, c.Value, c.Turn,
		v.Board, v.Stones[0], v.Stones[1], fits, v.Says, strings.Join(v.Basis, "\n          "),
		humanize.Amount(int(v.Positions), "position", "positions"), v.Bytes)
}
