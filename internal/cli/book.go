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
	flags.StringVar(&b.out, "out", "", "file of the book")
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
	with := connect4.Defaults()
	with.Threads, with.Hash, with.Parity = o.threads, o.hash, !b.check
	s, err := connect4.NewSolver(g, with)
	if err != nil {
		return &misuse{err: fmt.Errorf("book of %s: %w", g, err)}
	}
	ctx := cmd.Context()
	if b.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.time)
		defer cancel()
	}
	book, err := readBook(b.out, s, g)
	if b.check {
		if err != nil {
			return err
		}
		return b.prove(ctx, cmd, s, book)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if book, err = s.NewBook(b.plies); err != nil {
			return &misuse{err: err}
		}
	}
	if err != nil {
		return err
	}
	if book.Plies != b.plies {
		return fmt.Errorf("%s: this is a book of %d plies, not %d", b.out, book.Plies, b.plies)
	}
	return b.build(ctx, cmd, s, book)
}

// readBook reads a book of g.
func readBook(name string, s *connect4.Solver, g game.Game) (*connect4.Book, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	book, err := connect4.ReadBook(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !book.For(s) {
		return nil, fmt.Errorf("%s: this is a book of %d columns, %d rows and %d in a row, not of %s", name, book.Columns, book.Rows, book.K, g)
	}
	return book, nil
}

// build solves what is missing, and writes the file, now and then and at the end.
func (b *booking) build(ctx context.Context, cmd *cobra.Command, s *connect4.Solver, book *connect4.Book) error {
	write := func() error {
		return wholefile.Stream(b.out, func(w io.Writer) error {
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
	if err = errors.Join(err, write()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d positions of up to %d plies\n", book.Len(), book.Plies)
	return err
}

// prove checks each entry of the book.
func (b *booking) prove(ctx context.Context, cmd *cobra.Command, s *connect4.Solver, book *connect4.Book) error {
	line := newStatusLine(cmd.ErrOrStderr())
	err := book.Check(ctx, s, func(done, all int) {
		if line.due() {
			line.show(fmt.Sprintf("%d of %d positions proved again", done, all))
		}
	})
	line.clear()
	if err != nil {
		return fmt.Errorf("%s: %w", b.out, err)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d positions of up to %d plies, each proved again\n", book.Len(), book.Plies)
	return err
}
