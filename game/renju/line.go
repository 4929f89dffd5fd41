// SPDX-License-Identifier: Apache-2.0

package renju

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// board is a view of somebody's cells.
type board struct {
	cells         []game.Stone
	columns, rows int
}

// reach is how far from a stone its threes, fours, fives and overlines can depend on other cells: the stone
// at one end of a row of five, and one cell more, which must not lengthen it.
const reach = 5

// line is what a black stone sees along one line, itself included, up to the first white stone or the edge:
//
//	cell   -5 -4 -3 -2 -1  0 +1 +2 +3 +4 +5
//	bit     0  1  2  3  4  5  6  7  8  9 10      the stone is bit 5
//
// A bit in neither set is a white stone, the edge, or out of sight behind one of them.
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

// line returns the line in direction d through a black stone on cell, with the black stones of ahead.
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

// add puts what stands on a cell into the line, and says whether it can be seen past. Which of the three it is
// cannot be predicted, so black (1) and empty (0) are told apart without a branch.
func (l *line) add(bit int, s game.Stone) bool {
	l.black |= uint16(s&1) << bit
	l.empty |= uint16((s-1)>>7) << bit
	return s != game.SecondStone
}

// run returns the length of the row through the stone, with nothing empty in it: at most 11 are seen.
func (l line) run() int {
	return 1 + bits.TrailingZeros16(^(l.black >> (reach + 1))) + bits.LeadingZeros16(^(l.black << (16 - reach)))
}

// fours returns how many fours the line holds: different sets of four stones, this one among them, that one
// more stone makes exactly five. Five cells in a row hold each of them, with no black stone at either end:
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
		// A straight four is found twice, one cell apart.
		if four != last {
			n++
		}
		last = four
	}
	return n
}

// straightFours returns the bits of the cells where one more stone makes a straight four through this one:
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
