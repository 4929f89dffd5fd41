// SPDX-License-Identifier: Apache-2.0

package search_test

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
)

func ExampleStream() {
	g, err := mnk.TicTacToe(3, 3)
	if err != nil {
		panic(err)
	}
	s, err := alphabeta.New(g, alphabeta.Options{Deepening: true})
	if err != nil {
		panic(err)
	}
	for info, err := range search.Stream(context.Background(), s, g.Start(), search.Limits{Depth: 9}) {
		if err != nil {
			panic(err)
		}
		if info.Depth == 2 {
			break // stops the search
		}
		fmt.Println("depth", info.Depth, "move", g.Format(info.PV[0]))
	}
	// Output:
	// depth 1 move a1
	// depth 1 move a1
}
