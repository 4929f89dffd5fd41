// SPDX-License-Identifier: Apache-2.0

package renju

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// Shape is what makes a point forbidden.
type Shape uint8

// The shapes. A stone that makes several is named after the first of them.
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

// Forbidden returns what forbids Black to play on cell, which must be empty: None when nothing does, as
// when the stone makes exactly five. It only reads cells, and may be called from many goroutines at once.
func Forbidden(cells []game.Stone, columns, rows, cell int) Shape {
	b := board{cells, columns, rows}
	// Ten stones ahead is far beyond what occurs; append would find room for more.
	var ahead [10]int32
	shape, _ := b.judge(cell, ahead[:0])
	return shape
}

// judge says what a black stone on cell makes when black stones stand on the cells of ahead too, which are
// empty on the board: a forbidden shape or five, never both.
func (b *board) judge(cell int, ahead []int32) (shape Shape, five bool) {
	var points [4]uint16 // in each line, where a stone makes a straight four of this stone's three
	fours, threes, overline := 0, 0, false
	edges := b.edges(cell)
	for d := range points {
		l := b.line(cell, d, &edges, ahead)
		if bits.OnesCount16(l.black) < 3 {
			continue
		}
		switch n := l.run(); {
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

// doubleThree says whether two of the threes through the stone on cell, the last of ahead, are real.
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
