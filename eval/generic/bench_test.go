// SPDX-License-Identifier: Apache-2.0

package generic_test

import (
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

// BenchmarkEvaluate values each move that can be played, from scratch and following the position. Playing and
// taking back is included: how=play has nothing else.
func BenchmarkEvaluate(b *testing.B) {
	g := gametest.Must[*mnk.Game](b)(mnk.Gomoku(15))
	p := g.Start()
	rng := rand.New(rand.NewPCG(5, 6))
	for p.Ply() < 30 {
		x, y := 3+rng.IntN(9), 3+rng.IntN(9)
		m := game.Move(x + 15*y)
		if game.Legal(p, m) {
			if p.Play(m); p.Outcome() != game.Ongoing {
				p.Undo()
			}
		}
	}
	for _, how := range []string{"play", "full", "incremental"} {
		b.Run("size=15/how="+how, func(b *testing.B) { benchEvaluate(b, g, p, how) })
	}
}

func benchEvaluate(b *testing.B, g game.Game, p game.Position, how string) {
	e, err := generic.New(g, generic.Fixed(5))
	if err != nil {
		b.Fatal(err)
	}
	follow := how == "incremental"
	if follow {
		e.Reset(p)
	}
	moves := p.AppendMoves(nil)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		m := moves[i]
		if i++; i == len(moves) {
			i = 0
		}
		if follow {
			e.Play(m)
		}
		p.Play(m)
		if how != "play" {
			e.Evaluate(p, game.First)
		}
		p.Undo()
		if follow {
			e.Undo()
		}
	}
}
