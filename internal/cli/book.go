// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/wholefile"
)

type booking struct {
	solving
	out   string
	plies int
	check bool
}

func newBook() *cobra.Command {
	var b booking
	cmd := &cobra.Command{
		Use:   "book GAME",
		Short: "Build a book of solved Connect Four positions, or prove it again",
		Long: `Solve every position of up to so many plies and write them to a file, for krow solve --book. A file that is
there and unfinished is gone on with. With --check each entry of the file is proved again: the positions with most
stones from an empty table and without the rules of who may answer every stone, the others from those.`,
		Example: `  krow book connect4:5x5 --plies 6 --out 5x5.book
  krow book connect4:5x5 --check --out 5x5.book`,
		Args:              exactly("GAME"),
		ValidArgsFunction: complete(completeGames),
		RunE:              func(cmd *cobra.Command, args []string) error { return b.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.Var((*path)(&b.out), "out", "file of the book")
	flags.IntVar(&b.plies, "plies", 4, "plies of the book")
	flags.BoolVar(&b.check, "check", false, "prove each entry of the file again")
	flags.IntVar(&b.threads, "threads", 1, "threads that share the table")
	flags.StringVar(&b.hash, "hash", "64M", "size of the table, such as 64M or 1G")
	flags.DurationVar(&b.time, "time", 0, "time in all, such as 30s or 2h")
	flags.Lookup("time").DefValue = ""
	return cmd
}

func (b *booking) run(cmd *cobra.Command, text string) error {
	if b.out == "" {
		return misusef("", "krow book needs --out FILE")
	}
	g, err := catalog.Game(text)
	if err != nil {
		return err
	}
	o, err := b.options()
	if err != nil {
		return err
	}
	s, err := connect4.NewSolver(g, connect4.Options{Threads: o.threads, Hash: o.hash, NoParity: b.check})
	if err != nil {
		return &misuse{err: fmt.Errorf("book of %s: %w", g, err)}
	}
	ctx := cmd.Context()
	if b.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.time)
		defer cancel()
	}
	if b.check {
		book, err := readBook(cmd.Context(), b.out, s, g)
		if err != nil {
			return err
		}
		return b.prove(ctx, cmd, s, book)
	}
	empty, err := s.NewBook(b.plies)
	if err != nil {
		return &misuse{err: err}
	}
	out, err := wholefile.Open(b.out)
	if err != nil {
		return err
	}
	defer out.Close()
	book, err := readBook(cmd.Context(), b.out, s, g)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		book = empty
	case err != nil:
		return err
	case book.Plies != b.plies:
		return fmt.Errorf("%s: this is a book of %d plies, not %d", b.out, book.Plies, b.plies)
	}
	return b.build(ctx, cmd, s, book, out)
}

// readBook reads a book of g.
func readBook(ctx context.Context, name string, s *connect4.Solver, g game.Game) (*connect4.Book, error) {
	f, err := openInput(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	book, err := connect4.ReadBook(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !book.For(s) {
		return nil, fmt.Errorf("%s: this is a book of %s, %s and %d in a row, not of %s", name,
			amount(book.Columns, "column", "columns"), amount(book.Rows, "row", "rows"), book.K, g)
	}
	return book, nil
}

// bookJSON is what becomes of a book.
type bookJSON struct {
	Final     bool   `json:"final"`
	Positions int    `json:"positions"` // in it, or with --check proved again
	Plies     int    `json:"plies"`
	Checked   bool   `json:"checked"` // with --check
	Error     string `json:"error,omitempty"`
}

// build solves what is missing, and writes the file, now and then and at the end.
func (b *booking) build(ctx context.Context, cmd *cobra.Command, s *connect4.Solver, book *connect4.Book, out *wholefile.File) error {
	write := func() error {
		return out.Write(func(w io.Writer) error {
			_, err := book.WriteTo(w)
			return err
		})
	}
	line, saved := newStatusLine(cmd.ErrOrStderr()), time.Now()
	err := book.Build(ctx, s, func(done, all int) error {
		if line.due() {
			line.show(fmt.Sprintf("%d of %d positions solved", done, all))
		}
		if time.Since(saved) < saveEvery {
			return nil
		}
		saved = time.Now()
		return write()
	})
	line.clear()
	if err == nil || ctx.Err() != nil {
		err = together(inWords(ctx, err, book.Len(), "solved"), write())
	}
	return b.print(cmd, book, book.Len(), err)
}

// prove checks each entry of the book.
func (b *booking) prove(ctx context.Context, cmd *cobra.Command, s *connect4.Solver, book *connect4.Book) error {
	line, proved := newStatusLine(cmd.ErrOrStderr()), 0
	err := book.Check(ctx, s, func(done, all int) {
		proved = done
		if line.due() {
			line.show(fmt.Sprintf("%d of %d positions proved again", done, all))
		}
	})
	line.clear()
	if err != nil {
		return b.print(cmd, book, proved, fmt.Errorf("%s: %w", b.out, inWords(ctx, err, proved, "proved again")))
	}
	return b.print(cmd, book, book.Len(), nil)
}

// inWords says how far work on a book came if ctx has ended it.
func inWords(ctx context.Context, err error, done int, what string) error {
	if err == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%s: %s %s so far", stopped(ctx), amount(done, "position", "positions"), what)
}

// print tells what became of the book.
func (b *booking) print(cmd *cobra.Command, book *connect4.Book, done int, failed error) error {
	var err error
	switch {
	case asJSON(cmd):
		j := bookJSON{Final: true, Positions: done, Plies: book.Plies, Checked: b.check}
		if failed != nil {
			j.Error = oneLine(failed.Error())
		}
		err = printJSON(cmd.OutOrStdout(), j)
	case failed == nil:
		again := map[bool]string{true: ", each proved again"}[b.check]
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s of up to %s%s\n", amount(done, "position", "positions"),
			amount(book.Plies, "ply", "plies"), again)
	}
	return together(failed, err)
}
