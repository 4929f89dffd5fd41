// SPDX-License-Identifier: Apache-2.0

package game

// The interfaces in this file are optional: some games and positions implement them, and callers check for them with a type
// assertion.
//
//	Board, Setter, Settable   mnk, ultimate, atarigo
//	Lined, LegalTester        mnk
//	Forbidder                 mnk; only Renju's positions forbid moves
//	Capturer                  mnk; only Pente captures
//	TurnSharer                mnk; only Connect6 has turns of two stones
//	Blocked, Remembering      ultimate

// Board is a position of stones on a rectangle of cells. Either all positions of a game are Boards or none is, so a type
// assertion on one position is enough.
type Board interface {
	Position
	// Size returns the number of columns and of rows.
	Size() (columns, rows int)
	// Cells returns the contents of the cells. The index of a cell is column + row*columns, where row 0 is at the bottom. The
	// slice changes with Play and Undo; the caller must not write to it.
	Cells() []Stone
	// Cell returns the cell on which m would place its stone. If m is not legal, this cell may be occupied. For a full column,
	// the result may be an index beyond the last cell.
	Cell(m Move) int
}

// Lined is a Board on which k stones of a side in a row win.
type Lined interface {
	Board
	// K returns the length of a winning row.
	K() int
	// Exact reports whether a row of s that is longer than K does not win.
	Exact(s Side) bool
}

// Forbidder is a Position in which the rules may forbid moves. A forbidden move is legal but loses at once, such as a double
// three in Renju.
type Forbidder interface {
	// Forbids reports whether the rules contain moves that are forbidden to the side to move. It does not look for such moves
	// in the position, so it takes almost no time. If it returns false, there is no need to call Forbidden.
	Forbids() bool
	// Forbidden returns the reason why the legal move m loses at once for the side to move, or "" if it does not.
	Forbidden(m Move) string
}

// Setup describes a position without the moves that led to it.
type Setup struct {
	Cells []Stone // contents of the cells, as in Board.Cells
	Turn  Side
	Ply   int
	// Memory contains, as numbers, the part of the state that the other fields do not describe. Each game defines the meaning
	// of the numbers. Nil means the default state: nothing has been captured, and the turn has just begun.
	Memory []uint8
}

// Setter is a Game whose positions can be set up.
type Setter interface {
	// SetUp returns the position that s describes, or an error if there is no such position.
	SetUp(s Setup) (Position, error)
}

// Settable is a Position that returns its Setup. From this Setup, Setter.SetUp makes a position with the same Key, Outcome and
// legal moves.
type Settable interface {
	Setup() Setup
}

// LegalTester is a Position that checks in constant time whether a move is legal.
type LegalTester interface {
	// Allows reports whether m, which is a move of the game, is legal in this position.
	Allows(m Move) bool
}

// Refuser is a Position in which the rules may not allow a stone on a free cell.
type Refuser interface {
	// Refusal returns the reason why the move m, which would place a stone on a free cell, is not legal.
	Refusal(m Move) string
}

// Capturer is a Position in which pairs are captured, as in Pente.
type Capturer interface {
	// Captured returns the number of pairs that s has captured.
	Captured(s Side) int
}

// TurnSharer is a Game in which a side may place several stones in a turn, as in Connect6.
type TurnSharer interface {
	// StonesLeft returns the side to move after n stones, and the number of stones that it still has to place in its turn.
	StonesLeft(n int) (Side, int)
}

// Blocked is a Game whose board is drawn in blocks of cells, such as the small boards of ultimate tic-tac-toe.
type Blocked interface {
	// Blocks returns the numbers of columns and rows in a block.
	Blocks() (columns, rows int)
}

// Remembering is a Game that reports whether a position consists only of the stones and the side to move.
type Remembering interface {
	// StonesSuffice reports whether the stones and the side to move determine a position completely.
	StonesSuffice() bool
}
