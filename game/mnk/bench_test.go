// SPDX-License-Identifier: Apache-2.0

package mnk_test

import (
	"testing"

	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

func BenchmarkRandomGames(b *testing.B) {
	m := gametest.Must[*mnk.Game](b)
	for _, g := range []*mnk.Game{
		m(mnk.TicTacToe(3, 3)), m(mnk.Connect4(7, 6, 4)), m(mnk.Gomoku(15)), m(mnk.Pente(19)), m(mnk.Connect6(19)),
	} {
		b.Run("game="+g.String(), func(b *testing.B) { gametest.Bench(b, g) })
	}
}
