// SPDX-License-Identifier: Apache-2.0

package gametest

import (
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/game"
)

// Bench plays evenly random games of g through the public interface and reports games and moves a second.
// Each game pays for its Start.
func Bench(b *testing.B, g game.Game) {
	rng := rand.New(rand.NewPCG(1, 2))
	moves := make([]game.Move, 0, g.Moves())
	games, plies := 0, 0
	for b.Loop() {
		p := g.Start()
		for p.Outcome() == game.Ongoing {
			moves = p.AppendMoves(moves[:0])
			// The high half of a product is an even draw to within 2^-32: no division.
			p.Play(moves[uint64(rng.Uint32())*uint64(len(moves))>>32])
		}
		games++
		plies += p.Ply()
	}
	b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds(), "moves/s")
}
