// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Book holds the score of each position of at most Plies stones that is not over, for boards of one word.
// A position and its mirror image are one entry.
type Book struct {
	Columns, Rows, K, Plies int

	scores map[uint64]int8
}

// NewBook returns an empty book for the games that s solves.
func (s *Solver) NewBook(plies int) (*Book, error) {
	if s.g.columns*(s.g.rows+1) > boardBits {
		return nil, fmt.Errorf("books are for boards of one word: %d x %d is too big", s.g.columns, s.g.rows)
	}
	if plies < 0 || plies >= s.g.cells {
		return nil, fmt.Errorf("a book of %d plies for a board of %d cells", plies, s.g.cells)
	}
	return &Book{s.g.columns, s.g.rows, s.g.k, plies, map[uint64]int8{}}, nil
}

// Len returns the number of entries.
func (b *Book) Len() int { return len(b.scores) }

// Finished says whether the book has all of its entries: the empty board is solved last.
func (b *Book) Finished() bool {
	_, ok := b.scores[0]
	return ok
}

// Score returns the score of p, if it is in the book.
func (b *Book) Score(p Position) (score int, ok bool) {
	v, ok := b.scores[p.bookKey()]
	return int(v), ok
}

// For says whether the book is one for the games that s solves.
func (b *Book) For(s *Solver) bool {
	return b.Columns == s.g.columns && b.Rows == s.g.rows && b.K == s.g.k
}

// bookKey is the key of a search, for a board of one word.
func (p Position) bookKey() uint64 {
	k := p.turn.plus(p.stones())
	return min(k.low, p.g.mirror(k).low)
}

// level is the positions of so many stones, by key.
type level map[uint64]Position

// maxPositions is how many positions a book may have: 2 GB or so while it is built.
const maxPositions = 1 << 24

// levels returns the positions up to the book's plies that are not over, by the number of their stones.
func (b *Book) levels(ctx context.Context, s *Solver) (all []level, err error) {
	all, positions := []level{{0: s.Start()}}, 1
	for range b.Plies {
		next := level{}
		for _, p := range all[len(all)-1] {
			if positions+len(next) > maxPositions {
				return nil, fmt.Errorf("a book of %d plies has more than %d positions", b.Plies, maxPositions)
			}
			if ctx.Err() != nil {
				return nil, unfinishedBook(ctx)
			}
			for c := range b.Columns {
				if q, err := p.Play(c); err == nil && !q.Over() {
					next[q.bookKey()] = q
				}
			}
		}
		all, positions = append(all, next), positions+len(next)
	}
	return all, nil
}

func unfinishedBook(ctx context.Context) error {
	return fmt.Errorf("the book is not finished: %w", context.Cause(ctx))
}

// Build solves with s the positions that the book does not have yet: the last level one by one, and the others from
// those. It calls progress after each that took a search, with how many there are now and will be; an error
// of progress ends it.
func (b *Book) Build(ctx context.Context, s *Solver, progress func(done, all int) error) error {
	levels, err := b.levels(ctx, s)
	if err != nil {
		return err
	}
	last := levels[b.Plies]
	for _, k := range slices.Sorted(maps.Keys(last)) {
		if _, ok := b.scores[k]; ok {
			continue
		}
		r := s.Solve(ctx, last[k])
		if !r.Exact() || ctx.Err() != nil {
			return unfinishedBook(ctx)
		}
		b.scores[k] = int8(r.Lower)
		if err := progress(len(b.scores), len(last)); err != nil {
			return err
		}
	}
	for i := b.Plies - 1; i >= 0; i-- {
		for k, p := range levels[i] {
			b.scores[k] = int8(b.fromMoves(p))
		}
	}
	return nil
}

// fromMoves returns the score of p as the scores after its moves make it.
func (b *Book) fromMoves(p Position) int {
	best := -noBound
	for c := range b.Columns {
		q, err := p.Play(c)
		switch {
		case err != nil:
			continue
		case q.won():
			best = max(best, q.Left()/2+1)
		case q.Left() == 0:
			best = max(best, 0)
		default:
			best = max(best, -int(b.scores[q.bookKey()]))
		}
	}
	return best
}

// Check proves each entry again: those of the last level with s, which should be a solver that works in another way
// than the one that built the book, and the others from those. It says which entry is missing, wrong or one too many.
func (b *Book) Check(ctx context.Context, s *Solver, progress func(done, all int)) error {
	levels, err := b.levels(ctx, s)
	if err != nil {
		return err
	}
	entries := 0
	for i, l := range levels {
		entries += len(l)
		for n, k := range slices.Sorted(maps.Keys(l)) {
			v, ok := b.scores[k]
			if !ok {
				return fmt.Errorf("position %x of %d stones is missing", k, i)
			}
			want := 0
			if i < b.Plies {
				want = b.fromMoves(l[k])
			} else {
				s.Clear()
				r := s.Solve(ctx, l[k])
				if !r.Exact() {
					return fmt.Errorf("the book is not checked to its end: %w", context.Cause(ctx))
				}
				want = r.Lower
				progress(n+1, len(l))
			}
			if int(v) != want {
				return fmt.Errorf("position %x of %d stones is worth %+d, not %+d", k, i, want, v)
			}
		}
	}
	if entries != len(b.scores) {
		return errors.New("the book holds positions that do not belong there")
	}
	return nil
}
