// SPDX-License-Identifier: Apache-2.0

// Package notation turns moves and positions into text and bytes, and text and bytes from outside into
// moves and positions.
//
// # Basics
//
//	err := notation.Play(p, "h8 h9 i9")                                   // a list of moves
//	p, err := notation.ParseStones(g, "h8 i9/h9", notation.StonesOptions{}) // stones, a slash, stones
//	p, err := notation.ParseBoard(g, drawing)                             // a drawn board
//	fmt.Print(notation.FormatPosition(p))                                 // the same, drawn
//	data, err := notation.Append(nil, p)                                  // bytes, see docs/formats/position.md
//
// # What a game may add
//
// The package knows every game through package game alone, and asks a Game for four methods it may have:
//
//	Split(word string) []string          a word of a move list holds several moves: Connect Four's 4455
//	StonesLeft(n int) (game.Side, int)   after n stones: whose turn it is and how many stones it has left
//	StonesSuffice() bool                 false: stones and turn are not the whole state (ultimate)
//	Blocks() (columns, rows int)         the size of the blocks between which a drawing has lines (ultimate)
//
// # Caveats
//
// A position read from stones, a drawing or bytes has no history: there is no last move to mark or take back.
// Nothing that comes from outside panics; every error is one line.
package notation
