// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/internal/inputfile"
	"github.com/krow-lab/krow/notation"
)

type solveCommand struct {
	options         solve.Options
	hash            size
	time            time.Duration
	at              positionFlags
	positions, book string
	certificate     outFlag
	files           solve.Files

	game   game.Game
	p      game.Position
	solver *solve.Solver
}

func newSolve() *cobra.Command {
	c := solveCommand{hash: 64 << 20}
	cmd := &cobra.Command{
		Use:   "solve GAME",
		Short: "Prove the value of a position",
		Long: `Prove the value of a position for the side to move, and the number of plies that the game still lasts with
best play. Without --json and --certificate the command then solves the position after each move. When the time is up, or
after Ctrl-C, it prints the bounds proved until then, and exits with an error. With --resume it also saves its work to a file, and
continues from this file the next time. The transposition table then keeps the size in that file, unless --hash changes
it, which Connect Four does not allow. With --positions the command solves each line of a file. A line contains the moves
as one word (- for no moves; columns of two digits are separated by commas), and optionally the score. The transposition
table is cleared before each line.`,
		Example: `  krow solve connect4 --moves 44444
  krow solve connect4:6x5 --json
  krow solve connect4:8x6 --resume 8x6.part --time 1h
  krow solve connect4 --positions end-easy.txt --hash 64M`,
		RunE: func(cmd *cobra.Command, args []string) error { return c.solveAll(cmd, args[0]) },
	}
	c.at.add(cmd)
	addNumber(cmd, &c.options.Threads, "threads", 1, 1, 256, "threads that share the table")
	flags := cmd.Flags()
	flags.Var(&c.hash, "hash", "size of the transposition table, such as 64M or 1G")
	addNumber(cmd, &c.time, "time", 0, 0, 0, "time limit, such as 30s or 2h")
	flags.BoolVar(&c.options.Weak, "weak", false, "prove only win, draw or loss, not the number of plies")
	flags.StringVar(&c.positions, "positions", "", "`FILE` of positions to solve, or - for standard input")
	c.certificate.add(cmd, "certificate", "`FILE` to write with the proof of the value: see krow verify")
	flags.BoolVar(&c.options.Plans, "plans", false, "write a small certificate of Connect Four whose rules a person can follow; this takes longer")
	flags.BoolVar(&c.options.Short, "short", false, "write a certificate of a win on a large board that wins in fewer plies; this takes longer")
	flags.StringVar(&c.book, "book", "", "`FILE` of a book of Connect Four positions, which is consulted first")
	flags.StringVar(&c.files.Unfinished, "resume", "", "`FILE` in which unfinished work is saved, and from which it continues")
	addNumber(cmd, &c.files.Every, "save-every", 5*time.Minute, time.Nanosecond, 0, "how often the file of --resume is written")
	cmd.MarkFlagsMutuallyExclusive("resume", "positions")
	cmd.MarkFlagsMutuallyExclusive("certificate", "positions")
	return cmd
}

func (c *solveCommand) solveAll(cmd *cobra.Command, text string) (err error) {
	if c.game, c.p, err = c.at.load(text); err != nil {
		return err
	}
	if err := c.newSolver(cmd); err != nil {
		return err
	}
	if err := c.certificate.checkFile(); err != nil {
		return err
	}
	ctx := cmd.Context()
	if c.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.time)
		defer cancel()
	}
	defer c.files.Close()
	if err := c.files.Open(cmd.Context(), c.solver, c.p); err != nil {
		return err
	}
	if c.positions != "" {
		return c.solveFile(ctx, cmd)
	}
	err = c.provePosition(ctx, cmd)
	if err != nil && ctx.Err() != nil {
		err = together(err, c.files.Save())
	}
	return err
}

// newSolver makes the solver and checks that it can solve the position. If there is unfinished work, the solver's table
// gets the size of the table in that work.
func (c *solveCommand) newSolver(cmd *cobra.Command) error {
	o := &c.options
	if o.Hash = int(c.hash); !o.HashFits() {
		return misusef("", "--hash %s is more memory than there is", &c.hash)
	}
	c.files.Certificate = c.certificate.name
	resume := c.files.Unfinished
	for name, file := range map[string]string{"certificate": c.certificate.name, "resume": resume, "positions": c.positions} {
		if file == "" && cmd.Flag(name).Changed {
			return misusef("", "--certificate, --resume and --positions need the name of a file")
		}
	}
	if (o.Plans || o.Short) && c.certificate.name == "" {
		return misusef("", "--plans and --short need --certificate")
	}
	asked := 0
	if cmd.Flag("hash").Changed {
		asked = o.Hash
	}
	size, err := c.files.Table(cmd.Context(), asked, o.Hash)
	if err != nil {
		return err
	}
	o.Hash = size
	c.solver, err = solve.New(c.game, *o)
	switch s := c.solver; {
	case err != nil:
		return misusef("", "%w", err)
	case resume != "" && !s.Resumes():
		return misusef("", "the solver of %s cannot continue unfinished work", c.game)
	case c.book != "" && !s.TakesBook():
		return misusef("", "--book is for Connect Four, not for %s", c.game)
	case resume != "" && resume == c.certificate.name:
		return misusef("", "--resume and --certificate cannot be one file")
	case c.book == "":
		return nil
	}
	return inputfile.Read(cmd.Context(), c.book, func(f *inputfile.File) error {
		b, err := c.solver.UseBook(f)
		if err == nil && !b.Finished() {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s is not finished: %s of up to %s\n", c.book,
				humanize.Amount(b.Len(), "position", "positions"), humanize.Amount(b.Plies, "ply", "plies"))
		}
		return err
	})
}

// provePosition solves the position, writes its certificate and shows its value.
func (c *solveCommand) provePosition(ctx context.Context, cmd *cobra.Command) error {
	quiet, start, line := asJSON(cmd), time.Now(), newStatusLine(cmd.ErrOrStderr())
	v, err := c.solver.Solve(ctx, c.p, func(v solve.Solution) {
		if !quiet && line.due() {
			line.show(v.Known(time.Since(start)))
		}
	})
	line.clear()
	took := time.Since(start)
	if err == nil {
		if err = c.files.Certify(ctx, cmd.OutOrStdout()); err != nil && ctx.Err() != nil {
			err = fmt.Errorf("%w; proved so far: %s", err, v)
		}
		if c.certificate.name == "-" {
			cmd.SetOut(cmd.ErrOrStderr()) // the value is printed to standard error, because the certificate is written to standard output
		}
	}
	switch {
	case quiet:
		answer, err := c.solver.Answer(ctx, c.p, v, took, err)
		return together(err, printJSON(cmd.OutOrStdout(), answer))
	case err != nil:
		return err
	}
	return c.showValue(ctx, cmd, v, took)
}

// showValue shows the value of the position. If the solver can compare the moves of the position, and no certificate was asked
// for, showValue also solves each move and shows its value.
func (c *solveCommand) showValue(ctx context.Context, cmd *cobra.Command, v solve.Solution, took time.Duration) error {
	pv, err := c.solver.Line(ctx, c.p, v)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	_, err = fmt.Fprintf(w, "%s   best %s   %s nodes   %s   pv %s\n", v, c.game.Format(pv[0]), humanize.Count(v.Nodes), humanize.Rate(v.Nodes, took), notation.FormatMoves(c.game, pv))
	if err != nil || c.certificate.name != "" || !c.solver.Compares() {
		return err
	}
	fmt.Fprintf(w, "move  value  plies  score     nodes\n")
	for _, m := range c.p.AppendMoves(nil) {
		v, err := c.solver.Move(ctx, c.p, m)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%4s  %s\n", c.game.Format(m), v.Row()); err != nil {
			return err
		}
	}
	return nil
}

// solveFile solves the positions of a file. All lines are read and checked before the first is solved.
func (c *solveCommand) solveFile(ctx context.Context, cmd *cobra.Command) error {
	var lines []solve.Position
	err := inputfile.Read(cmd.Context(), c.positions, func(f *inputfile.File) (err error) {
		lines, err = solve.ReadPositions(f, c.p)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("positions: %w", err)
	}
	if err != nil {
		return err
	}
	sum, err := c.solver.Positions(ctx, lines, func(r solve.Result) error { return printResult(cmd, r) })
	if err != nil && ctx.Err() == nil {
		return err
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", inputfile.Name(c.positions), err)
	}
	return together(err, printPositions(cmd, sum))
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
