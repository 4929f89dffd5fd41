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

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/humanize"
)

type bookCommand struct {
	solverFlags
	out    string
	plies  int
	verify bool
}

func newBook() *cobra.Command {
	var c bookCommand
	cmd := &cobra.Command{
		Use:   "book GAME",
		Short: "Build a book of solved Connect Four positions, or prove it again",
		Long: `Solve every position of up to so many plies and write them to a file, for krow solve --book. A file that is
there and unfinished is gone on with. With --verify each entry of the file is proved again: the positions with most
stones from an empty table and without the rules of who may answer every stone, the others from those.`,
		Example: `  krow book connect4:5x5 --plies 6 --out 5x5.book
  krow book connect4:5x5 --verify --out 5x5.book`,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	c.add(cmd)
	flags := cmd.Flags()
	flags.Var((*path)(&c.out), "out", "file of the book")
	flags.IntVar(&c.plies, "plies", 4, "plies of the book")
	flags.BoolVar(&c.verify, "verify", false, "prove each entry of the file again")
	require(cmd, "out")
	return cmd
}

func (c *bookCommand) run(cmd *cobra.Command, text string) error {
	g, err := krow.Game(text)
	if err != nil {
		return err
	}
	o, err := c.options()
	if err != nil {
		return err
	}
	b, err := solve.NewBook(g, o, c.verify)
	if err != nil {
		return misusef("", "%w", err)
	}
	ctx, cancel := c.limit(cmd.Context())
	defer cancel()
	if c.verify {
		if err := c.read(cmd.Context(), b); err != nil {
			return err
		}
		return c.prove(ctx, cmd, b)
	}
	if err := b.Begin(c.plies); err != nil {
		return misusef("", "%w", err)
	}
	out, err := atomicfile.Open(c.out)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := c.read(cmd.Context(), b); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return c.build(ctx, cmd, b, out)
}

func (c *bookCommand) read(ctx context.Context, b *solve.Book) error {
	return readFile(ctx, c.out, func(f *input) error { return b.Read(f) })
}

// build solves what is missing, and writes the file now and then and at the end.
func (c *bookCommand) build(ctx context.Context, cmd *cobra.Command, b *solve.Book, out *atomicfile.File) error {
	write := func() error {
		return out.Write(func(w io.Writer) error {
			_, err := b.WriteTo(w)
			return err
		})
	}
	line, saved := newStatusLine(cmd.ErrOrStderr()), time.Now()
	err := b.Build(ctx, func(done, all int) error {
		line.tell("%d of %d positions solved", done, all)
		if time.Since(saved) < saveEvery {
			return nil
		}
		saved = time.Now()
		return write()
	})
	line.clear()
	if err == nil || ctx.Err() != nil {
		err = together(err, write())
	}
	return c.print(cmd, b, b.Len(), err)
}

func (c *bookCommand) prove(ctx context.Context, cmd *cobra.Command, b *solve.Book) error {
	line := newStatusLine(cmd.ErrOrStderr())
	proved, err := b.Verify(ctx, func(done, all int) {
		line.tell("%d of %d positions proved again", done, all)
	})
	line.clear()
	if err != nil {
		err = fmt.Errorf("%s: %w", c.out, err)
	}
	return c.print(cmd, b, proved, err)
}

type bookJSON struct {
	Final     bool   `json:"final"`
	Positions int    `json:"positions"` // in it, or with --verify proved again
	Plies     int    `json:"plies"`
	Checked   bool   `json:"checked"` // with --verify
	Error     string `json:"error,omitempty"`
}

func (c *bookCommand) print(cmd *cobra.Command, b *solve.Book, done int, failed error) error {
	j, text := bookJSON{Final: true, Positions: done, Plies: b.Plies, Checked: c.verify}, bookSize(b, done)+"\n"
	if c.verify {
		text = bookSize(b, done) + ", each proved again\n"
	}
	if failed != nil {
		j.Error, text = oneLine(failed.Error()), ""
	}
	return together(failed, answer(cmd, j, "%s", text))
}

func bookSize(b *solve.Book, n int) string {
	return humanize.Amount(n, "position", "positions") + " of up to " + humanize.Amount(b.Plies, "ply", "plies")
}
