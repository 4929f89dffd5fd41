// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"math/bits"

	"github.com/krow-lab/krow/game/ultimate"
)

// If won boards stay open, the first side can win by a simple plan. It plays in the middle cell of each small board to which it is
// sent, so that the second side can only play in the middle small board. When this board is full, the second side has eight stones
// there and no stones in other boards:
//
//	. . . | . . . | . . .
//	. X . | . X . | . X .
//	. . . | . . . | . . .
//	------+-------+------
//	. . . | O O O | . . .
//	. X . | O X O | . X .
//	. . . | O O O | . . .
//	------+-------+------
//	. . . | . . . | . . .
//	. X . | . X . | . . .   X is to move here, if O has played lower right last
//	. . . | . . . | . . .
//
// After that, the first side sends the second side to one of three small boards: the fullest board, the board opposite to the
// fullest board as seen from the middle, or the board in which the first side has just played. This rule leaves few moves to
// try.
//
// CITE: Bertholon, Géraud-Stewart, Kugelmann, Lenoir and Naccache, At Most 43 Moves, At Least 29, 2020 (the idea).

const middle = 4 // number of the middle small board, and of the middle cell of a small board

// planned reports whether b may be a position that arises if the first side follows the plan. It checks only the rule for
// won boards and the stones.
func planned(b *ultimate.Board) bool {
	if Ends(b) {
		return true
	}
	for i, set := range b.Stones[1] {
		if i != middle && set != 0 {
			return false
		}
	}
	return b.Rules.Open && b.Stones[0][middle]&^(1<<middle) == 0
}

// Ends reports whether b may be a position of the plan in which the middle small board is full; it checks only this board.
// In such a position it is easy to prove that the first side wins.
func Ends(b *ultimate.Board) bool {
	return b.Rules.Open && b.Closed>>middle&1 != 0 && b.Stones[0][middle] == 1<<middle
}

// Plan returns the move of the plan with which the first side wins if won boards stay open. It returns false if the plan
// alone does not determine the move in b. The game must not be over in b. The certificates of the empty board, one for each
// draw rule, prove that the plan wins: see docs/measurements/values.md.
func Plan(b *ultimate.Board) (m uint8, ok bool) {
	if b.Turn != 0 || !planned(b) || Ends(b) {
		return 0, false
	}
	if b.Ply == 0 {
		return 9*middle + middle, true
	}
	var own uint16
	for i, set := range b.Stones[0] {
		if set&^(1<<middle) != 0 {
			return 0, false
		}
		own |= set >> middle << i
	}
	// In a position of the plan, the first side has played in each small board to which it was sent, except the board to which it
	// has just been sent.
	if other := b.Stones[1][middle]; b.Forced >= ultimate.Any || own != other&^(1<<b.Forced)|1<<middle {
		return 0, false
	}
	return 9*b.Forced + middle, true
}

// plan removes the moves of the first side that do not belong to the plan, and returns the number of remaining moves. The
// parameter n is the number of moves in the list before the removal. If no move belongs to the plan, all moves remain.
func (s *state) plan(moves *[ultimate.Moves]uint8, n int) (kept int) {
	if s.Closed>>middle&1 == 0 {
		if m, ok := Plan(&s.Board); ok {
			moves[0], n = m, 1
		}
		return n
	}
	target := s.fullest()
	for _, m := range moves[:n] {
		to := int(m % 9)
		if to == target || to == 8-target || to == int(m/9) {
			moves[kept] = m
			kept++
		}
	}
	if kept == 0 {
		return n
	}
	return kept
}

// fullest returns the open small board with the fewest free cells.
func (s *state) fullest() (board int) {
	least := 10
	for open := ultimate.Full &^ s.Closed; open != 0; open &= open - 1 {
		i := bits.TrailingZeros16(open)
		if free := bits.OnesCount16(s.Free(i)); free < least {
			board, least = i, free
		}
	}
	return board
}
