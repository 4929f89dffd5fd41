// SPDX-License-Identifier: Apache-2.0

package mnk_test

import (
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

func TestConformance(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, g := range []*mnk.Game{
		m(mnk.TicTacToe(3, 3)), m(mnk.Gomoku(15)), m(mnk.Standard(9)), m(mnk.Caro(9)), m(mnk.Connect4(7, 6, 4)),
		m(mnk.Connect4(12, 3, 5)), m(mnk.Connect6(9)), m(mnk.Pente(9)), m(mnk.PenteBy(9, true, 4)), m(mnk.MNK(1, 9, 2)), m(mnk.MNK(9, 1, 3)),
		m(mnk.MNK(2, 3, 7)), m(mnk.MNK(1, 1, 1)), m(mnk.MNK(128, 128, 10)), m(mnk.MNK(70, 70, 10)), m(mnk.MNK(8, 8, 4)),
	} {
		gametest.Run(t, g)
	}
}

func TestPerftIsKnown(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	tests := []struct {
		name  string
		g     game.Game
		nodes []uint64 // at depth 1, 2, ...
	}{
		// 255168 games in all: the sum of those that end at each depth.
		{"tictactoe", m(mnk.TicTacToe(3, 3)), []uint64{9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872}},
		{"connect4", m(mnk.Connect4(7, 6, 4)), []uint64{7, 49, 343, 2401, 16807, 117649, 823536, 5673234}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			for i, want := range tc.nodes {
				if got := game.Perft(tc.g.Start(), i+1); got != want {
					t.Errorf("Perft(%d) = %d, want %d", i+1, got, want)
				}
			}
		})
	}
}
