// SPDX-License-Identifier: Apache-2.0

// Openingbook makes and checks the books of openings that package player/opening reads:
//
//	go run ./tools/openingbook -jobs 2 gomoku.book           makes the book, or continues it
//	go run ./tools/openingbook -sample 1000 gomoku.book      compares random openings with searches of 20 times the nodes
//	go run ./tools/openingbook -again 45 gomoku.book         calculates random rows again, and fails if one differs
//
// A row of the book contains the scores of the openings with one base: one opening for each cell of the last stone. Each opening
// gets a short search. An opening with a score near 0 gets a longer search, and an opening that is then
// even (see [opening.EvenMost]) gets a long search. Each row begins with an empty table, so the same build gives the same
// bytes.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// The first search of an opening has firstNodes nodes. A second search with nearNodes follows if the absolute score is at most
// near. A last search with evenNodes follows if the absolute score is then at most opening.EvenMost.
const (
	firstNodes = 1000
	nearNodes  = 8000
	near       = eval.Unit * 3 / 4
	evenNodes  = 100_000
)

// saveEvery is the number of rows between two savings of the file.
const saveEvery = 4

func main() {
	g := flag.String("game", "gomoku", "gomoku, standard, caro or renju")
	jobs := flag.Int("jobs", 1, "rows calculated at once")
	sample := flag.Int("sample", 0, "number of openings to compare with longer searches, instead of making the book")
	again := flag.Int("again", 0, "number of rows to calculate again, instead of making the book")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "openingbook: it needs the file of a book")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := func() error {
		switch {
		case *sample > 0:
			return compare(ctx, flag.Arg(0), *sample)
		case *again > 0:
			return repeat(ctx, flag.Arg(0), *again)
		}
		return makeBook(ctx, *g, flag.Arg(0), *jobs)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "openingbook:", err)
		os.Exit(1)
	}
}

func readBook(file string) (*opening.Book, game.Game, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	book, err := opening.ReadBook(f)
	if err != nil {
		return nil, nil, err
	}
	g, err := krow.Game(book.Game)
	return book, g, err
}

// makeBook calculates the rows that the file lacks.
func makeBook(ctx context.Context, name, file string, jobs int) error {
	g, err := krow.Game(name)
	if err != nil {
		return err
	}
	book, _, err := readBook(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		book = &opening.Book{Game: name}
	case err != nil:
		return err
	case book.Game != name:
		return fmt.Errorf("%s is a book for %s", file, book.Game)
	}
	out, err := atomicfile.Open(file)
	if err != nil {
		return err
	}
	defer out.Close()
	save := func() error {
		return out.Write(func(w io.Writer) error {
			_, err := book.WriteTo(w)
			return err
		})
	}
	left := opening.Bases(name)[len(book.Rows):]
	queue := work.Pool{Jobs: jobs, Kinds: work.Kinds{"row": func(ctx context.Context, u work.Unit) ([]byte, error) {
		var base opening.Base
		if err := json.Unmarshal(u.Args, &base); err != nil {
			return nil, err
		}
		row, err := rate(ctx, g, base)
		if err != nil {
			return nil, err
		}
		return json.Marshal(row)
	}}}
	err = queue.Run(ctx, units(left), func(i int, result []byte) error {
		var row opening.BookRow
		if err := json.Unmarshal(result, &row); err != nil {
			return err
		}
		if book.Rows = append(book.Rows, row); i%saveEvery != 0 {
			return nil
		}
		fmt.Fprintf(os.Stderr, "%d of %d rows\n", len(book.Rows), len(opening.Bases(name)))
		return save()
	})
	return errors.Join(err, save())
}

// units returns a unit of work for each row of the book, which is named by its base.
func units(bases []opening.Base) iter.Seq2[work.Unit, error] {
	return func(yield func(work.Unit, error) bool) {
		for _, base := range bases {
			if !yield(work.New("row", base, 0)) {
				return
			}
		}
	}
}

// rate calculates the row of the book for a base.
func rate(ctx context.Context, g game.Game, base opening.Base) (opening.BookRow, error) {
	s, err := newEngine(g, 1<<20)
	if err != nil {
		return opening.BookRow{}, err
	}
	defer s.Close()
	row, err := opening.Value(base, func(last int) (eval.Score, error) {
		score, err := searchOpening(ctx, s, g, base, last, firstNodes)
		if err == nil && max(score, -score) <= near {
			score, err = searchOpening(ctx, s, g, base, last, nearNodes)
		}
		return score, err
	})
	if err != nil {
		return row, err
	}
	return rateEven(ctx, g, base, row)
}

// rateEven searches the openings of a row that are even (see [opening.EvenMost]) again, with evenNodes nodes.
func rateEven(ctx context.Context, g game.Game, base opening.Base, row opening.BookRow) (opening.BookRow, error) {
	s, err := newEngine(g, 16<<20)
	if err != nil {
		return row, err
	}
	defer s.Close()
	return opening.Value(base, func(last int) (eval.Score, error) {
		score := row.Score(last)
		if max(score, -score) <= opening.EvenMost {
			return searchOpening(ctx, s, g, base, last, evenNodes)
		}
		return score, nil
	})
}

func newEngine(g game.Game, hash int) (*gomoku.Searcher, error) {
	return gomoku.New(g, gomoku.Options{Hash: hash, Net: gomoku.DefaultNet(g)})
}

// searchOpening searches the opening with the given stones and returns its score from White's point of view.
func searchOpening(ctx context.Context, s *gomoku.Searcher, g game.Game, base opening.Base, last int, nodes uint64) (eval.Score, error) {
	p := g.Start()
	for _, m := range base.Moves(last) {
		if err := game.Play(p, m); err != nil {
			return 0, err
		}
	}
	info, err := s.Search(ctx, p, search.Limits{Nodes: nodes}, nil)
	return info.Score, errors.Join(err, ctx.Err())
}

// repeat calculates n random rows of the book again, and returns an error if a row differs from the stored row.
func repeat(ctx context.Context, file string, n int) error {
	book, g, err := readBook(file)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(2, 2))
	for range n {
		i := rng.IntN(len(book.Rows))
		row, err := rate(ctx, g, opening.Bases(book.Game)[i])
		if err != nil {
			return err
		}
		if row != book.Rows[i] {
			return fmt.Errorf("row %d of %s differs from one calculated by this build", i, file)
		}
	}
	fmt.Printf("%d rows are equal\n", n)
	return nil
}

// compare prints the difference between the stored scores of random openings and the scores of longer searches.
func compare(ctx context.Context, file string, n int) error {
	book, g, err := readBook(file)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var all, even difference
	for all.n < n {
		base := opening.Bases(book.Game)[rng.IntN(len(book.Rows))]
		last := rng.IntN(opening.BookSide * opening.BookSide)
		score, ok := book.Score(base, last)
		if !ok {
			continue
		}
		s, err := newEngine(g, 16<<20)
		if err != nil {
			return err
		}
		nodes := uint64(20 * firstNodes)
		isEven := max(score, -score) <= near
		switch {
		case max(score, -score) <= opening.EvenMost:
			nodes = 20 * evenNodes
		case isEven:
			nodes = 20 * nearNodes
		}
		exact, err := searchOpening(ctx, s, g, base, last, nodes)
		s.Close()
		if err != nil {
			return err
		}
		exact = min(max(exact, -opening.BookMost), opening.BookMost)
		all.add(score, exact)
		if isEven {
			even.add(score, exact)
		}
	}
	fmt.Printf("all %d: %s\nwithin %.2f, %d: %s\n", all.n, all, near.Units(), even.n, even)
	return nil
}

// difference sums up the differences between scores of the book and scores of longer searches.
type difference struct {
	n, sides int
	sum      float64
}

func (d *difference) add(book, exact eval.Score) {
	d.n++
	d.sum += math.Abs((book - exact).Units())
	if (book < 0) == (exact < 0) {
		d.sides++
	}
}

// String returns the mean difference, and the share of openings in which both scores favour the same side.
func (d difference) String() string {
	return fmt.Sprintf("mean difference %.2f, same side better in %.1f %%", d.sum/float64(d.n), 100*float64(d.sides)/float64(d.n))
}
