// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"fmt"
	"strings"

	"github.com/krow-lab/krow/game"
)

// MNK returns plain m,n,k on m columns and n rows.
func MNK(m, n, k int) (*Game, error) {
	return New(Rules{Name: fmt.Sprintf("mnk:%d,%d,%d", m, n, k), Columns: m, Rows: n, K: k})
}

// TicTacToe returns k in a row on a square board; the game is size 3, k 3.
func TicTacToe(size, k int) (*Game, error) {
	name := named("tictactoe", size, 3)
	if k != 3 {
		name = fmt.Sprintf("tictactoe:%d,k=%d", size, k)
	}
	return New(Rules{Name: name, Columns: size, Rows: size, K: k})
}

// Gomoku returns free-style gomoku: five or more in a row win.
func Gomoku(size int) (*Game, error) {
	return Family("gomoku", Rules{Columns: size, Rows: size, K: 5})
}

// Standard returns gomoku in which exactly five win.
func Standard(size int) (*Game, error) {
	return Family("standard", Rules{Columns: size, Rows: size, K: 5, Exact: [2]bool{true, true}})
}

// Caro returns the Vietnamese game: five or more in a row win unless an enemy stone stands at both ends.
// The edge of the board is no enemy. CITE: Gomocup rule 8 (caro free-style).
func Caro(size int) (*Game, error) {
	return Family("caro", Rules{Columns: size, Rows: size, K: 5, Blocked: true})
}

// Family returns a game of the gomoku family: r, whose name follows from the kind, such as "caro", and from what is not
// usual of 15 x 15 cells and five in a row:
//
//	KIND[:SIZE][,k=K][,exact=on]        caro   caro:20   caro:20x15,k=6   caro:exact=on
//
// Only caro has a variant in which longer rows do not win.
func Family(kind string, r Rules) (*Game, error) {
	var args []string
	switch {
	case r.Columns != r.Rows:
		args = append(args, fmt.Sprintf("%dx%d", r.Columns, r.Rows))
	case r.Columns != 15:
		args = append(args, fmt.Sprint(r.Columns))
	}
	if r.K != 5 {
		args = append(args, fmt.Sprintf("k=%d", r.K))
	}
	if r.Blocked && r.Exact[game.First] {
		args = append(args, "exact=on")
	}
	r.Name = kind
	if len(args) > 0 {
		r.Name += ":" + strings.Join(args, ",")
	}
	return New(r)
}

// Connect4 returns the game of falling stones; 7 columns, 6 rows and k = 4 are the usual one.
func Connect4(columns, rows, k int) (*Game, error) {
	name := "connect4"
	if columns != 7 || rows != 6 {
		name += fmt.Sprintf(":%dx%d", columns, rows)
		if k != 4 {
			name += fmt.Sprintf(",k=%d", k)
		}
	} else if k != 4 {
		name += fmt.Sprintf(":k=%d", k)
	}
	return New(Rules{Name: name, Columns: columns, Rows: rows, K: k, Gravity: true})
}

// Connect6 returns six in a row: one stone in the first turn, then two in each.
// CITE: Wu and Huang, A New Family of k-in-a-row Games, 2005.
func Connect6(size int) (*Game, error) {
	return New(Rules{Name: named("connect6", size, 19), Columns: size, Rows: size, K: 6, Opening: 1, Turn: 2})
}

// Pente returns five in a row with custodial capture: two adjacent stones of the enemy between two of one's
// own are taken, and five such pairs win. A stone may be placed between two enemies unharmed.
func Pente(size int) (*Game, error) {
	return New(Rules{Name: named("pente", size, 19), Columns: size, Rows: size, K: 5, Captures: 5})
}

func named(name string, size, usual int) string {
	if size == usual {
		return name
	}
	return fmt.Sprintf("%s:%d", name, size)
}
