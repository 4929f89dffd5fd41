// SPDX-License-Identifier: Apache-2.0

package chua_test

import (
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/chua"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestValueIsSumOverThreats compares random games with a sum over the threats found.
func TestValueIsSumOverThreats(t *testing.T) {
	for _, g := range []*mnk.Game{
		must(mnk.TicTacToe(3, 3)), must(mnk.MNK(7, 6, 4)), must(mnk.Gomoku(9)), must(mnk.Connect4(7, 6, 4)),
		must(mnk.MNK(5, 5, 2)), must(mnk.MNK(3, 3, 1)), must(mnk.MNK(3, 2, 6)),
	} {
		t.Run(g.String(), func(t *testing.T) {
			e := must(generic.New(g, chua.Weights(must(generic.K(g)))))
			rng := rand.New(rand.NewPCG(4, 4))
			p := g.Start().(game.Lined)
			for p.Outcome() == game.Ongoing {
				moves := p.AppendMoves(nil)
				p.Play(moves[rng.IntN(len(moves))])
				want := eval.Score(0)
				for _, f := range threat.Find(p) {
					if f.Class != threat.Closed {
						want += weigh(p.K()-f.Size) * (1 - 2*eval.Score(f.Side))
					}
				}
				if got := e.Evaluate(p, game.First); got != want*eval.Unit {
					t.Fatalf("ply %d: %d for first, want %d", p.Ply(), got, want*eval.Unit)
				}
				if got := e.Evaluate(p, game.Second); got != -want*eval.Unit {
					t.Fatalf("ply %d: %d for second, want %d", p.Ply(), got, -want*eval.Unit)
				}
			}
		})
	}
}

func weigh(missing int) eval.Score {
	switch missing {
	case 0:
		return 100
	case 1:
		return 10
	case 2:
		return 1
	}
	return 0
}
