// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/notation"
)

// Position is a line of a file of positions. The line contains the moves without spaces, or - for no moves, and optionally the
// known score.
type Position struct {
	Line     int
	Moves    string
	Expected *int // the known score that the file contains for the position, or nil
	Position game.Position
}

// ReadPositions reads a position from each line; its moves begin at start. Empty lines and comments (#) are skipped.
func ReadPositions(r io.Reader, start game.Position) (all []Position, err error) {
	err = eachLine(r, func(n int, text string) error {
		if strings.HasPrefix(text, "#") {
			return nil
		}
		p, err := parsePosition(strings.Fields(text), start.Clone())
		p.Line = n
		all = append(all, p)
		return err
	})
	if err == nil && len(all) == 0 {
		err = errors.New("no position")
	}
	return all, err
}

func parsePosition(fields []string, p game.Position) (Position, error) {
	l := Position{Moves: fields[0], Position: p}
	if len(fields) > 2 {
		return l, fmt.Errorf("unexpected word %q: a line contains moves and a score", fields[2])
	}
	if len(fields) == 2 {
		score, err := strconv.Atoi(fields[1])
		if err != nil {
			return l, fmt.Errorf("%q is not a score", fields[1])
		}
		l.Expected = &score
	}
	if l.Moves != "-" {
		if err := notation.Play(p, l.Moves); err != nil {
			return l, err
		}
	}
	if o := p.Outcome(); o != game.Ongoing {
		return l, errOver(o)
	}
	return l, nil
}

// eachLine calls do for each line that is not empty, with the number of the line and its text without surrounding spaces. If
// do returns an error, eachLine adds the number of the line to the error.
func eachLine(r io.Reader, do func(number int, text string) error) error {
	in, n := bufio.NewScanner(r), 0
	for in.Scan() {
		n++
		text := in.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff") // byte order mark that some editors write at the beginning of a file
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if err := do(n, text); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d is longer than %d bytes", n+1, bufio.MaxScanTokenSize)
	}
	return in.Err()
}

// Result is the proved value of a position of a file.
type Result struct {
	Line     int    `json:"line"`
	Moves    string `json:"moves"`
	Value    string `json:"value"`
	Plies    *int   `json:"plies,omitempty"`
	Score    *int   `json:"score,omitempty"`
	Expected *int   `json:"expected,omitempty"`
	Mismatch bool   `json:"mismatch,omitempty"` // whether the value differs from the known score in the file
	Nodes    uint64 `json:"nodes"`
	TimeUS   int64  `json:"time_us"` // in microseconds

	took float64 // the time in microseconds without rounding
}

// Summary contains the total and mean cost of the positions of a file.
type Summary struct {
	Final        bool    `json:"final"`                // true
	Unfinished   bool    `json:"unfinished,omitempty"` // not all positions are solved
	Positions    int     `json:"positions"`
	Mismatches   int     `json:"mismatches"`
	MeanNodes    float64 `json:"mean_nodes"`
	MeanTimeUS   float64 `json:"mean_time_us"`
	MedianTimeUS float64 `json:"median_time_us"`

	times []float64
}

// Positions solves the positions one after another, each with an empty table at the beginning, and calls the function each with
// every result. The first error ends the work; the summary then covers the positions before the error.
func (s *Solver) Positions(ctx context.Context, all []Position, each func(Result) error) (Summary, error) {
	var sum Summary
	for i, p := range all {
		s.e.clear()
		begin := time.Now()
		v, err := s.Solve(ctx, p.Position, nil)
		took := float64(time.Since(begin).Nanoseconds()) / 1e3
		if ctx.Err() != nil && err != nil {
			err = errors.New(ended(ctx))
		}
		if err != nil {
			err = fmt.Errorf("line %d: %w; %d of %d positions are solved", p.Line, err, i, len(all))
			return sum.finish(err), err
		}
		r := Result{p.Line, p.Moves, v.Value, v.Plies, v.Score, p.Expected, p.mismatch(v), v.Nodes, int64(took), took}
		if err := each(r); err != nil {
			return sum.finish(err), err
		}
		sum.add(r)
	}
	return sum.finish(nil), nil
}

func (s *Summary) add(r Result) {
	if r.Mismatch {
		s.Mismatches++
	}
	s.times = append(s.times, r.took)
	s.MeanNodes += float64(r.Nodes)
	s.MeanTimeUS += r.took
}

// finish completes the summary: it divides the sums of the nodes and times by the number of positions, and computes the
// median time.
func (s *Summary) finish(err error) Summary {
	s.Final, s.Unfinished, s.Positions = true, err != nil, len(s.times)
	if n := float64(len(s.times)); n > 0 {
		s.MeanNodes, s.MeanTimeUS = s.MeanNodes/n, s.MeanTimeUS/n
		slices.Sort(s.times)
		s.MedianTimeUS = (s.times[(len(s.times)-1)/2] + s.times[len(s.times)/2]) / 2
	}
	return *s
}

// mismatch reports whether v contradicts the score in the file. If v has no score, mismatch compares only whether the position
// is a win, a draw or a loss.
func (p Position) mismatch(v Solution) bool {
	if p.Expected == nil {
		return false
	}
	if v.Score != nil {
		return *v.Score != *p.Expected
	}
	return cmp.Compare(*p.Expected, 0) != map[string]int{"win": 1, "loss": -1}[v.Value]
}

// Book contains the scores of all Connect Four positions up to a number of plies. Use NewBook, then Begin or Read.
type Book struct {
	*connect4.Book
	solver *connect4.Solver
	game   game.Game
}

// NewBook returns an empty book of g. If verify is true, the solver does not use its rules for positions in which one side
// can answer every stone of the other. Then the scores are proved independently of these rules.
func NewBook(g game.Game, o Options, verify bool) (*Book, error) {
	s, err := connect4.NewSolver(g, connect4.Options{Threads: o.Threads, Hash: o.Hash, NoParity: verify})
	if err != nil {
		return nil, fmt.Errorf("book of %s: %w", g, err)
	}
	return &Book{solver: s, game: g}, nil
}

// Begin makes b an empty book for positions of up to plies stones.
func (b *Book) Begin(plies int) (err error) {
	b.Book, err = b.solver.NewBook(plies)
	return err
}

// Read reads a book that WriteTo has written. If Begin was called before, the book in the file may cover fewer plies than b;
// then Build adds the missing positions.
func (b *Book) Read(r io.Reader) error {
	book, err := connect4.ReadBook(r)
	switch {
	case err != nil:
		return err
	case !book.For(b.solver):
		return fmt.Errorf("the book is for %s, %s and %d in a row, not for %s", humanize.Amount(book.Columns, "column", "columns"),
			humanize.Amount(book.Rows, "row", "rows"), book.K, b.game)
	case b.Book != nil && b.Plies < book.Plies:
		return fmt.Errorf("the book has %d plies, not %d", book.Plies, b.Plies)
	case b.Book != nil:
		book.Plies = b.Plies
	}
	b.Book = book
	return nil
}

// Build solves the positions that are missing in b. It calls progress after each position, and stops if progress returns an
// error.
func (b *Book) Build(ctx context.Context, progress func(done, all int) error) error {
	return soFarOf(ctx, b.Book.Build(ctx, b.solver, progress), b.Len(), "solved")
}

// Verify proves each entry again, and returns the number of proved entries. It begins with an empty table, and takes the
// positions with the most stones first.
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

// soFarOf returns err or, if ctx has ended the work, an error that contains the number of completed positions.
func soFarOf(ctx context.Context, err error, done int, what string) error {
	if err == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%s: %s %s until now", ended(ctx), humanize.Amount(done, "position", "positions"), what)
}

// UseBook reads a book of the Solver's game. Afterwards the Solver looks up positions in the book before it searches.
func (s *Solver) UseBook(r io.Reader) (*Book, error) {
	b, err := NewBook(s.g, Options{Hash: 1}, false)
	if err == nil {
		err = b.Read(r)
	}
	if err == nil {
		s.e.(*connect4Engine).s.Book = b.Book
	}
	return b, err
}
