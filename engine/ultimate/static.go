// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math/bits"

	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/ultimate"
)

// threats returns the small boards in which a stone of side would win it the game by a line.
func threats(b *board.Board, side uint8) uint16 {
	t := uint16(0)
	for good := rules.Completing(b.Won[side&1]) &^ (b.Closed | b.Won[0] | b.Won[1]); good != 0; good &= good - 1 {
		if i := bits.TrailingZeros16(good) % 9; rules.Completing(b.Stones[side&1][i])&b.Free(i) != 0 {
			t |= 1 << i
		}
	}
	return t
}

// winsNow says whether the side to move can win the game with its next move by a line.
func winsNow(b *board.Board) bool { return threats(b, b.Turn)&b.Open() != 0 }

// quiet returns cells of a small board after a move to which the game goes on for two plies at least, given the
// threats of the other side: not all such cells, but most.
func quiet(b *board.Board, small uint8, threats uint16) uint16 {
	free := b.Free(int(small) % 9)
	if free&(free-1) == 0 {
		return 0 // the board is full then
	}
	q := free &^ rules.Completing(b.Stones[b.Turn&1][small%9])
	if threats != 0 {
		q &^= threats | b.Closed
	}
	return q
}

// canAlign says whether a side might still get three small boards in a row, whoever moves where.
func canAlign(b *board.Board, side uint8) bool {
	enemy, could := &b.Stones[side&1^1], uint16(0)
	for i, stones := range enemy {
		could |= uint16(hopes[stones&board.Full]) << i
	}
	return rules.HasLine(could&^(b.Closed|b.Won[0]|b.Won[1]) | b.Won[side&1])
}

// hopes has 1 for each set of cells that leaves room for a line, 0 for the others: a table that needs no branch.
var hopes = func() (t [board.Full + 1]uint8) {
	for set := range t {
		if rules.HasLine(^uint16(set)) {
			t[set] = 1
		}
	}
	return t
}()

// bounds returns what is known of a position without search, for the side to move.
func bounds(b *board.Board) (low, high int) {
	if b.Rules.Draw != rules.Plain {
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
