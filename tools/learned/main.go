// SPDX-License-Identifier: Apache-2.0

// Learned prints the file eval/generic/learned.json, the weights of the generic heuristic that are part of krow. It learns
// the weights with seed 1, by the Q-learning that Abdoulaye, Houndji, Ezin and Aglin published in 2018. It does so for
// Connect Four and for every board in the tables of their paper. "krow learn qlearning GAME --seed 1" learns the same
// weights.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/research/published"
)

const seed = 1

func main() {
	if err := printLearned(); err != nil {
		fmt.Fprintln(os.Stderr, "learned:", err)
		os.Exit(1)
	}
}

func printLearned() error {
	games, known := []string{"connect4"}, map[string]bool{}
	for _, c := range published.Cells() {
		if !known[c.Game] {
			known[c.Game] = true
			games = append(games, c.Game)
		}
	}
	library := generic.Library{Learner: "qlearning", Seed: seed, Date: time.Now().UTC().Format(time.DateOnly)}
	for _, name := range games {
		g, err := krow.Game(name)
		if err != nil {
			return err
		}
		l, err := krow.Learner(g, library.Learner, seed)
		if err != nil {
			return err
		}
		if err := learn.Run(context.Background(), l, func([]byte, learn.CurvePoint) error { return nil }); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		b, err := generic.NewBoard(g, l.(published.Learner).Weights())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		library.Boards = append(library.Boards, b)
	}
	data, err := library.Format()
	if err == nil {
		_, err = os.Stdout.Write(data)
	}
	return err
}
