// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/tt"
)

// exactSolver is what solve asks of a solver. Each method does what it can until ctx is done.
type exactSolver interface {
	// Solve proves what p, which is ongoing, is worth, and calls report for each improved bound.
	Solve(ctx context.Context, p game.Position, report func(solution)) solution
	// Best returns a line that begins with a move that is worth as much as s says of p: best play to the end
	// where s is exact. It is empty when none is proved.
	Best(ctx context.Context, p game.Position, s solution) []game.Move
	// Clear forgets everything.
	Clear()
}

// certifier is a solver that can write down the proof of a value, for krow verify.
type certifier interface {
	Certify(ctx context.Context, p game.Position, w io.Writer) error
}

// solution is what is proved of a position, for the side to move.
type solution struct {
	Value string // win, draw, loss, or "" where not even that is known
	Exact bool   // Score and Plies are known
	Score int
	Plies int    // to the end, best play on both sides
	Known string // where not exact: the bounds, for people
	Nodes uint64

	Progress string // towards the next bound, for people; empty where the solver cannot tell
}

// solveOptions are the flags that a solver is made with.
type solveOptions struct {
	weak          bool
	threads, hash int
}

// exactSolvers are asked in turn; one that does not play the game returns nil and no error.
var exactSolvers = []func(game.Game, solveOptions) (exactSolver, error){newConnect4Solver, newMNKSolver, newUltimateSolver}

// solverOf returns the solver of g.
func solverOf(g game.Game, o solveOptions) (exactSolver, error) {
	for _, f := range exactSolvers {
		if s, err := f(g, o); s != nil || err != nil {
			return s, err
		}
	}
	return nil, misusef("try krow analyze, whose answers say when they are solved", "%s has no exact solver yet", g)
}

type solving struct {
	at        positionFlags
	weak      bool
	threads   int
	hash      string
	time      time.Duration
	positions string
	proof     string
	resume    string
	saveEvery time.Duration
	book      string
	bytes     int // of the table

	certificate, rest *wholefile.File // that are to be written
}

func newSolve() *cobra.Command {
	var s solving
	cmd := &cobra.Command{
		Use:   "solve GAME",
		Short: "Prove what a position is worth",
		Long: `Prove what a position is worth for the side to move, and how many plies it takes with best play.
Without --json each move is solved too. When the time is up, or after Ctrl-C, it says what is proved so
far and fails; with --resume it then keeps what it knows in a file, and goes on from it the next time.
With --positions every line of a file is solved: moves in one word (commas between columns
of two digits, - for none), and the score where it is known; the table is cleared before each.`,
		Example: `  krow solve connect4 --moves 44444
  krow solve connect4:6x5 --json
  krow solve connect4:8x6 --resume 8x6.part --time 1h
  krow solve connect4 --positions end-easy.txt --hash 64M`,
		Args:              exactly("GAME"),
		ValidArgsFunction: complete(completeGames),
		RunE:              func(cmd *cobra.Command, args []string) error { return s.run(cmd, args[0]) },
	}
	s.at.add(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&s.weak, "weak", false, "prove win, draw or loss only")
	flags.IntVar(&s.threads, "threads", 1, "threads that share the table")
	flags.StringVar(&s.hash, "hash", "64M", "size of the table, such as 64M or 1G")
	flags.DurationVar(&s.time, "time", 0, "time to solve, such as 30s or 2h")
	flags.Lookup("time").DefValue = ""
	flags.Var((*path)(&s.positions), "positions", "file of positions to solve")
	flags.Var((*path)(&s.proof), "certificate", "file for the proof of the value, which krow verify checks")
	flags.Var((*path)(&s.book), "book", "book of Connect Four to ask first")
	flags.Var((*path)(&s.resume), "resume", "file of unfinished work: go on with it, and keep it there")
	flags.DurationVar(&s.saveEvery, "save-every", saveEvery, "how often that file is written, should the work be killed")
	for _, name := range []string{"threads", "hash", "time", "save-every"} {
		completeFlag(cmd, name, nothing)
	}
	return cmd
}

func (s *solving) run(cmd *cobra.Command, text string) error {
	g, p, err := s.at.load(text)
	if err != nil {
		return err
	}
	o, err := s.options()
	if err != nil {
		return err
	}
	var old *unfinished
	if s.resume != "" {
		if old, err = s.saved(cmd.Context()); err != nil {
			return err
		}
		if old != nil {
			o.hash = old.Hash
		}
	}
	s.bytes = o.hash
	solver, err := solverOf(g, o)
	if err != nil {
		return err
	}
	// Of m,n,k games and ultimate values are proved, and no distances.
	switch solver.(type) {
	case mnkSolver, ultimateSolver:
		s.weak = true
	}
	if err := s.suits(solver, g); err != nil {
		return err
	}
	if s.book != "" {
		if err := s.open(cmd, solver, g); err != nil {
			return err
		}
	}
	closeOutputs, err := s.outputs()
	if err != nil {
		return err
	}
	defer closeOutputs()
	ctx := cmd.Context()
	if s.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.time)
		defer cancel()
	}
	if s.positions != "" {
		return s.file(ctx, cmd, solver, p)
	}
	if p.Outcome() != game.Ongoing {
		return fmt.Errorf("the game is over: %s", p.Outcome())
	}
	if old != nil {
		if err := s.load(cmd.Context(), solver.(resumer), p, *old); err != nil {
			return err
		}
	}
	err = s.prove(ctx, cmd, solver, p)
	if err != nil && ctx.Err() != nil && s.resume != "" {
		err = together(err, s.save(solver.(resumer), s.unfinished(p, s.bytes)))
	}
	return err
}

// suits says what the flags ask for and the solver cannot do.
func (s *solving) suits(solver exactSolver, g game.Game) error {
	if _, ok := solver.(certifier); !ok && s.proof != "" {
		return misusef("", "there are no certificates of %s yet", g)
	}
	if _, ok := solver.(resumer); !ok && s.resume != "" {
		return misusef("", "the solver of %s cannot go on with unfinished work yet", g)
	}
	if s.resume != "" && s.resume == s.proof {
		return misusef("", "--resume and --certificate cannot be one file")
	}
	if s.resume != "" && s.positions != "" {
		return misusef("", "--resume is for one position, not for --positions")
	}
	if s.proof != "" && s.positions != "" {
		return misusef("", "--certificate is for one position, not for --positions")
	}
	if s.saveEvery <= 0 {
		return misusef("", "--save-every is a positive time, not %v", s.saveEvery)
	}
	return nil
}

// open gives the solver its book.
func (s *solving) open(cmd *cobra.Command, solver exactSolver, g game.Game) error {
	c, ok := solver.(interface{ connect4() *connect4.Solver })
	if !ok {
		return misusef("", "--book is for Connect Four, not for %s", g)
	}
	book, err := readBook(cmd.Context(), s.book, c.connect4(), g)
	if err != nil {
		return err
	}
	if !book.Finished() {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s is not finished: %s of up to %s\n", s.book,
			amount(book.Len(), "position", "positions"), amount(book.Plies, "ply", "plies"))
	}
	c.connect4().Book = book
	return nil
}

// outputs finds out whether the files can be written, before hours of work, and keeps others from writing them.
func (s *solving) outputs() (done func(), err error) {
	if s.proof != "" {
		s.certificate, err = wholefile.Open(s.proof)
	}
	if err == nil && s.resume != "" {
		s.rest, err = wholefile.Open(s.resume)
	}
	done = func() {
		for _, f := range []*wholefile.File{s.certificate, s.rest} {
			if f != nil {
				f.Close()
			}
		}
	}
	if err != nil {
		done()
	}
	return done, err
}

// prove solves p, shows what it is worth and writes its certificate.
func (s *solving) prove(ctx context.Context, cmd *cobra.Command, solver exactSolver, p game.Position) error {
	show := s.text
	if asJSON(cmd) {
		show = s.json
	}
	if err := show(ctx, cmd, solver, p); err != nil || s.proof == "" {
		return err
	}
	return certify(ctx, solver.(certifier), p, s.certificate)
}

// certify writes the file of the proof.
func certify(ctx context.Context, c certifier, p game.Position, f *wholefile.File) error {
	return f.Write(func(w io.Writer) error {
		err := c.Certify(ctx, p, w)
		if err != nil && ctx.Err() != nil {
			return fmt.Errorf("%s: the certificate is not finished", stopped(ctx))
		}
		return err
	})
}

// options checks the flags.
func (s *solving) options() (solveOptions, error) {
	o := solveOptions{weak: s.weak, threads: s.threads}
	if s.threads < 1 || s.threads > 256 {
		return o, misusef("", "--threads must be 1 to 256, not %d", s.threads)
	}
	if s.time < 0 {
		return o, misusef("", "--time cannot be negative: %v", s.time)
	}
	var err error
	if o.hash, err = parseSize(s.hash); err != nil {
		return o, err
	}
	if !tt.Available(o.hash) {
		return o, misusef("", "--hash %s is more memory than there is", s.hash)
	}
	return o, nil
}

// parseSize reads the value of --hash; a number alone is bytes.
func parseSize(text string) (int, error) {
	n, ok := spec.Bytes(text, 1)
	if !ok {
		return 0, misusef("", "--hash needs a size up to 1024G such as 64M, not %q", text)
	}
	return n, nil
}

// unproved says why a solution is not all that was asked for, or nil.
func unproved(ctx context.Context, o bool, s solution) error {
	if s.Exact || o && s.Value != "" {
		return nil
	}
	return fmt.Errorf("%s: proved so far: %s", stopped(ctx), s.Known)
}

// stopped says what ended ctx.
func stopped(ctx context.Context) string {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return "the time is up"
	}
	return errInterrupted.Error()
}
