// SPDX-License-Identifier: Apache-2.0

package renju_test

import (
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
)

// BenchmarkForbidden asks about all empty cells of 64 boards, and reports the time for one.
func BenchmarkForbidden(b *testing.B) {
	for _, board := range []struct {
		name string
		generator
	}{{"empty", func(*rand.Rand, reference) []int { return nil }}, {"scatter", scatter}, {"weave", weave}} {
		b.Run("board="+board.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			var boards [64]reference
			points := 0
			for i := range boards {
				boards[i] = reference{make([]game.Stone, 225), 15, 15}
				board.generator(rng, boards[i])
				points += len(boards[i].empty())
			}
			b.ReportAllocs()
			for b.Loop() {
				for _, r := range boards {
					for cell, s := range r.cells {
						if s == game.Empty {
							renju.Forbidden(r.cells, r.columns, r.rows, cell)
						}
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*points), "ns/point")
		})
	}
}

// BenchmarkRandomGames compares renju with the same board without forbidden points.
func BenchmarkRandomGames(b *testing.B) {
	for _, size := range []int{15, 19} {
		free, err := mnk.Gomoku(size)
		if err != nil {
			b.Fatal(err)
		}
		for _, g := range []*mnk.Game{free, newGame(b, size)} {
			b.Run("game="+g.String(), func(b *testing.B) { gametest.Bench(b, g) })
		}
	}
}

// TestForbiddenDoesNotAllocate counts on boards where the look ahead is deep.
func TestForbiddenDoesNotAllocate(t *testing.T) {
	r := reference{make([]game.Stone, 225), 15, 15}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		clear(r.cells)
		weave(rng, r)
		if n := testing.AllocsPerRun(1, func() {
			for _, cell := range r.empty() {
				renju.Forbidden(r.cells, r.columns, r.rows, cell)
			}
		}); n > 1 { // the list of empty cells is one
			t.Fatalf("%v allocations on%s", n, draw(r))
		}
	}
}
