// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"context"
	"fmt"
	"log"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// A program outside krow plays a move, analyses, solves and runs a match.
func Example() {
	ctx := context.Background()
	g := must(krow.Game("tictactoe"))
	position := g.Start()
	if err := notation.Play(position, "a1 b1"); err != nil {
		log.Fatal(err)
	}

	strong := must(krow.Player(g, "alphabeta", 1))
	move := must(strong.Move(ctx, position, search.Limits{Depth: 9}))
	fmt.Println("play:", g.Format(move))

	info := must(analysis.Ask(ctx, strong, position, search.Limits{Depth: 9}, nil))
	fmt.Println("analysis:", info.Words())

	solver := must(solve.New(g, solve.Options{Hash: 1 << 20}))
	fmt.Println("value:", must(solver.Solve(ctx, g.Start(), nil)).Value)

	match := arena.Match{Game: g, A: entrant(g, "mcts"), B: entrant(g, "random"), Games: 20, Seed: 1, Limits: search.Limits{Nodes: 200}}
	result := must(match.Run(ctx))
	fmt.Printf("match: %d won, %d drawn, %d lost\n", result.AWins, result.Draws, result.BWins)
	// Output:
	// play: a2
	// analysis: win in 5, solved
	// value: draw
	// match: 18 won, 2 drawn, 0 lost
}

// entrant names a player of a match. Each of its games begins with a new player.
func entrant(g game.Game, spec string) arena.Factory {
	return arena.Factory{Name: spec, New: func(seed uint64) (player.Player, error) { return krow.Player(g, spec, seed) }}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
