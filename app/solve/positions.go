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
	"github.com/krow-lab/krow/internal/words"
	"github.com/krow-lab/krow/notation"
)

// Position is a line of a file of positions: moves in one word, or - for none, and the score where it is known.
type Position struct {
	Line     int
	Moves    string
	Expected *int // score
	Position game.Position
}

// ReadPositions reads positions that continue from start, one a line. Empty lines and comments (#) are skipped.
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
		return l, fmt.Errorf("%q is one word too many: moves and a score are all", fields[2])
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
		return l, fmt.Errorf("the game is over: %s", o)
	}
	return l, nil
}

// eachLine calls do for each line that is not empty, without the space around it. An error says which line it is of.
func eachLine(r io.Reader, do func(number int, text string) error) error {
	in, n := bufio.NewScanner(r), 0
	for in.Scan() {
		n++
		text := in.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff") // some editors begin every file with that
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if err := do(n, text); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d: it is longer than %d bytes", n+1, bufio.MaxScanTokenSize)
	}
	return in.Err()
}

// Result is what a position of a file is worth.
type Result struct {
	Line     int    `json:"line"`
	Moves    string `json:"moves"`
	Value    string `json:"value"`
	Plies    *int   `json:"plies,omitempty"`
	Score    *int   `json:"score,omitempty"`
	Expected *int   `json:"expected,omitempty"`
	Mismatch bool   `json:"mismatch,omitempty"` // it is not worth what the file says
	Nodes    uint64 `json:"nodes"`
	TimeUS   int64  `json:"time_us"` // in microseconds
}

// Summary is what the positions of a file took.
type Summary struct {
	Final        bool    `json:"final"`                // true
	Unfinished   bool    `json:"unfinished,omitempty"` // not all positions are solved
	Positions    int     `json:"positions"`
	Mismatches   int     `json:"mismatches"`
	MeanNodes    float64 `json:"mean_nodes"`
	MeanTimeUS   float64 `json:"mean_time_us"`
	MedianTimeUS float64 `json:"median_time_us"`
}

// Positions solves each position with an empty table, and calls each with its value. The first error ends it; the
// summary is of those before.
func (s *Solver) Positions(ctx context.Context, all []Position, each func(Result) error) (sum Summary, err error) {
	var times []float64
	for _, p := range all {
		s.e.clear()
		begin := time.Now()
		v, failed := s.Solve(ctx, p.Position, nil)
		if failed != nil {
			err = fmt.Errorf("line %d: %w; %d of %d positions are solved", p.Line, failed, len(times), len(all))
			break
		}
		took := float64(time.Since(begin).Nanoseconds()) / 1e3
		r := Result{p.Line, p.Moves, v.Value, v.Plies, v.Score, p.Expected, p.mismatch(v), v.Nodes, int64(took)}
		if err = each(r); err != nil {
			break
		}
		if r.Mismatch {
			sum.Mismatches++
		}
		times = append(times, took)
		sum.MeanNodes += float64(v.Nodes)
		sum.MeanTimeUS += took
	}
	sum.Final, sum.Unfinished, sum.Positions = true, err != nil, len(times)
	if len(times) > 0 {
		n := float64(len(times))
		sum.MeanNodes, sum.MeanTimeUS = sum.MeanNodes/n, sum.MeanTimeUS/n
		slices.Sort(times)
		sum.MedianTimeUS = (times[(len(times)-1)/2] + times[len(times)/2]) / 2
	}
	return sum, err
}

// mismatch compares a value with what the file says: only the sign where no score was asked for.
func (p Position) mismatch(v Solution) bool {
	if p.Expected == nil {
		return false
	}
	if v.Score != nil {
		return *v.Score != *p.Expected
	}
	return cmp.Compare(*p.Expected, 0) != map[string]int{"win": 1, "loss": -1}[v.Value]
}

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
