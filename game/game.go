// SPDX-License-Identifier: Apache-2.0

// Package game is the contract of games of two players who see everything.
//
// A [Game] is a set of rules on a board of some size. A [Position] is a state of it, in which moves are played and
// taken back. The rules themselves are the packages below this one.
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
// One side may move twice in a row (Connect6), so ask Turn and never derive it from Ply. A side is a seat and not a
// colour: First moves first. Position.Play trusts its caller; moves from outside go through [Play], which checks.
package game

// Move is a dense index of the moves of one Game: 0 <= m < Game.Moves().
type Move int32

// NoMove is no move at all.
const NoMove Move = -1

// Side is a seat: who moves first, or who moves second.
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

// Stone returns the stone that s places.
func (s Side) Stone() Stone { return Stone(s) + 1 }

// Stone is the content of a cell.
type Stone uint8

// Empty is a cell without a stone; the stones of First and Second follow it.
const (
	Empty Stone = iota
	FirstStone
	SecondStone
)

// Outcome is how a game stands.
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
	// String returns the spec that package krow accepts, such as "mnk:7,6,4".
	String() string
	// Moves returns the number of moves there are, legal or not, in any position.
	Moves() int
	// Start returns a new position before the first move.
	Start() Position
	// Format returns m in the game's own notation; m must be in range.
	Format(m Move) string
	// Parse reads one move in the game's own notation. It does not ask whether the move is legal.
	Parse(s string) (Move, error)
}

// Position is a state of a game. It belongs to one goroutine; another one takes a Clone.
type Position interface {
	Game() Game
	// Turn returns the side to move. It means nothing once the game is over.
	Turn() Side
	// Ply returns the number of moves that led to this position. A position that was set up counts its stones.
	Ply() int
	Outcome() Outcome
	// AppendMoves appends the legal moves, in increasing order, none when the game is over.
	AppendMoves(dst []Move) []Move
	// AppendHistory appends the moves played since the start, or since the position was set up.
	AppendHistory(dst []Move) []Move
	// Play makes m, which must be legal here; anything else may panic or corrupt the position.
	Play(m Move)
	// Undo takes back the last move of the history, which must not be empty.
	Undo()
	// Key returns a hash of everything that bears on the future: stones, turn, and the state that the rules
	// remember. Equal positions have equal keys.
	Key() uint64
	Clone() Position
}
