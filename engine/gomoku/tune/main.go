// SPDX-License-Identifier: Apache-2.0

// Command tune fits the weights of the gomoku engine's evaluation to the results of its own games, and prints them
// as Go. The same arguments give the same weights.
//
//	go run ./engine/gomoku/tune -games 3000 -nodes 500 -seed 1
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
)

var rules = map[string]func(int) (*mnk.Game, error){
	"gomoku": mnk.Gomoku, "standard": mnk.Standard, "caro": mnk.Caro, "renju": renju.New,
}

func main() {
	name := flag.String("game", "gomoku", "gomoku, standard, caro or renju")
	games := flag.Int("games", 3000, "games to play")
	nodes := flag.Uint64("nodes", 500, "nodes a move")
	seed := flag.Uint64("seed", 1, "seed of the openings")
	jobs := flag.Int("jobs", runtime.GOMAXPROCS(0), "games at once")
	ridge := flag.Float64("ridge", 0.01, "how strongly the weights are held near the present ones")
	flag.Parse()
	if err := tune(*name, *games, *jobs, *nodes, *seed, *ridge); err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

func tune(name string, games, jobs int, nodes, seed uint64, ridge float64) error {
	newGame, ok := rules[name]
	if !ok {
		return fmt.Errorf("unknown game %q", name)
	}
	var g game.Game
	g, err := newGame(15)
	if err != nil {
		return err
	}
	samples, err := gomoku.SelfPlay(context.Background(), g, gomoku.Options{Hash: 1 << 20}, games, jobs, nodes, seed)
	if err != nil {
		return err
	}
	prior := &gomoku.DefaultWeights
	if name == "renju" {
		prior = &gomoku.RenjuWeights
	}
	w, before, after := gomoku.Fit(samples, prior, ridge)
	fmt.Printf("%d positions, loss %.4f -> %.4f bits\n", len(samples), before, after)
	w.Attack, w.Defend, before, after = gomoku.FitOrder(samples, prior, 150)
	fmt.Printf("moves %.3f -> %.3f bits\n%+v\n", before, after, *w)
	return nil
}
