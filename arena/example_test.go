// SPDX-License-Identifier: Apache-2.0

package arena_test

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/player"
)

func ExampleMatch_Run() {
	g, err := mnk.TicTacToe(3, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	random := func(seed uint64) (player.Player, error) { return player.NewRandom(seed), nil }
	m := arena.Match{
		Game: g, A: arena.Factory{Name: "this", New: random}, B: arena.Factory{Name: "that", New: random},
		Games: 1000, Seed: 1, Jobs: 2,
	}
	s, err := m.Run(context.Background())
	fmt.Printf("%+d -%d =%d  Elo %+.1f ± %.1f  LOS %.2f  %v\n", s.AWins, s.BWins, s.Draws, s.Elo, s.EloError, s.LOS, err)
	// Output: +410 -454 =136  Elo -15.3 ± 18.7  LOS 0.05  <nil>
}
