// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sync"
)

// Book contains the score of every unfinished position with at most Plies stones, for boards that fit into one word. A position
// and its mirror image have one entry.
type Book struct {
	Columns, Rows, K, Plies int

	scores map[uint64]int8
}

// NewBook returns an empty book for the game that s solves.
func (s *Solver) NewBook(plies int) (*Book, error) {
	if s.g.columns*(s.g.rows+1) > boardBits {
		return nil, fmt.Errorf("a board of %d x %d is too large for a book", s.g.columns, s.g.rows)
	}
	if plies < 0 || plies >= s.g.cells {
		return nil, fmt.Errorf("a book cannot have %d plies for a board of %d cells", plies, s.g.cells)
	}
	return &Book{s.g.columns, s.g.rows, s.g.k, plies, map[uint64]int8{}}, nil
}

// Len returns the number of entries.
func (b *Book) Len() int { return len(b.scores) }

// Finished reports whether the book is complete.
func (b *Book) Finished() bool {
	levels, err := b.levels(context.Background(), &Solver{g: newGeometry(b.Columns, b.Rows, b.K)})
	return err == nil && len(b.scores) == positions(levels)
}

// score returns the score of p, if it is in the book.
func (b *Book) score(p Position) (score int, ok bool) {
	v, ok := b.scores[p.bookKey()]
	return int(v), ok
}

// For reports whether the book is for the game of s.
func (b *Book) For(s *Solver) bool {
	return b.Columns == s.g.columns && b.Rows == s.g.rows && b.K == s.g.k
}

// bookKey returns the key of the position. The search uses the same key if the board fits into one word.
func (p Position) bookKey() uint64 {
	k := p.turn.plus(p.stones())
	return min(k.low, p.g.mirror(k).low)
}

// maxPositions is the maximum number of positions in a book; building it then takes about 2 GB of memory.
const maxPositions = 1 << 24

func (b *Book) levels(ctx context.Context, s *Solver) (all []map[uint64]Position, err error) {
	all, positions := []map[uint64]Position{{0: s.Start()}}, 1
	for range b.Plies {
		next := map[uint64]Position{}
		for _, p := range all[len(all)-1] {
			if positions+len(next) > maxPositions {
				return nil, fmt.Errorf("a book of %d plies would have more than %d positions", b.Plies, maxPositions)
			}
			if ctx.Err() != nil {
				return nil, unfinishedBook(ctx)
			}
			for _, q := range p.children() {
				if !q.over() {
					next[q.bookKey()] = q
				}
			}
		}
		all, positions = append(all, next), positions+len(next)
	}
	return all, nil
}

func positions(levels []map[uint64]Position) (n int) {
	for _, l := range levels {
		n += len(l)
	}
	return n
}

func unfinishedBook(ctx context.Context) error {
	return fmt.Errorf("the book is not finished: %w", context.Cause(ctx))
}

// Build solves the positions that are missing in the book, beginning with the empty board. The score of a position gives bounds
// of the scores of the positions after its moves. With these bounds the positions are easier to solve. Build calls progress
// after each position, and ends if progress returns an error.
func (b *Book) Build(ctx context.Context, s *Solver, progress func(done, all int) error) error {
	levels, err := b.levels(ctx, s)
	if err != nil {
		return err
	}
	all := positions(levels)
	for i, l := range levels {
		least := map[uint64]int{}
		if i > 0 {
			least = b.least(levels[i-1])
		}
		for _, k := range slices.Sorted(maps.Keys(l)) {
			if _, ok := b.scores[k]; ok {
				continue
			}
			known := Unknown()
			if v, ok := least[k]; ok {
				known.Lower = v
			}
			r := s.SolveWithin(ctx, l[k], known)
			if !r.Exact() || ctx.Err() != nil {
				return unfinishedBook(ctx)
			}
			b.scores[k] = int8(r.Lower)
			if err := progress(len(b.scores), all); err != nil {
				return err
			}
		}
	}
	return nil
}

// least returns lower bounds of the scores of the positions after one more move. The result maps the key of such a position
// to its bound. A level contains the positions with the same number of stones. The bounds follow from the known scores: a
// move is worth at most as much as the position in which it is made.
func (b *Book) least(level map[uint64]Position) map[uint64]int {
	least := map[uint64]int{}
	for k, p := range level {
		v := -int(b.scores[k])
		for _, q := range p.children() {
			if old, ok := least[q.bookKey()]; !ok || v > old {
				least[q.bookKey()] = v
			}
		}
	}
	return least
}

func (b *Book) fromMoves(p Position) int {
	best := -noBound
	for _, q := range p.children() {
		switch {
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

// Check proves each entry again. The solver s solves the positions with the most stones, and Check computes the scores of all
// other entries from the scores of these positions. s should have other [Options] than the solver that built the book. The
// error names the first wrong entry.
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
				return fmt.Errorf("position %x with %d stones is missing", k, i)
			}
			want := 0
			if i < b.Plies {
				want = b.fromMoves(l[k])
			} else {
				s.Clear()
				r := s.Solve(ctx, l[k])
				if !r.Exact() {
					return fmt.Errorf("the check of the book did not finish: %w", context.Cause(ctx))
				}
				want = r.Lower
				progress(n+1, len(l))
			}
			if int(v) != want {
				return fmt.Errorf("position %x with %d stones has the score %+d, not %+d", k, i, want, v)
			}
		}
	}
	if entries != len(b.scores) {
		return errors.New("the book contains positions that do not belong in it")
	}
	return nil
}

// bookHead is the first line of the file of a book. The entries follow in the order of their keys. Each consists of the
// difference from the previous key, as a varint, and of the score, as a byte. The file ends with the SHA-256 of everything
// before it.
type bookHead struct {
	Krow    string `json:"krow"` // "book"
	Version int    `json:"version"`
	Columns int    `json:"columns"`
	Rows    int    `json:"rows"`
	K       int    `json:"k"`
	Plies   int    `json:"plies"`
	Entries int    `json:"entries"`
}

const bookVersion = 1

// The maximum number of entries that are read from a book, and of bytes in an entry.
const mostEntries, mostBytes = 1 << 32, binary.MaxVarintLen64 + 1

// WriteTo writes the book in the form of a file.
func (b *Book) WriteTo(w io.Writer) (int64, error) {
	head, err := json.Marshal(bookHead{"book", bookVersion, b.Columns, b.Rows, b.K, b.Plies, len(b.scores)})
	if err != nil {
		return 0, err
	}
	file, before := append(head, '\n'), uint64(0)
	for _, k := range slices.Sorted(maps.Keys(b.scores)) {
		file = binary.AppendUvarint(file, k-before)
		file = append(file, byte(b.scores[k]))
		before = k
	}
	sum := sha256.Sum256(file)
	n, err := w.Write(append(file, sum[:]...))
	return int64(n), err
}

// ReadBook reads the file of a book. It does not verify the scores of the entries; Check does that.
func ReadBook(r io.Reader) (*Book, error) {
	file := bufio.NewReader(r)
	head, err := file.ReadSlice('\n')
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return nil, err
	}
	var h bookHead
	if json.Unmarshal(head, &h) != nil || h.Krow != "book" {
		return nil, errors.New("not a book")
	}
	if h.Version != bookVersion {
		return nil, fmt.Errorf("the book has version %d; this krow reads version %d", h.Version, bookVersion)
	}
	if line, _ := json.Marshal(h); string(head) != string(line)+"\n" {
		return nil, fmt.Errorf("the first line of the book is not %s", line)
	}
	sum := sha256.New()
	sum.Write(head)
	entries, err := io.ReadAll(io.LimitReader(file, min(int64(max(h.Entries, 0)), mostEntries)*mostBytes+sha256.Size+1))
	if err != nil {
		return nil, err
	}
	at := max(0, len(entries)-sha256.Size)
	if sum.Write(entries[:at]); !bytes.Equal(sum.Sum(nil), entries[at:]) {
		return nil, errors.New("the book is damaged: its checksum is wrong")
	}
	if h.Plies < 0 || h.Plies >= h.Columns*h.Rows {
		return nil, fmt.Errorf("the book has %d plies for a board of %d columns and %d rows", h.Plies, h.Columns, h.Rows)
	}
	b := &Book{h.Columns, h.Rows, h.K, h.Plies, map[uint64]int8{}}
	in, k := bufio.NewReader(bytes.NewReader(entries[:at])), uint64(0)
	most := int8(min(b.Columns*b.Rows/2+1, math.MaxInt8))
	for range h.Entries {
		d, err := binary.ReadUvarint(in)
		v, missing := in.ReadByte()
		if err != nil || missing != nil {
			return nil, errors.New("the book is truncated")
		}
		if score := int8(v); score < -most || score > most {
			return nil, fmt.Errorf("the book gives a position the impossible score %+d", score)
		}
		k += d
		b.scores[k] = int8(v)
	}
	if _, err := in.ReadByte(); err != io.EOF || len(b.scores) != h.Entries {
		return nil, errors.New("the book does not contain the number of entries that it declares")
	}
	return b, nil
}

//go:embed 7x6.book
var standardFile []byte

// standard returns the book of 7 x 6 that is part of the package. docs/RUNBOOK.md describes how it was made and verified.
var standard = sync.OnceValue(func() *Book {
	b, err := ReadBook(bytes.NewReader(standardFile))
	if err != nil {
		panic("the book of 7 x 6 in this build: " + err.Error())
	}
	return b
})
