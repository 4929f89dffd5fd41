// SPDX-License-Identifier: Apache-2.0

package lines_test

import (
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/eval/lines"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

// BenchmarkEvaluate values each move that can be played, from scratch and following the position.
func BenchmarkEvaluate(b *testing.B) {
	g := must(mnk.Gomoku(15))
	p := g.Start()
	rng := rand.New(rand.NewPCG(5, 6))
	for p.Ply() < 30 {
		moves := p.AppendMoves(nil)
		if p.Play(moves[rng.IntN(len(moves))]); p.Outcome() != game.Ongoing {
			p.Undo()
		}
	}
	moves := p.AppendMoves(nil)
	for _, how := range []string{"full", "incremental"} {
		b.Run("size=15/how="+how, func(b *testing.B) {
			e := must(lines.New(g, lines.Options{}))
			if how == "incremental" {
				e.Reset(p)
			}
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				m := moves[i%len(moves)]
				i++
				if how == "incremental" {
					e.Play(m)
				}
				p.Play(m)
				e.Evaluate(p, game.First)
				p.Undo()
				if how == "incremental" {
					e.Undo()
				}
			}
		})
	}
	b.Run("size=15/how=order", func(b *testing.B) {
		e := must(lines.New(g, lines.Options{}))
		i := 0
		for b.Loop() {
			e.ScoreMove(p, moves[i%len(moves)])
			i++
		}
	})
}
