// SPDX-License-Identifier: Apache-2.0

// Package renju plays Renju: five in a row in which Black, who moves first, has forbidden points.
//
// A black stone loses at once when it makes, without making exactly five in a row,
//
//   - an overline: six or more in a row;
//   - a double four: two or more fours, in different lines or in one;
//   - a double three: two or more threes, each of which Black could really make a straight four.
//
// White has no such points and wins with five or more.
//
// # Basics
//
//	g, err := renju.New(15)
//	p := g.Start()
//	why := p.(game.Forbidder).Forbidden(m) // "double three", or "" when m does not lose
//
// # Terms
//
// A row is counted along one line and always holds the stone in question:
//
//	five            X X X X X           exactly five; six or more are an overline
//	four            X X _ X X           one more stone makes five
//	straight four   _ X X X X _         two different stones do, one at either end
//	three           _ X X _ X _         one more stone makes a straight four, and no five elsewhere
//
// A three is real, and counts, only if the stone that makes it a straight four is allowed: no overline, no double
// four, and no double three by this same definition, which looks ahead stone by stone. It ends, since each step fills
// a cell.
//
// # Caveats
//
// A forbidden move is legal, and loses. Three stones are no three if the stone that makes them a straight four makes
// five elsewhere: the definition says so. Of three threes, one of which fails for an overline or a double four and
// another for a double three, one is left: the two conditions that allow a double three are taken together. An
// overline that was set up, and not played, neither wins nor loses. The opening rules are no part of this package.
//
// # Speed
//
// Forbidden reads up to five cells to either side in four directions, allocates nothing, and looks ahead
// only where two threes meet.
//
// CITE: Renju International Federation, The International Rules of Renju, 1996, sections 3 and 9.
package renju

import (
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

// New returns the game on a square board; 15 is the usual size.
func New(size int) (*mnk.Game, error) { return NewRect(size, size) }

// NewRect returns the game on a board of any shape.
func NewRect(columns, rows int) (*mnk.Game, error) {
	return mnk.Family("renju", mnk.Rules{Columns: columns, Rows: rows, K: 5, Exact: [2]bool{true, false}, Foul: foul})
}

// foul is Forbidden as the kernel asks for it.
func foul(cells []game.Stone, columns, rows, cell int) string {
	return Forbidden(cells, columns, rows, cell).String()
}
