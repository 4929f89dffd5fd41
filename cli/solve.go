// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/proof"
)

// saveEvery is the usual interval at which unfinished work is written to a file, so that little is lost if the process is
// killed.
const saveEvery = 5 * time.Minute

type solverFlags struct {
	threads int
	hash    size
	time    time.Duration
}

func (f *solverFlags) add(cmd *cobra.Command) {
	f.hash = 64 << 20
	addNumber(cmd, &f.threads, "threads", 1, 1, 256, "threads that share the table")
	cmd.Flags().Var(&f.hash, "hash", "size of the transposition table, such as 64M or 1G")
	addNumber(cmd, &f.time, "time", 0, 0, 0, "time limit, such as 30s or 2h")
}

func (f *solverFlags) options() (solve.Options, error) {
	o := solve.Options{Threads: f.threads, Hash: int(f.hash)}
	if !o.HashFits() {
		return o, misusef("", "--hash %s is more memory than there is", &f.hash)
	}
	return o, nil
}

// limit returns a context that ends with ctx or, if --time is given, after that time.
func (f *solverFlags) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, f.time)
}

type solveCommand struct {
	solverFlags
	at                      positionFlags
	weak, plans             bool
	positions, resume, book string
	certificate             outFlag
	saveEvery               time.Duration

	game   game.Game
	p      game.Position
	solver *solve.Solver
	proof  *atomicfile.File // the file that --certificate names
	rest   *atomicfile.File // the file that --resume names
}

func newSolve() *cobra.Command {
	var c solveCommand
	cmd := &cobra.Command{
		Use:   "solve GAME",
		Short: "Prove the value of a position",
		Long: `Prove the value of a position for the side to move, and the number of plies that the game still lasts with
best play. Without --json the command then solves the position after each move. When the time is up, or after Ctrl-C, the
command prints the bounds proved until then, and exits with an error. With --resume it also saves its work to a file, and
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
	c.solverFlags.add(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&c.weak, "weak", false, "prove only win, draw or loss, not the number of plies")
	flags.StringVar(&c.positions, "positions", "", "`FILE` of positions to solve, or - for standard input")
	c.certificate.add(cmd, "certificate", "`FILE` to write with the proof of the value: see krow verify")
	flags.BoolVar(&c.plans, "plans", false, "write a small certificate of Connect Four whose rules a person can follow; this takes longer")
	flags.StringVar(&c.book, "book", "", "`FILE` of a book of Connect Four positions, which is consulted first")
	flags.StringVar(&c.resume, "resume", "", "`FILE` in which unfinished work is saved, and from which it continues")
	addNumber(cmd, &c.saveEvery, "save-every", saveEvery, time.Nanosecond, 0, "how often the file of --resume is written")
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
	defer c.release()
	if err := c.claim(); err != nil {
		return err
	}
	ctx, cancel := c.limit(cmd.Context())
	defer cancel()
	if c.positions != "" {
		return c.solveFile(ctx, cmd)
	}
	// The file of --resume is read again, because another process may have written it before the method claim locked it.
	if err := c.unfinished(cmd.Context(), func(u *solve.Unfinished) error { return c.solver.Resume(c.p, u) }); err != nil {
		return err
	}
	err = c.provePosition(ctx, cmd)
	if err != nil && ctx.Err() != nil && c.rest != nil {
		err = together(err, c.save())
	}
	return err
}

// newSolver makes the solver and checks that it can solve the position. If there is unfinished work, the solver's table
// gets the size of the table in that work.
func (c *solveCommand) newSolver(cmd *cobra.Command) error {
	o, err := c.options()
	if err != nil {
		return err
	}
	for name, file := range map[string]string{"certificate": c.certificate.name, "resume": c.resume, "positions": c.positions} {
		if file == "" && cmd.Flag(name).Changed {
			return misusef("", "--certificate, --resume and --positions need the name of a file")
		}
	}
	if c.plans && c.certificate.name == "" {
		return misusef("", "--plans needs --certificate")
	}
	o.Weak, o.Plans = c.weak, c.plans
	err = c.unfinished(cmd.Context(), func(u *solve.Unfinished) (err error) {
		asked := 0
		if cmd.Flag("hash").Changed {
			asked = o.Hash
		}
		o.Hash, err = u.Table(asked)
		return err
	})
	if err != nil {
		return err
	}
	c.solver, err = solve.New(c.game, o)
	switch s := c.solver; {
	case errors.Is(err, solve.ErrNone):
		return misusef("try krow analyze, whose answers say when they are solved", "%w", err)
	case err != nil:
		return misusef("", "%w", err)
	case c.resume != "" && !s.Resumes():
		return misusef("", "the solver of %s cannot continue unfinished work", c.game)
	case c.book != "" && !s.TakesBook():
		return misusef("", "--book is for Connect Four, not for %s", c.game)
	case c.resume != "" && c.resume == c.certificate.name:
		return misusef("", "--resume and --certificate cannot be one file")
	case c.book == "":
		return nil
	}
	return readFile(cmd.Context(), c.book, func(f *input) error {
		b, err := c.solver.UseBook(f)
		if err == nil && !b.Finished() {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s is not finished: %s of up to %s\n", c.book,
				humanize.Amount(b.Len(), "position", "positions"), humanize.Amount(b.Plies, "ply", "plies"))
		}
		return err
	})
}

// claim locks the output files, or returns an error if they cannot be written. It is called before the solver begins,
// because solving may take hours.
func (c *solveCommand) claim() (err error) {
	if p, lined := c.p.(game.Lined); lined && c.certificate.name != "" && c.p.Outcome() == game.Ongoing {
		err = proof.Writable(p)
	}
	if err == nil {
		err = c.certificate.checkFile()
	}
	if err == nil && !c.certificate.stdout() {
		c.proof, err = atomicfile.Open(c.certificate.name)
	}
	if err == nil && c.resume != "" {
		c.rest, err = atomicfile.Open(c.resume)
	}
	return err
}

func (c *solveCommand) release() {
	for _, f := range []*atomicfile.File{c.proof, c.rest} {
		if f != nil {
			f.Close()
		}
	}
}

// unfinished reads the file of unfinished work, if there is one, and calls use with this work.
func (c *solveCommand) unfinished(ctx context.Context, use func(*solve.Unfinished) error) error {
	if _, err := os.Stat(c.resume); c.resume == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return readFile(ctx, c.resume, func(f *input) error {
		u, err := solve.ReadUnfinished(f)
		if err != nil {
			return err
		}
		return use(u)
	})
}

func (c *solveCommand) save() error {
	return c.rest.Write(func(w io.Writer) error { return c.solver.Save(c.p, w) })
}

// provePosition solves the position, shows its value and writes its certificate.
func (c *solveCommand) provePosition(ctx context.Context, cmd *cobra.Command) error {
	if saved := time.Now(); c.rest != nil {
		c.solver.Keep = func() {
			if time.Since(saved) > c.saveEvery {
				saved = time.Now()
				_ = c.save() // the error is ignored, because the next call also saves this work
			}
		}
	}
	quiet := asJSON(cmd)
	v, err := solvePosition(ctx, cmd, c.solver, c.p, quiet)
	if err == nil {
		err = c.certify(ctx, cmd, v)
	}
	switch {
	case quiet:
		return printValue(ctx, cmd, c.solver, c.p, v, err)
	case err != nil:
		return err
	}
	return showValue(ctx, cmd, c.solver, c.p, v)
}

// certify writes the certificate. The certificate depends on the solver's table, which solving a position changes.
// Therefore certify is called before the solver solves another position, so that the same command always writes the same
// file.
func (c *solveCommand) certify(ctx context.Context, cmd *cobra.Command, v found) error {
	write := func(w io.Writer) error { return c.solver.Certify(ctx, c.p, w) }
	var err error
	switch {
	case c.proof != nil:
		err = c.proof.Write(write)
	case c.certificate.name != "":
		err = write(cmd.OutOrStdout())
		cmd.SetOut(cmd.ErrOrStderr()) // the value is printed to standard error, because the certificate is written to standard output
	}
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w; proved so far: %s", err, v)
	}
	return err
}

// solveFile solves the positions of a file. All lines are read and checked before the first is solved.
func (c *solveCommand) solveFile(ctx context.Context, cmd *cobra.Command) error {
	var lines []solve.Position
	err := readFile(cmd.Context(), c.positions, func(f *input) (err error) {
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
		err = fmt.Errorf("%s: %w", inputName(c.positions), err)
	}
	return together(err, printPositions(cmd, sum))
}
