// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
)

// Tables of sets of nine cells, or small boards.
var (
	line       [board.Full + 1]bool   // holds three in a row
	completing [board.Full + 1]uint16 // with which a line would be complete
	leaves     [board.Full + 1]bool   // leaves room for a line of the other side
)

func init() {
	for set := range line {
		line[set] = ultimate.HasLine(uint16(set))
		completing[set] = ultimate.Completing(uint16(set))
		leaves[set] = ultimate.HasLine(^uint16(set))
	}
}

// winsNow says whether the side to move can win the game with its next move by a line.
func winsNow(b *board.Board) bool {
	side := b.Turn & 1
	good := completing[b.Won[side]&board.Full] & b.Open() &^ b.Won[side^1]
	for i := 0; good != 0; i, good = i+1, good>>1 {
		if good&1 != 0 && completing[b.Stones[side][i]&board.Full]&b.Free(i) != 0 {
			return true
		}
	}
	return false
}

// canAlign says whether a side might still get three small boards in a row, whoever moves where.
func canAlign(b *board.Board, side uint8) bool {
	side &= 1
	could := b.Won[side]
	hope := board.Full &^ (b.Closed | b.Won[0] | b.Won[1])
	if !line[could|hope] {
		return false
	}
	for i := range 9 {
		if hope>>i&1 != 0 && leaves[b.Stones[side^1][i]&board.Full] {
			could |= 1 << i
		}
	}
	return line[could]
}

// bounds returns what is known of a position without search, for the side to move.
func bounds(b *board.Board) (low, high int) {
	if b.Rules.Draw != ultimate.Plain {
		return lost, won
	}
	low, high = lost, won
	if !canAlign(b, b.Turn) {
		high = drawn
	}
	if !canAlign(b, b.Turn^1) {
		low = drawn
	}
	return low, high
}

// result returns what a finished game is worth to a side.
func result(o game.Outcome, side uint8) int {
	switch w, ok := o.Winner(); {
	case !ok:
		return drawn
	case uint8(w) == side:
		return won
	}
	return lost
}
