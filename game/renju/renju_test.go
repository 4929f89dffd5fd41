// SPDX-License-Identifier: Apache-2.0

package renju_test

import (
	"testing"

	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
)

func newGame(t testing.TB, size int) *mnk.Game {
	t.Helper()
	g, err := renju.New(size)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestConformance(t *testing.T) {
	for _, size := range []int{15, 9, 5, 3} {
		gametest.Run(t, newGame(t, size))
	}
}
