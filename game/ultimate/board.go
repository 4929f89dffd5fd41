// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// Constants of ultimate tic-tac-toe.
const (
	Moves = 81
	Full  = 1<<9 - 1 // the set of all nine cells of a small board, or of all small boards
	Any   = 9        // value of Board.Forced if the move may be in any open small board
)

// Board is a position stored in bit sets, a value of 48 bytes without pointers. An assignment copies the whole Board. So there
// is no method Undo: a caller can keep a copy instead.
//
//	b := ultimate.NewBoard(ultimate.Rules{})
//	var moves [ultimate.Moves]uint8
//	for b.Result == game.Ongoing {
//		n := b.List(&moves)
//		b.Play(moves[rng.IntN(n)])
//	}
//
// In a set, bit i stands for cell i of a small board, or for small board i:
//
//	0 1 2
//	3 4 5
//	6 7 8
//
// Two Boards are == only if all their stones are equal, even stones in closed small boards, which no longer affect the game.
type Board struct {
	Stones [2][9]uint16 // by side and small board: the cells with a stone of that side
	Won    [2]uint16    // by side: the small boards that the side has won; the two sets are disjoint
	Closed uint16       // the small boards that take no more stones
	Forced uint8        // the open small board in which the next move must be, or Any
	Turn   uint8        // the side to move, 0 or 1; after the end of the game, the side that did not make the last move
	Ply    uint8        // number of stones on the board
	Result game.Outcome // Ongoing, or the result of the game
	Rules  Rules        // rules of the game
}

// NewBoard returns the empty board.
func NewBoard(r Rules) Board { return Board{Forced: Any, Rules: r} }

// Free returns the empty cells of small board i, even if it is closed.
func (b *Board) Free(i int) uint16 { return Full &^ (b.Stones[0][i] | b.Stones[1][i]) }

// Threats returns the small boards that side can win with one stone, and with which side then has three small boards in a row.
func (b *Board) Threats(side uint8) (t uint16) {
	for good := Completing(b.Won[side&1]) &^ (b.Closed | b.Won[0] | b.Won[1]); good != 0; good &= good - 1 {
		if i := bits.TrailingZeros16(good) % 9; Completing(b.Stones[side&1][i])&b.Free(i) != 0 {
			t |= 1 << i
		}
	}
	return t
}

// Ternary[s] is a number in base 3: its digit i is 1 if cell i is in the set s, and 0 otherwise.
var Ternary = func() (t [Full + 1]uint16) {
	for set := range t {
		for power, c := uint16(1), 0; c < 9; power, c = 3*power, c+1 {
			t[set] += power * uint16(set>>c&1)
		}
	}
	return t
}()

// Codes is the number of different codes: 3^9.
const Codes = 19683

// Code returns the stones of small board i as a number in base 3, with a digit for each cell: 0 for an empty cell, 1 for a
// stone of First, 2 for a stone of Second.
func (b *Board) Code(i int) uint16 {
	return Ternary[b.Stones[0][i]&Full] + 2*Ternary[b.Stones[1][i]&Full]
}

// Open returns the small boards in which the side to move may play, or the empty set after the end of the game. The legal moves
// are the Free cells of these boards.
func (b *Board) Open() uint16 {
	switch {
	case b.Result != game.Ongoing:
		return 0
	case b.Forced < Any:
		return 1 << b.Forced
	}
	return Full &^ b.Closed
}

// List writes the legal moves to dst, in increasing order, and returns their number.
func (b *Board) List(dst *[Moves]uint8) int {
	n := 0
	for open := b.Open(); open != 0; open &= open - 1 {
		i := bits.TrailingZeros16(open)
		for free := b.Free(i); free != 0; free &= free - 1 {
			dst[n] = uint8(9*i + bits.TrailingZeros16(free))
			n++
		}
	}
	return n
}

// Count returns the number of legal moves.
func (b *Board) Count() (n int) {
	for open := b.Open(); open != 0; open &= open - 1 {
		n += bits.OnesCount16(b.Free(bits.TrailingZeros16(open) % 9))
	}
	return n
}

// Legal reports whether m, which may be any number, is a legal move.
func (b *Board) Legal(m int) bool {
	return m >= 0 && m < Moves && b.Open()>>(m/9)&1 != 0 && b.Free(m/9)>>(m%9)&1 != 0
}

// Play makes the legal move m of a game that is not over.
func (b *Board) Play(m uint8) {
	small, cell := m/9, m%9
	side := b.Turn & 1
	own := b.Stones[side][small] | 1<<(cell&15)
	b.Stones[side][small] = own
	b.Turn = side ^ 1
	b.Ply++
	bit := uint16(1) << (small & 15)
	won := HasLine(own) && (b.Won[0]|b.Won[1])&bit == 0
	if won {
		b.Won[side] |= bit
	}
	if won && !b.Rules.Open || own|b.Stones[side^1][small] == Full {
		b.Closed |= bit
	}
	b.Forced = cell
	if b.Closed>>(cell&15)&1 != 0 {
		b.Forced = Any
	}
	if won && HasLine(b.Won[side]) {
		b.Result = game.FirstWins + game.Outcome(side)
	} else if b.Closed == Full {
		b.Result = b.full()
	}
}

func (b *Board) full() game.Outcome {
	first, second := bits.OnesCount16(b.Won[0]), bits.OnesCount16(b.Won[1])
	switch {
	case b.Rules.Draw == Plain || first == second:
		return game.Draw
	case first > second:
		return game.FirstWins
	}
	return game.SecondWins
}
