// SPDX-License-Identifier: Apache-2.0

// Package game defines the interfaces of two-player games with perfect information.
//
// A [Game] is a set of rules on a board of some size. A [Position] is a state of a Game, on which moves are played and taken
// back. The packages in the folders below this one implement the rules.
//
// # Basics
//
//	p := g.Start()
//	for p.Outcome() == game.Ongoing {
//		p.Play(p.AppendMoves(nil)[0])
//	}
//
// # Caveats
//
// One side may move twice in a row (Connect6), so call Turn and never derive the side to move from Ply. Sides are named by
// order, not by colour: First moves first. Position.Play does not check its move. Use the function [Play], which checks whether
// the move is legal, for moves from a user or another program.
package game

// Move is a move of one Game as an index: 0 <= m < Game.Moves().
type Move int32

// NoMove means that there is no move.
const NoMove Move = -1

// Side is one of the two players: the one who moves first or the one who moves second.
type Side uint8

// The two sides.
const (
	First Side = iota
	Second
)

// Other returns the opponent's side.
func (s Side) Other() Side { return s ^ 1 }

// String returns "first" or "second".
func (s Side) String() string { return [...]string{"first", "second"}[s&1] }

// Stone returns the kind of stone that s places.
func (s Side) Stone() Stone { return Stone(s) + 1 }

// Stone is the content of a cell.
type Stone uint8

// The contents of a cell: no stone, a stone of First, a stone of Second.
const (
	Empty Stone = iota
	FirstStone
	SecondStone
)

// Outcome is the result of a game, or Ongoing.
type Outcome uint8

// The outcomes.
const (
	Ongoing Outcome = iota
	FirstWins
	SecondWins
	Draw
)

// String returns "ongoing", "first wins", "second wins" or "draw".
func (o Outcome) String() string {
	return [...]string{"ongoing", "first wins", "second wins", "draw"}[o&3]
}

// WinFor returns the outcome in which s has won.
func WinFor(s Side) Outcome { return FirstWins + Outcome(s) }

// Winner returns the side that has won, if one has.
func (o Outcome) Winner() (Side, bool) {
	return Side(o - FirstWins), o == FirstWins || o == SecondWins
}

// Game is a set of rules. It is immutable and safe for concurrent use.
type Game interface {
	// String returns the game's spec, which package krow accepts, such as "mnk:7,6,4".
	String() string
	// Moves returns the number of different moves in the game. Every legal move in any position is less than this number.
	Moves() int
	// Start returns a new position before the first move.
	Start() Position
	// Format returns m in the game's own notation; m must be in range.
	Format(m Move) string
	// Parse reads a move in the game's own notation. It does not check whether the move is legal in a position.
	Parse(s string) (Move, error)
}

// Position is a state of a game. Only one goroutine may use it; another goroutine needs a Clone.
type Position interface {
	Game() Game
	// Turn returns the side to move. The result is meaningless after the end of the game.
	Turn() Side
	// Ply returns the number of moves that led to this position. In a position that was set up it counts from Setup.Ply.
	Ply() int
	Outcome() Outcome
	// AppendMoves appends the legal moves to dst, in increasing order. After the end of the game there are no legal moves.
	AppendMoves(dst []Move) []Move
	// AppendHistory appends the moves played since the start, or since the position was set up.
	AppendHistory(dst []Move) []Move
	// Play makes m, which must be legal in this position; any other move may panic or corrupt the position.
	Play(m Move)
	// Undo takes back the last move of the history, which must not be empty.
	Undo()
	// Key returns a hash of everything on which the rest of the game depends: stones, turn, and the other state that the rules
	// need. Equal positions have equal keys.
	Key() uint64
	Clone() Position
}
