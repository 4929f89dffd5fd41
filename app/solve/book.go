// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/words"
)

// Book holds the scores of all Connect Four positions up to a number of plies. Use NewBook, then Begin or Read.
type Book struct {
	*connect4.Book
	solver *connect4.Solver
	game   game.Game
}

// NewBook returns an empty book of g. The solver that verifies does without the rules of who may answer every stone.
func NewBook(g game.Game, o Options, verify bool) (*Book, error) {
	s, err := connect4.NewSolver(g, connect4.Options{Threads: o.Threads, Hash: o.Hash, NoParity: verify})
	if err != nil {
		return nil, fmt.Errorf("book of %s: %w", g, err)
	}
	return &Book{solver: s, game: g}, nil
}

// Begin makes b an empty book of that many plies.
func (b *Book) Begin(plies int) (err error) {
	b.Book, err = b.solver.NewBook(plies)
	return err
}

// Read makes b the book that WriteTo has written. After Begin it may have fewer plies, and Build goes on with it.
func (b *Book) Read(r io.Reader) error {
	book, err := connect4.ReadBook(r)
	switch {
	case err != nil:
		return err
	case !book.For(b.solver):
		return fmt.Errorf("this is a book of %s, %s and %d in a row, not of %s", words.Amount(book.Columns, "column", "columns"),
			words.Amount(book.Rows, "row", "rows"), book.K, b.game)
	case b.Book != nil && b.Plies < book.Plies:
		return fmt.Errorf("this is a book of %d plies, not %d", book.Plies, b.Plies)
	case b.Book != nil:
		book.Plies = b.Plies
	}
	b.Book = book
	return nil
}

// Build solves what is missing. It calls progress after each position, and ends with an error of progress.
func (b *Book) Build(ctx context.Context, progress func(done, all int) error) error {
	return soFarOf(ctx, b.Book.Build(ctx, b.solver, progress), b.Len(), "solved")
}

// Verify proves each entry again, those with most stones from an empty table, and returns how many it has proved.
func (b *Book) Verify(ctx context.Context, progress func(done, all int)) (proved int, err error) {
	err = b.Check(ctx, b.solver, func(done, all int) {
		proved = done
		progress(done, all)
	})
	if err == nil {
		proved = b.Len()
	}
	return proved, soFarOf(ctx, err, proved, "proved again")
}

// soFarOf says how far the work came if ctx has ended it.
func soFarOf(ctx context.Context, err error, done int, what string) error {
	if err == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%s: %s %s so far", ended(ctx), words.Amount(done, "position", "positions"), what)
}

// UseBook makes the Solver ask a book of its game before it searches.
func (s *Solver) UseBook(r io.Reader) (*Book, error) {
	b, err := NewBook(s.g, Options{Hash: 1}, false)
	if err == nil {
		err = b.Read(r)
	}
	if err == nil {
		s.e.book(b.Book)
	}
	return b, err
}
