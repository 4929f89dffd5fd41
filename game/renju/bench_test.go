// SPDX-License-Identifier: Apache-2.0

package renju_test

import (
	"testing"

	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

// BenchmarkRandomGames compares renju with the same board without forbidden points.
func BenchmarkRandomGames(b *testing.B) {
	for _, size := range []int{15, 19} {
		free, err := mnk.Gomoku(size)
		if err != nil {
			b.Fatal(err)
		}
		for _, g := range []*mnk.Game{free, newGame(b, size)} {
			b.Run("game="+g.String(), func(b *testing.B) { gametest.Bench(b, g) })
		}
	}
}
