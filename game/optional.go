// SPDX-License-Identifier: Apache-2.0

package game

// The interfaces in this file are optional: some games and positions have them, and callers assert them by name.
//
//	Board, Setter, Settable   mnk, ultimate, atarigo
//	Lined, LegalTester        mnk
//	Forbidder                 mnk; only Renju's positions forbid moves
//	Capturer                  mnk; only Pente captures
//	TurnSharer                mnk; only Connect6 has turns of two stones
//	Blocked, Remembering      ultimate

// Board is a position of stones on a rectangle of cells. All positions of a game are boards, or none is: assert it
// once.
type Board interface {
	Position
	// Size returns the number of columns and of rows.
	Size() (columns, rows int)
	// Cells returns the stones: cell column + row*columns, row 0 at the bottom. The slice changes
	// with Play and Undo, and must not be written.
	Cells() []Stone
	// Cell returns the cell on which m would place its stone: a taken one, or one beyond the last for a
	// full column, where m is not legal.
	Cell(m Move) int
}

// Lined is a Board on which k stones of a side in a row win.
type Lined interface {
	Board
	// K returns the length of a winning row.
	K() int
	// Exact reports whether a row longer than K fails to win for s.
	Exact(s Side) bool
}

// Forbidder is a Position in which a rule may forbid moves: they are legal and lose, as Renju's double threes.
type Forbidder interface {
	// Forbids reports whether a rule may forbid a move here, at no cost: if not, Forbidden need not be asked.
	Forbids() bool
	// Forbidden returns why m, legal here, loses at once for the side to move, or "" when it does not.
	Forbidden(m Move) string
}

// Setup is a position without its past.
type Setup struct {
	Cells []Stone // as Board.Cells
	Turn  Side
	Ply   int
	// Memory holds the rest of the state, as each game defines it. Nil is the usual: nothing
	// captured, a whole turn left.
	Memory []uint8
}

// Setter is a Game whose positions can be set up.
type Setter interface {
	// SetUp returns the position, or an error if it is not possible.
	SetUp(s Setup) (Position, error)
}

// Settable is a Position that returns its Setup. SetUp of it has the same Key, Outcome and moves.
type Settable interface {
	Setup() Setup
}

// LegalTester is a Position that tests a move in constant time.
type LegalTester interface {
	// Allows reports whether m, which is a move of the game, is legal here.
	Allows(m Move) bool
}

// Capturer is a Position in which pairs are captured, as in Pente.
type Capturer interface {
	// Captured returns the number of pairs that s has captured.
	Captured(s Side) int
}

// TurnSharer is a Game whose turns may have more than one stone, as in Connect6.
type TurnSharer interface {
	// StonesLeft returns the side to move after n stones and the number of stones left in its turn.
	StonesLeft(n int) (Side, int)
}

// Blocked is a Game whose board is drawn in blocks, as the small boards of ultimate tic-tac-toe.
type Blocked interface {
	// Blocks returns the number of columns and of rows of a block.
	Blocks() (columns, rows int)
}

// Remembering is a Game in which stones and turn may not be the whole state of a position.
type Remembering interface {
	// StonesSuffice reports whether they are.
	StonesSuffice() bool
}
