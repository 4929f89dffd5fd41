// SPDX-License-Identifier: Apache-2.0

package cmaes

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestConverges lets the distribution find the top of hills whose height is known.
func TestConverges(t *testing.T) {
	distance := func(x []float64, scale func(i int) float64) float64 {
		sum := 0.0
		for i, v := range x {
			sum += scale(i) * (v - 1.25) * (v - 1.25)
		}
		return sum
	}
	tests := []struct {
		name            string
		dim, population int
		generations     int
		scale           func(i int) float64
	}{
		{"sphere", 16, 12, 500, func(int) float64 { return 1 }},
		{"small sphere", 2, 6, 150, func(int) float64 { return 1 }},
		{"one", 1, 4, 200, func(int) float64 { return 1 }},
		{"ellipsoid", 8, 10, 900, func(i int) float64 { return math.Pow(1e4, float64(i)/7) }},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			rng, d := rand.New(rand.NewPCG(1, 2)), newDistribution(tc.dim, tc.population, 1)
			for range tc.generations {
				all, fitness := make([]sample, tc.population), make([]float64, tc.population)
				for i := range all {
					all[i] = d.draw(rng)
					fitness[i] = -distance(all[i].x, tc.scale)
				}
				d.update(all, fitness)
			}
			if got := distance(d.mean, tc.scale); !(got < 1e-8) {
				t.Errorf("%g away after %d generations, sigma %g", got, tc.generations, d.sigma)
			}
		})
	}
}
