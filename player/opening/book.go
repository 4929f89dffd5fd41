// SPDX-License-Identifier: Apache-2.0

package opening

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
)

// BookSide is the number of columns, and of rows, of the board of a Book.
const BookSide = 15

// bookHead is the first line of the file of a book, in JSON.
type bookHead struct {
	Krow    string `json:"krow"` // swap2
	Version int    `json:"version"`
	Game    string `json:"game"`
}

// The scores of a book are multiples of bookStep. A score beyond BookMost, of either sign, is stored as BookMost. An opening is even
// if its score is at most EvenMost for either side.
const (
	bookStep = eval.Unit / 40
	BookMost = math.MaxInt8 * bookStep
	EvenMost = bookStep
)

// noScore stands in a row for a cell without a score, because a black stone is on it.
const noScore = math.MinInt8

// BookRow holds the scores of all openings with the same two black stones. The element of a cell is the score for White, who is
// to move, after a white stone on that cell. Scores are stored in steps of bookStep.
type BookRow [BookSide * BookSide]int8

// Score returns the score for White of the opening with a white stone on a cell. If a black stone is on that cell, the result
// has no meaning.
func (r *BookRow) Score(white int) eval.Score { return eval.Score(r[white]) * bookStep }

// Book has a score for each opening of three stones, two black and one white, on 15 x 15 cells. Pairs of black stones that are
// equal up to symmetry share one row.
type Book struct {
	Game string    // gomoku, standard or caro
	Rows []BookRow // in the order of BookPairs; an unfinished book lacks the last rows
}

type bookIndex struct {
	pairs [][2]int
	row   map[[2]int]int // index of the row of each pair; the lesser cell comes first
	view  map[[2]int]int // symmetry that maps a pair to the pair of its row
}

var indexBook = sync.OnceValue(func() *bookIndex {
	ix := &bookIndex{row: map[[2]int]int{}, view: map[[2]int]int{}}
	for a := range BookSide * BookSide {
		for b := a + 1; b < BookSide*BookSide; b++ {
			pair := [2]int{a, b}
			if _, ok := ix.row[pair]; ok {
				continue
			}
			for n := range views {
				image := seen(pair, n)
				ix.row[image] = len(ix.pairs)
				for back := range views {
					if seen(image, back) == pair {
						ix.view[image] = back
					}
				}
			}
			ix.pairs = append(ix.pairs, pair)
		}
	}
	return ix
})

// views is the number of rotations and reflections of a square board.
const views = 8

// seen returns the cells to which the symmetry with the number view maps two cells. The cell with the smaller index comes
// first.
func seen(pair [2]int, view int) [2]int {
	return ordered(symmetry.Image(BookSide, BookSide, pair[0], view), symmetry.Image(BookSide, BookSide, pair[1], view))
}

func ordered(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// BookPairs returns the pairs of black stones to which the rows of a book belong, in the order of the rows. In each pair the
// cell with the smaller index comes first. Symmetric pairs share one row, and BookPairs contains only one of them: the first
// in the order of the first cell, and then of the second cell.
func BookPairs() [][2]int { return indexBook().pairs }

// Score returns the score for White, who is to move, of the opening with black stones on two cells and a white one on a third.
// It reports false if the book has no score for this opening.
func (b *Book) Score(black1, black2, white int) (eval.Score, bool) {
	ix, pair := indexBook(), ordered(black1, black2)
	row, ok := ix.row[pair]
	if !ok || row >= len(b.Rows) {
		return 0, false
	}
	cell := symmetry.Image(BookSide, BookSide, white, ix.view[pair])
	return b.Rows[row].Score(cell), b.Rows[row][cell] != noScore
}

// Ways returns up to n random even openings of the book, each rotated or reflected at random. Each opening is three moves:
// Black's, White's and Black's. It returns none if the book has no even opening.
func (b *Book) Ways(rng *rand.Rand, n int) [][]game.Move {
	even := b.even()
	rng.Shuffle(len(even), func(i, j int) { even[i], even[j] = even[j], even[i] })
	even = even[:min(n, len(even))]
	for _, way := range even {
		view := rng.IntN(views)
		for i, m := range way {
			way[i] = game.Move(symmetry.Image(BookSide, BookSide, int(m), view))
		}
	}
	return even
}

// Even returns the n even openings whose stones are nearest the middle, the nearest first.
func (b *Book) Even(n int) [][]game.Move {
	even := b.even()
	slices.SortStableFunc(even, func(v, w []game.Move) int { return cmp.Compare(offCentre(v), offCentre(w)) })
	return even[:min(n, len(even))]
}

// offCentre returns the sum of the squared distances of moves from the middle of the board.
func offCentre(moves []game.Move) (sum int) {
	for _, m := range moves {
		x, y := int(m)%BookSide-BookSide/2, int(m)/BookSide-BookSide/2
		sum += x*x + y*y
	}
	return sum
}

// even returns the even openings, only one of each set of symmetric openings. Each opening is three moves: Black's, White's
// and Black's.
func (b *Book) even() (all [][]game.Move) {
	for i, row := range b.Rows {
		pair := BookPairs()[i]
		same := stabilizers(pair)
		for white := range row {
			if s := row.Score(white); max(s, -s) <= EvenMost && isLeast(white, same) {
				all = append(all, []game.Move{game.Move(pair[0]), game.Move(white), game.Move(pair[1])})
			}
		}
	}
	return all
}

// Value calculates the row of a pair of black stones. It calls score for each white stone, in increasing order of the cells,
// unless the stone is symmetric to an earlier one.
func Value(pair [2]int, score func(white int) (eval.Score, error)) (row BookRow, err error) {
	same := stabilizers(pair)
	row[pair[0]], row[pair[1]] = noScore, noScore
	for white := range row {
		if white == pair[0] || white == pair[1] || !isLeast(white, same) {
			continue
		}
		s, err := score(white)
		if err != nil {
			return row, err
		}
		for _, n := range same {
			row[symmetry.Image(BookSide, BookSide, white, n)] = steps(s)
		}
	}
	return row, nil
}

// steps returns a score in steps of bookStep, rounded to the nearest.
func steps(s eval.Score) int8 {
	return int8(math.Round(float64(min(max(s, -BookMost), BookMost)) / float64(bookStep)))
}

// ReadBook reads a book. A row that is not complete at the end of the file is left out.
func ReadBook(r io.Reader) (*Book, error) {
	in := bufio.NewReader(r)
	line, err := in.ReadBytes('\n')
	var head bookHead
	if err != nil || json.Unmarshal(line, &head) != nil || head.Krow != "swap2" {
		return nil, errors.New("not a swap2 book")
	}
	if head.Version != 1 {
		return nil, fmt.Errorf("the swap2 book has version %d; this krow reads version 1", head.Version)
	}
	b := &Book{Game: head.Game}
	for {
		var row BookRow
		if err := binary.Read(in, binary.LittleEndian, &row); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = nil
			}
			return b, err
		}
		if len(b.Rows) == len(BookPairs()) {
			return nil, errors.New("the swap2 book has too many rows")
		}
		b.Rows = append(b.Rows, row)
	}
}

// WriteTo writes the book as ReadBook reads it.
func (b *Book) WriteTo(w io.Writer) (int64, error) {
	var out bytes.Buffer
	if err := json.NewEncoder(&out).Encode(bookHead{"swap2", 1, b.Game}); err != nil {
		return 0, err
	}
	for _, row := range b.Rows {
		if err := binary.Write(&out, binary.LittleEndian, row); err != nil {
			return 0, err
		}
	}
	return out.WriteTo(w)
}

// stabilizers returns the symmetries that map a pair of cells to itself.
func stabilizers(pair [2]int) (same []int) {
	for n := range views {
		if seen(pair, n) == pair {
			same = append(same, n)
		}
	}
	return same
}

// isLeast reports whether no symmetry in the list same maps the cell to a cell with a smaller number.
func isLeast(cell int, same []int) bool {
	return !slices.ContainsFunc(same, func(n int) bool { return symmetry.Image(BookSide, BookSide, cell, n) < cell })
}
