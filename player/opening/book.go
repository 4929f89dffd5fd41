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
	Krow    string `json:"krow"` // swap2 or fifths
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

// noScore stands in a row for a cell without a score, because a stone of the base is on it.
const noScore = math.MinInt8

// Base is the stones that all openings of a row of a book have in common.
//
// The book of renju has one row for each of the 26 openings with a fourth stone in the central square of fourthWithin cells a
// side, and the last stone of its openings is Black's fifth. The other books are for swap2: a row has two black stones, and the
// last stone is white.
type Base struct {
	Black, White [2]int // cells, the lesser first; White is noCells in the books of swap2
}

// noCells stands for the white stones of a base that has none.
var noCells = [2]int{-1, -1}

// fourthWithin is the side length of the central square that has the fourth stones of the book of renju.
const fourthWithin = 9

// fifthBase returns the base of the book of renju that has four stones, which are Black's and White's in turn.
func fifthBase(stones []game.Move) Base {
	return Base{ordered(int(stones[0]), int(stones[2])), ordered(int(stones[1]), int(stones[3]))}
}

// Pair returns the base of a book of swap2 that has black stones on two cells.
func Pair(a, b int) Base { return Base{ordered(a, b), noCells} }

// Moves returns the moves of the opening that has the stones of the base and the last stone on a cell. It begins with a black
// stone in the middle if there is one.
func (b Base) Moves(last int) []game.Move {
	black, white := b.Black, b.White
	if white == noCells {
		return []game.Move{game.Move(black[0]), game.Move(last), game.Move(black[1])}
	}
	if black[1] == middle {
		black[0], black[1] = black[1], black[0]
	}
	if !inMiddle(white[0], BookSide, 3) {
		white[0], white[1] = white[1], white[0]
	}
	return []game.Move{game.Move(black[0]), game.Move(white[0]), game.Move(black[1]), game.Move(white[1]), game.Move(last)}
}

// middle is the cell in the middle of the board.
const middle = BookSide * BookSide / 2

// seen returns the base to which the symmetry with the number view maps b.
func (b Base) seen(view int) Base {
	image := func(cell int) int { return symmetry.Image(BookSide, BookSide, cell, view) }
	v := Pair(image(b.Black[0]), image(b.Black[1]))
	if b.White != noCells {
		v.White = ordered(image(b.White[0]), image(b.White[1]))
	}
	return v
}

// has reports whether a stone of the base is on the cell.
func (b Base) has(cell int) bool {
	return slices.Contains(b.Black[:], cell) || slices.Contains(b.White[:], cell)
}

func ordered(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// BookRow holds the scores of all openings with the same base. The element of a cell is the score for White, who is to move, after
// the last stone on that cell. Scores are stored in steps of bookStep.
type BookRow [BookSide * BookSide]int8

// Score returns the score for White of the opening with the last stone on a cell. If a stone of the base is on that cell, the
// result has no meaning.
func (r *BookRow) Score(last int) eval.Score { return eval.Score(r[last]) * bookStep }

// Book has a score for each opening of a set: under swap2 all openings of two black stones and one white one on 15 x 15 cells, in
// renju the openings of five stones that Base describes. Bases that are equal up to symmetry share one row.
type Book struct {
	Game string    // gomoku, standard, caro or renju
	Rows []BookRow // in the order of Bases; an unfinished book lacks the last rows
}

// Stones returns the number of stones of the openings of the book.
func (b *Book) Stones() int {
	if b.Game == renju {
		return 5
	}
	return 3
}

// renju is the name of the game whose book has openings of five stones.
const renju = "renju"

// kind returns the first field of the file's head.
func kind(g string) string {
	if g == renju {
		return "fifths"
	}
	return "swap2"
}

// index has the bases of the rows of a kind of book, and the row of each of these bases.
type index struct {
	bases []Base
	row   map[Base]int
}

// add adds a base unless a symmetric one has been added.
func (ix *index) add(b Base) {
	if _, _, ok := ix.find(b); !ok {
		ix.row[b] = len(ix.bases)
		ix.bases = append(ix.bases, b)
	}
}

// find returns the row of a base, and the number of the symmetry that maps the base to the base of the row.
func (ix *index) find(b Base) (row, view int, ok bool) {
	for view := range views {
		if row, ok := ix.row[b.seen(view)]; ok {
			return row, view, true
		}
	}
	return 0, 0, false
}

// views is the number of rotations and reflections of a square board.
const views = 8

var (
	indexSwap2 = sync.OnceValue(func() *index {
		ix := &index{row: map[Base]int{}}
		for a := range BookSide * BookSide {
			for b := a + 1; b < BookSide*BookSide; b++ {
				ix.add(Pair(a, b))
			}
		}
		return ix
	})
	indexFifths = sync.OnceValue(func() *index {
		ix := &index{row: map[Base]int{}}
		for _, three := range patternMoves() {
			for fourth := range BookSide * BookSide {
				if inMiddle(fourth, BookSide, fourthWithin) && !slices.Contains(three, game.Move(fourth)) {
					ix.add(fifthBase(append(slices.Clone(three), game.Move(fourth))))
				}
			}
		}
		return ix
	})
)

func indexOf(g string) *index {
	if g == renju {
		return indexFifths()
	}
	return indexSwap2()
}

// Bases returns the bases of the rows of the book of a game, in the order of the rows. Symmetric bases share one row, and Bases
// contains only the first of them. Under swap2 the bases are in the order of the first cell, and then of the second cell; in renju
// in the order of Patterns, and then of the cell of the fourth stone.
func Bases(g string) []Base { return indexOf(g).bases }

// Score returns the score for White, who is to move, of the opening with the stones of a base and the last stone on a cell. It
// reports false if the book has no score for this opening.
func (b *Book) Score(base Base, last int) (eval.Score, bool) {
	row, view, ok := indexOf(b.Game).find(base)
	if !ok || row >= len(b.Rows) {
		return 0, false
	}
	cell := symmetry.Image(BookSide, BookSide, last, view)
	return b.Rows[row].Score(cell), b.Rows[row][cell] != noScore
}

// After returns a function that looks up the score for White, who is to move then, after one more stone on the board at. It returns
// nil if the book has no opening that begins with the stones of that board.
func (b *Book) After(at game.Board) func(game.Move) (eval.Score, bool) {
	stones := at.AppendHistory(nil)
	if len(stones) != at.Ply() || at.Ply() != b.Stones()-1 || at.Game().String() != b.Game {
		return nil
	}
	if b.Game != renju {
		return func(m game.Move) (eval.Score, bool) { return b.Score(Pair(int(stones[0]), int(m)), int(stones[1])) }
	}
	base := fifthBase(stones)
	if row, _, ok := indexOf(b.Game).find(base); !ok || row >= len(b.Rows) {
		return nil
	}
	return func(m game.Move) (eval.Score, bool) { return b.Score(base, int(m)) }
}

// OfThree returns the score for White, who is to move, of an opening of three stones, which are Black's, White's and Black's. In renju
// it is the score after the best fourth and the best fifth stone of the book.
func (b *Book) OfThree(stones []game.Move) (best eval.Score, ok bool) {
	if b.Game != renju {
		return b.Score(Pair(int(stones[0]), int(stones[2])), int(stones[1]))
	}
	best = -BookMost
	for fourth := range game.Move(BookSide * BookSide) {
		if scores, _ := b.fifths(fifthBase([]game.Move{stones[0], stones[1], stones[2], fourth})); len(scores) > 0 {
			best, ok = max(best, scores[0]), true
		}
	}
	return best, ok
}

// fifths returns the scores for White of all openings with a base of the book of renju, up to symmetry, the lowest first, and the
// least unevenness of a fifth stone in the central square that taraguchi10 allows. It returns no scores if the book does not have the
// base.
func (b *Book) fifths(base Base) (all []eval.Score, inner eval.Score) {
	row, _, ok := indexOf(b.Game).find(base)
	if !ok || row >= len(b.Rows) {
		return nil, 0
	}
	base, inner = Bases(b.Game)[row], eval.Infinity
	same := stabilizers(base)
	for last := range b.Rows[row] {
		if !base.has(last) && isLeast(last, same) {
			all = append(all, b.Rows[row].Score(last))
			if inMiddle(last, BookSide, fifthTaraguchi) {
				inner = min(inner, unevenness(b.Rows[row].Score(last)))
			}
		}
	}
	slices.Sort(all)
	return all, inner
}

// Ways returns the moves of up to n random even openings of the book, each rotated or reflected at random. It returns none if the
// book has no even opening.
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

// even returns the even openings, only one of each set of openings with symmetric bases.
func (b *Book) even() (all [][]game.Move) {
	for i, row := range b.Rows {
		base := Bases(b.Game)[i]
		same := stabilizers(base)
		for last := range row {
			if s := row.Score(last); max(s, -s) <= EvenMost && isLeast(last, same) {
				all = append(all, base.Moves(last))
			}
		}
	}
	return all
}

// Value calculates the row of a base. It calls score for each cell of the last stone, in increasing order of the cells, unless
// the opening is symmetric to an earlier one.
func Value(base Base, score func(last int) (eval.Score, error)) (row BookRow, err error) {
	same := stabilizers(base)
	for last := range row {
		switch {
		case base.has(last):
			row[last] = noScore
		case isLeast(last, same):
			s, err := score(last)
			if err != nil {
				return row, err
			}
			for _, n := range same {
				row[symmetry.Image(BookSide, BookSide, last, n)] = steps(s)
			}
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
	if err != nil || json.Unmarshal(line, &head) != nil || head.Krow != kind(head.Game) {
		return nil, errors.New("not a book of openings")
	}
	if head.Version != 1 {
		return nil, fmt.Errorf("the book of openings has version %d; this krow reads version 1", head.Version)
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
		if len(b.Rows) == len(Bases(b.Game)) {
			return nil, errors.New("the book of openings has too many rows")
		}
		b.Rows = append(b.Rows, row)
	}
}

// WriteTo writes the book as ReadBook reads it.
func (b *Book) WriteTo(w io.Writer) (int64, error) {
	var out bytes.Buffer
	if err := json.NewEncoder(&out).Encode(bookHead{kind(b.Game), 1, b.Game}); err != nil {
		return 0, err
	}
	for _, row := range b.Rows {
		if err := binary.Write(&out, binary.LittleEndian, row); err != nil {
			return 0, err
		}
	}
	return out.WriteTo(w)
}

// stabilizers returns the symmetries that map a base to itself.
func stabilizers(base Base) (same []int) {
	for n := range views {
		if base.seen(n) == base {
			same = append(same, n)
		}
	}
	return same
}

// isLeast reports whether no symmetry in the list same maps the cell to a cell with a smaller number.
func isLeast(cell int, same []int) bool {
	return !slices.ContainsFunc(same, func(n int) bool { return symmetry.Image(BookSide, BookSide, cell, n) < cell })
}
