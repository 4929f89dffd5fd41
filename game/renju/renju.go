// SPDX-License-Identifier: Apache-2.0

// Package renju plays Renju: five in a row in which Black, who moves first, has forbidden points.
//
// A black stone loses at once if it makes one of these shapes and does not also make exactly five in a row:
//
//   - an overline: six or more in a row;
//   - a double four: two or more fours, in different lines or in one;
//   - a double three: two or more threes, each of which Black may extend to a straight four.
//
// White has no forbidden points and wins with five or more.
//
// # Basics
//
//	g, err := renju.New(15)
//	p := g.Start()
//	why := p.(game.Forbidder).Forbidden(m) // "double three", or "" when m does not lose
//
// # Terms
//
// A row is counted along one line and always contains the stone that is judged:
//
//	five            X X X X X           exactly five; six or more are an overline
//	four            X X _ X X           one more stone makes five
//	straight four   _ X X X X _         a stone at either end makes five
//	three           _ X X _ X _         one more stone makes a straight four, and no five in another line
//
// A three counts only if it is real: the stone that extends it to a straight four must not itself be forbidden as an overline,
// a double four or a double three. The definition is recursive: to judge a stone with two threes, Forbidden also judges the
// stones that would extend them. The recursion ends, because each level adds a stone to the board.
//
// # Caveats
//
// A forbidden move is legal, and loses. By the definition, three stones do not count as a three if the stone that extends them
// to a straight four also makes a five in another line. The rules allow a double three with only one real three in two cases:
// either all other threes are not real because of an overline or a double four, or all of them are not real because of a
// double three. This package also allows a mixture of the two cases. For example, a stone makes three threes: one is not real
// because of an overline or a double four, and another is not real because of a double three. Then only one real three is
// left, and the stone is allowed. A black overline that is already on a board that was set up has no effect on the result.
// This package does not contain the opening rules.
//
// # Speed
//
// Forbidden reads up to five cells on each side in four directions, and does not allocate. It judges stones on other cells
// only if the stone on the given cell makes two threes.
//
// CITE: Renju International Federation, The International Rules of Renju, 1996, sections 3 and 9.
package renju

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

// New returns the game on a square board; 15 is the usual size.
func New(size int) (*mnk.Game, error) { return NewRect(size, size) }

// NewRect returns the game on a rectangular board.
func NewRect(columns, rows int) (*mnk.Game, error) {
	return mnk.Family("renju", mnk.Rules{Columns: columns, Rows: rows, K: 5, Exact: [2]bool{true, false}, Foul: foul})
}

// foul returns the result of Forbidden as text, for mnk.Rules.Foul.
func foul(cells []game.Stone, columns, rows, cell int) string {
	return Forbidden(cells, columns, rows, cell).String()
}

// Shape is the reason that a point is forbidden.
type Shape uint8

// The shapes. If a stone makes several of them, Forbidden returns the first in this order.
const (
	None Shape = iota
	Overline
	DoubleFour
	DoubleThree
)

// String returns "overline", "double four", "double three", or "" for None.
func (s Shape) String() string {
	return [...]string{"", "overline", "double four", "double three"}[s&3]
}

// Forbidden returns the shape that makes a black stone on cell forbidden; cell must be empty. It returns None if the stone is
// allowed, for example because it makes exactly five. It does not change cells, so several goroutines may call it at once.
func Forbidden(cells []game.Stone, columns, rows, cell int) Shape {
	b := board{cells, columns, rows}
	// In practice the recursion is less than ten stones deep, so append needs no memory beyond this array.
	var ahead [10]int32
	shape, _ := b.judge(cell, ahead[:0])
	return shape
}

// judge returns the shape of a black stone on cell. The cells of ahead, which are empty on the board, count as black stones.
// The shape is None if the stone is allowed. five reports whether the stone makes exactly five in a row.
func (b *board) judge(cell int, ahead []int32) (shape Shape, five bool) {
	// By direction: the empty cells on which one more black stone makes a straight four that contains the stone on cell.
	var points [4]uint16
	fours, threes, overline := 0, 0, false
	edges := b.edges(cell)
	for d := range points {
		l := b.line(cell, d, &edges, ahead)
		if bits.OnesCount16(l.black) < 3 {
			continue
		}
		switch n := l.rowLength(); {
		case n == 5:
			return None, true
		case n > 5:
			overline = true
		}
		fours += l.fours()
		if points[d] = l.straightFours(); points[d] != 0 {
			threes++
		}
	}
	switch {
	case overline:
		return Overline, false
	case fours > 1:
		return DoubleFour, false
	case threes > 1 && b.doubleThree(cell, &points, append(ahead, int32(cell))):
		return DoubleThree, false
	}
	return None, false
}

// doubleThree reports whether at least two of the threes through the stone on cell are real. points contains, by direction, the
// cells on which a stone extends a three to a straight four. The last element of ahead is cell.
func (b *board) doubleThree(cell int, points *[4]uint16, ahead []int32) bool {
	threes := 0
	for d, p := range points {
		for ; p != 0; p &= p - 1 {
			shape, five := b.judge(cell+(bits.TrailingZeros16(p)-reach)*b.step(d), ahead)
			if shape != None || five {
				continue
			}
			if threes++; threes == 2 {
				return true
			}
			break
		}
	}
	return false
}

// board refers to the caller's cells; it does not copy them.
type board struct {
	cells         []game.Stone
	columns, rows int
}

// reach is the maximum distance from a stone at which a cell can affect whether the stone makes a three, a four, a five or an
// overline. The far end of a row of five is four cells away, and the cell after it matters because a black stone there makes
// the row longer.
const reach = 5

// line describes the cells on a line through a black stone: the stone itself and the cells on both sides of it. On each side,
// the line ends at the first white stone, at the edge of the board or at the distance reach:
//
//	cell   -5 -4 -3 -2 -1  0 +1 +2 +3 +4 +5
//	bit     0  1  2  3  4  5  6  7  8  9 10      the stone is bit 5
//
// If a bit is set in neither field, its cell contains a white stone, is behind a white stone, or is outside the board.
type line struct{ black, empty uint16 }

func (b *board) step(d int) int {
	return [4]int{1, b.columns, b.columns + 1, b.columns - 1}[d&3]
}

type edges struct{ behind, before [4]int }

func (b *board) edges(cell int) edges {
	row := int(uint32(cell) / uint32(b.columns))
	column := cell - row*b.columns
	left, right := min(column, reach), min(b.columns-1-column, reach)
	down, up := min(row, reach), min(b.rows-1-row, reach)
	return edges{
		behind: [4]int{left, down, min(left, down), min(right, down)},
		before: [4]int{right, up, min(right, up), min(left, up)},
	}
}

// line returns the line in direction d through a black stone on cell. The cells of ahead count as black.
func (b *board) line(cell, d int, e *edges, ahead []int32) line {
	step := b.step(d)
	l := line{black: 1 << reach}
	for i, at := 1, cell-step; i <= e.behind[d] && l.add(reach-i, b.stone(at, ahead)); i++ {
		at -= step
	}
	for i, at := 1, cell+step; i <= e.before[d] && l.add(reach+i, b.stone(at, ahead)); i++ {
		at += step
	}
	return l
}

func (b *board) stone(cell int, ahead []int32) game.Stone {
	for _, a := range ahead {
		if a == int32(cell) {
			return game.FirstStone
		}
	}
	return b.cells[cell]
}

// add stores the content s of a cell at bit, and reports whether the line continues past it. It distinguishes black (1) from
// empty (0) without a branch, because such a branch would often be mispredicted.
func (l *line) add(bit int, s game.Stone) bool {
	l.black |= uint16(s&1) << bit
	l.empty |= uint16((s-1)>>7) << bit
	return s != game.SecondStone
}

// rowLength returns the number of adjacent black stones in the row through the stone, at most 11.
func (l line) rowLength() int {
	return 1 + bits.TrailingZeros16(^(l.black >> (reach + 1))) + bits.LeadingZeros16(^(l.black << (16 - reach)))
}

// fours returns the number of fours in the line. A four is a set of four black stones that includes the judged stone and
// becomes exactly five in a row with one more stone. Each four lies within five adjacent cells with no black stone at either
// end:
//
//	! _ _ _ _ _ !        four of the five are black, one is empty; '!' is not black
func (l line) fours() int {
	n, last := 0, uint16(0)
	for s := 1; s <= reach; s++ {
		cells := uint16(0b11111) << s
		four := l.black & cells
		if bits.OnesCount16(four) != 4 || l.empty&cells == 0 || l.black&(1<<(s-1)|1<<(s+5)) != 0 {
			continue
		}
		// A straight four is found twice, in two groups of five cells of which the second begins one cell later. It is counted
		// once.
		if four != last {
			n++
		}
		last = four
	}
	return n
}

// straightFours returns the bits of the empty cells on which one more black stone makes a straight four that contains the
// judged stone:
//
//	! . _ _ _ _ . !      three of the four are black, one is empty; '.' is empty, '!' is not black
func (l line) straightFours() uint16 {
	points := uint16(0)
	for s := 2; s <= reach; s++ {
		cells, ends := uint16(0b1111)<<s, uint16(1<<(s-1)|1<<(s+4))
		if bits.OnesCount16(l.black&cells) == 3 && l.empty&ends == ends && l.black&(1<<(s-2)|1<<(s+5)) == 0 {
			points |= l.empty & cells
		}
	}
	return points
}
