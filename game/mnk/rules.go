// SPDX-License-Identifier: Apache-2.0

// Package mnk plays the games in which stones are placed on a rectangle and k in a row win.
//
// The same code plays tic-tac-toe, gomoku, Connect Four, Connect6 and Pente: [Rules] contains the differences between such a game
// and plain m,n,k. Package renju uses this package and adds the forbidden moves.
//
// # Basics
//
//	g, err := mnk.New(mnk.Rules{Name: "mnk:7,6,4", Columns: 7, Rows: 6, K: 4})
//	p := g.Start()
//	p.Play(p.AppendMoves(nil)[0])
//
// # Caveats
//
// A game ends only when a side has won or no cell is free, so it continues even if no side can still win. In Connect6 a win with
// the first stone of a turn ends the game.
//
// # Speed
//
// Play costs O(k), Undo O(1), AppendMoves O(legal moves); none of them allocates.
package mnk

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
)

// Rules describes a game of the family. Columns, Rows and K are required; if all other fields are zero, the game is plain m,n,k.
type Rules struct {
	Name             string // the game's spec
	Columns, Rows, K int
	Exact            [2]bool // by side: rows longer than K do not win
	Blocked          bool    // a row with an enemy stone at each end does not win
	Gravity          bool    // a stone falls to the lowest free cell; a move is a column
	Opening, Turn    int     // number of stones in the first turn and in each later turn; 0 means 1
	Captures         int     // a side wins with this number of captured pairs, which are pairs between two enemy stones; 0 means no captures
	Threes           bool    // three stones in a row can also be captured, and Captures counts stones
	Distance         int     // the first stone must be in the centre, the third at least Distance cells from it; 0 means no restriction
	// Foul returns the reason why a stone of the first side on the empty cell would lose, or "" if it would not. It is called only for
	// stones that do not win, and must neither change cells nor use the slice after the call.
	Foul func(cells []game.Stone, columns, rows, cell int) string
}

// Game is a game whose Rules are valid.
type Game struct {
	r      Rules
	stride int    // distance between neighbouring rows of the grid
	steps  [4]int // by direction: distance between neighbouring cells of the grid
}

// New returns the game with the rules r, or an error if they are not valid.
func New(r Rules) (*Game, error) {
	switch {
	case r.Columns < 1 || r.Rows < 1 || r.Columns > game.MaxSide || r.Rows > game.MaxSide:
		return nil, fmt.Errorf("a board must have 1 to %d columns and rows, not %d x %d", game.MaxSide, r.Columns, r.Rows)
	case r.Opening < 0 || r.Turn < 0 || r.Opening > 99 || r.Turn > 99 || r.Captures < 0 || r.Captures > 99:
		return nil, fmt.Errorf("a turn must have 1 to 99 stones, and a win can need at most 99 captures")
	case r.Distance > 0 && (r.Columns%2 == 0 || r.Rows%2 == 0 || min(r.Columns, r.Rows) < 2*r.Distance+1):
		return nil, fmt.Errorf("the opening rule needs a board with a central cell and at least %d columns and rows", 2*r.Distance+1)
	case r.K < 1 || r.K > game.MaxSide:
		return nil, fmt.Errorf("k must be from 1 to %d, not %d", game.MaxSide, r.K)
	}
	r.Opening, r.Turn = max(r.Opening, 1), max(r.Turn, 1)
	g := &Game{r: r, stride: r.Columns + 1}
	g.steps = [4]int{1, g.stride, g.stride + 1, g.stride - 1}
	return g, nil
}

// Rules returns the rules of the game.
func (g *Game) Rules() Rules { return g.r }

// String returns the game's spec.
func (g *Game) String() string { return g.r.Name }

// Moves returns the number of cells, or of columns in games with falling stones.
func (g *Game) Moves() int {
	if g.r.Gravity {
		return g.r.Columns
	}
	return g.r.Columns * g.r.Rows
}

// Format returns the name of the cell, such as h8, or in games with falling stones the number of the column, from 1.
func (g *Game) Format(m game.Move) string {
	if g.r.Gravity {
		return strconv.Itoa(int(m) + 1)
	}
	return game.FormatCell(int(m), g.r.Columns)
}

// Parse reads a move in the form that Format writes.
func (g *Game) Parse(s string) (game.Move, error) {
	if !g.r.Gravity {
		c, err := game.ParseCell(s, g.r.Columns, g.r.Rows)
		if err != nil {
			return game.NoMove, fmt.Errorf("%q is %w", s, err)
		}
		return game.Move(c), nil
	}
	c, err := strconv.Atoi(s)
	if err != nil || c < 1 || c > g.r.Columns || s[0] == '+' || s[0] == '0' {
		return game.NoMove, fmt.Errorf("%q is not a column from 1 to %d", s, g.r.Columns)
	}
	return game.Move(c - 1), nil
}

// Start returns the empty board.
func (g *Game) Start() game.Position { return g.empty() }

// StonesLeft returns the side to move after n stones have been played from the start, and the number of stones that it must still
// place in this turn.
func (g *Game) StonesLeft(n int) (game.Side, int) {
	if n < g.r.Opening {
		return game.First, g.r.Opening - n
	}
	n -= g.r.Opening
	return game.Side((n/g.r.Turn + 1) % 2), g.r.Turn - n%g.r.Turn
}

// MNK returns plain m,n,k on m columns and n rows.
func MNK(m, n, k int) (*Game, error) {
	return New(Rules{Name: fmt.Sprintf("mnk:%d,%d,%d", m, n, k), Columns: m, Rows: n, K: k})
}

// TicTacToe returns k in a row on a square board; the usual game has size 3 and k 3.
func TicTacToe(size, k int) (*Game, error) {
	r := Rules{Columns: size, Rows: size, K: k}
	if r.Name = spell("tictactoe", r, 3, 3, 3); k != 3 {
		r.Name = fmt.Sprintf("tictactoe:%d,k=%d", size, k)
	}
	return New(r)
}

// Exactly returns the same game with the rule that rows longer than k do not win. Its spec contains exact=on.
func (g *Game) Exactly() (*Game, error) {
	r := g.r
	r.Exact = [2]bool{true, true}
	if strings.Contains(r.Name, ":") {
		r.Name += ",exact=on"
	} else {
		r.Name += ":exact=on"
	}
	return New(r)
}

// Gomoku returns free-style gomoku: five or more in a row win.
func Gomoku(size int) (*Game, error) {
	return Family("gomoku", Rules{Columns: size, Rows: size, K: 5})
}

// Standard returns gomoku in which exactly five win.
func Standard(size int) (*Game, error) {
	return Family("standard", Rules{Columns: size, Rows: size, K: 5, Exact: [2]bool{true, true}})
}

// Caro returns the Vietnamese game: five or more in a row win unless there is an enemy stone at each end. The edge of the board
// does not count as an enemy stone. CITE: Gomocup rule 8 (caro free-style).
func Caro(size int) (*Game, error) {
	return Family("caro", Rules{Columns: size, Rows: size, K: 5, Blocked: true})
}

// Family returns the game with the rules r. Its spec consists of the kind, such as caro, and the parameters in which r differs
// from the default, which is a board of 15 x 15 cells and five in a row:
//
//	KIND[:SIZE][,k=K][,exact=on]        caro   caro:20   caro:20x15,k=6   caro:exact=on
//
// The suffix exact=on is used only for the kind caro, if rows longer than k do not win.
func Family(kind string, r Rules) (*Game, error) {
	r.Name = spell(kind, r, 15, 15, 5)
	return New(r)
}

// Connect4 returns Connect Four on any board and with any k; the usual game has 7 columns, 6 rows and k = 4.
func Connect4(columns, rows, k int) (*Game, error) {
	r := Rules{Columns: columns, Rows: rows, K: k, Gravity: true}
	r.Name = spell("connect4", r, 7, 6, 4)
	return New(r)
}

// Connect6 returns six in a row, with one stone in the first turn and two stones in each later turn.
func Connect6(size int) (*Game, error) { return Connect(size, size, 6, 2, 1) }

// Connect returns Connect(m,n,k,p,q): k in a row on m columns and n rows, with q stones in the first turn and p in each later turn.
// CITE: Wu and Huang, A New Family of k-in-a-row Games, 2005.
func Connect(m, n, k, p, q int) (*Game, error) {
	r := Rules{Columns: m, Rows: n, K: k, Opening: q, Turn: p}
	r.Name = spell("connect6", r, 19, 19, 6)
	return New(r)
}

// Pente returns five in a row with custodial capture: a side captures two adjacent enemy stones if it encloses them between
// two stones of its own, and five captured pairs win. A side may place a stone between two enemy stones without losing it.
func Pente(size int) (*Game, error) {
	return PenteBy(size, false, 0)
}

// PenteBy returns pente with tournament rules. If keryo is true, three adjacent stones can be captured as well as two, and
// 15 captured stones win. distance is the smallest distance from the centre that the third stone may have: 3 by the pro
// rule, 4 by the long pro rule.
// CITE: pente.org, rules of Pente, Keryo-Pente and the pro openings.
func PenteBy(size int, keryo bool, distance int) (*Game, error) {
	r := Rules{Columns: size, Rows: size, K: 5, Captures: 5, Distance: distance}
	if keryo {
		r.Captures, r.Threes = 15, true
	}
	r.Name = spell("pente", r, 19, 19, 5)
	return New(r)
}

// spell returns the spec of a game: its kind, and the parameters in which r differs from the usual rules.
func spell(kind string, r Rules, columns, rows, k int) string {
	var args []string
	switch {
	case r.Columns == columns && r.Rows == rows:
	case r.Columns == r.Rows && columns == rows:
		args = append(args, fmt.Sprint(r.Columns))
	default:
		args = append(args, fmt.Sprintf("%dx%d", r.Columns, r.Rows))
	}
	if r.K != k {
		args = append(args, fmt.Sprintf("k=%d", r.K))
	}
	if r.Blocked && r.Exact[game.First] {
		args = append(args, "exact=on")
	}
	if r.Turn > 0 && r.Turn != 2 {
		args = append(args, fmt.Sprintf("turn=%d", r.Turn))
	}
	if r.Opening > 1 {
		args = append(args, fmt.Sprintf("first=%d", r.Opening))
	}
	if r.Threes {
		args = append(args, "rule=keryo")
	}
	if r.Distance > 0 {
		args = append(args, "opening="+[]string{"pro", "long"}[r.Distance-3])
	}
	return strings.TrimSuffix(kind+":"+strings.Join(args, ","), ":")
}
