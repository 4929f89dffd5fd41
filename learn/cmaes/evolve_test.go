// SPDX-License-Identifier: Apache-2.0

package cmaes

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestDistributionFindsTop lets the distribution find the top of hills whose height is known.
func TestDistributionFindsTop(t *testing.T) {
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

// TestGrow: the factor that is updated is one of C + w v v', whatever was added before.
func TestGrow(t *testing.T) {
	const dim = 5
	rng, d := rand.New(rand.NewPCG(3, 4)), newDistribution(dim, 4, 1)
	want := [dim][dim]float64{}
	for i := range want {
		want[i][i] = 1
	}
	for range 20 {
		v, w := make([]float64, dim), rng.Float64()
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		d.grow(w, v)
		for i := range dim {
			for j := range dim {
				want[i][j] += w * v[i] * v[j]
			}
		}
	}
	for i := range dim {
		for j := i; j < dim; j++ {
			got := 0.0
			for k := range i + 1 {
				got += d.u[k][i-k] * d.u[k][j-k]
			}
			if math.Abs(got-want[i][j]) > 1e-12*math.Abs(want[i][i]) {
				t.Errorf("C[%d][%d] = %v, want %v", i, j, got, want[i][j])
			}
		}
	}
}
