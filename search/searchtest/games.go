// SPDX-License-Identifier: Apache-2.0

package searchtest

import (
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

// games are those on which the contract is checked: the usual ones and the odd.
func games(t *testing.T) []game.Game {
	t.Helper()
	m := must(t)
	return []game.Game{
		m(mnk.TicTacToe(3, 3)),
		m(mnk.MNK(1, 1, 1)), m(mnk.MNK(1, 9, 2)), m(mnk.MNK(9, 1, 3)), m(mnk.MNK(2, 3, 7)), // thin, and k beyond the board
		m(mnk.Connect4(7, 6, 4)), m(mnk.Connect4(12, 3, 5)), // a move is a column, not a cell
		m(mnk.Connect6(7)), // one side moves twice
		m(mnk.Pente(7)),    // stones vanish
		m(mnk.Gomoku(15)), m(mnk.Caro(9)),
		m(mnk.MNK(128, 128, 10)),
	}
}

// solvable are games small enough for the oracle.
func solvable(t *testing.T) []game.Game {
	t.Helper()
	m := must(t)
	return []game.Game{
		m(mnk.TicTacToe(3, 3)), m(mnk.MNK(3, 3, 2)), m(mnk.MNK(1, 5, 2)), m(mnk.MNK(2, 2, 3)), m(mnk.MNK(4, 3, 3)),
		m(mnk.Connect4(4, 4, 4)), m(mnk.Connect4(5, 4, 3)),
		m(mnk.New(mnk.Rules{Name: "two stones a turn", Columns: 4, Rows: 3, K: 4, Turn: 2})),
		m(mnk.New(mnk.Rules{Name: "one capture wins", Columns: 4, Rows: 3, K: 4, Captures: 1})),
	}
}

// must unwraps a constructor's result.
func must(t *testing.T) func(g *mnk.Game, err error) *mnk.Game {
	return func(g *mnk.Game, err error) *mnk.Game {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
}
