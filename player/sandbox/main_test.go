// SPDX-License-Identifier: Apache-2.0

package sandbox

import (
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

func TestMain(m *testing.M) {
	runTrial()
	Serve(func(string) (game.Game, error) { return mnk.TicTacToe(3, 3) })
	defer CloseIdle()
	m.Run()
}
