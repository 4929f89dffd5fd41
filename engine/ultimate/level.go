// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"github.com/krow-lab/krow/engine/ultimate/board"

	"github.com/krow-lab/krow/internal/rng"
)

// Levels is the number of grades of strength.
const Levels = 10

var levels = [Levels]struct {
	nodes uint64
	noise float32
}{
	{60, 0.50},
	{60, 0.25},
	{60, 0.14},
	{120, 0.09},
	{250, 0.06},
	{500, 0.04},
	{1_200, 0.02},
	{4_000, 0},
	{16_000, 0},
	{80_000, 0},
}

// Level returns Options.Nodes and Options.Noise for a grade from 1, for beginners, to Levels. docs/ultimate.md tells
// how they fare against each other.
func Level(grade int) (nodes uint64, noise float32) {
	l := levels[grade-1]
	return l.nodes, l.noise
}

// disturb returns what an opponent that errs adds to the values of the moves of a position.
func (o *Options) disturb(key uint64) (noise [board.Moves]float32) {
	dice := rng.Rand(key ^ o.Seed)
	for i := range noise {
		// The sum of twelve even numbers from 0 to 1 is about normal, with mean 6 and variance 1.
		sum := float32(-6)
		for range 12 {
			sum += float32(dice.Next()>>40) / (1 << 24)
		}
		noise[i] = o.Noise * sum
	}
	return noise
}
