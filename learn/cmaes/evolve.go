// SPDX-License-Identifier: Apache-2.0

package cmaes

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// distribution is the normal distribution N(mean, sigma² C), with C = U'U, from which candidates are drawn.
//
//	candidate   x = mean + sigma U'z       z is drawn from N(0, I)
//	paths       ps and pc add up the recent steps of the mean: a long ps increases sigma, and pc increases C in its direction
type distribution struct {
	mean   []float64
	sigma  float64
	u      [][]float64 // row i of U contains columns i, i+1, ...
	ps, pc []float64
	rates
}

// rates are constants that depend only on the dimension n and the population. CITE: Hansen, The CMA Evolution Strategy: A
// Tutorial, 2016, table 1, with positive weights only. Hansen's algorithm does not update the path pc while the path ps is
// long; this exception is omitted here.
type rates struct {
	weights             []float64 // weights of the better half of the candidates, best first; their sum is 1
	mu                  float64   // effective number of candidates: 1 / (sum of the squares of the weights)
	cc, cs, c1, cmu, ds float64
	length              float64 // expected length of a sample of N(0, I)
}

type sample struct{ z, x []float64 }

func newDistribution(dim, population int, sigma float64) *distribution {
	d := &distribution{
		mean: make([]float64, dim), sigma: sigma, u: make([][]float64, dim),
		ps: make([]float64, dim), pc: make([]float64, dim), rates: newRates(float64(dim), population),
	}
	for i := range d.u {
		d.u[i] = make([]float64, dim-i)
		d.u[i][0] = 1
	}
	return d
}

func newRates(n float64, population int) (r rates) {
	r.weights = make([]float64, population/2)
	for i := range r.weights {
		r.weights[i] = math.Log(float64(population+1)/2) - math.Log(float64(i+1))
	}
	scale(1/(mean(r.weights)*float64(len(r.weights))), r.weights)
	r.mu = 1 / dot(r.weights, r.weights)
	r.cc = (4 + r.mu/n) / (n + 4 + 2*r.mu/n)
	r.cs = (r.mu + 2) / (n + r.mu + 5)
	r.c1 = 2 / ((n+1.3)*(n+1.3) + r.mu)
	r.cmu = min(1-r.c1, 2*(r.mu-2+1/r.mu)/((n+2)*(n+2)+r.mu))
	r.ds = 1 + 2*max(0, math.Sqrt((r.mu-1)/(n+1))-1) + r.cs
	r.length = math.Sqrt(n) * (1 - 1/(4*n) + 1/(21*n*n))
	return r
}

func (d *distribution) draw(rng *rand.Rand) sample {
	s := sample{z: make([]float64, len(d.mean)), x: slices.Clone(d.mean)}
	for i := range s.z {
		s.z[i] = rng.NormFloat64()
	}
	add(s.x, d.sigma, d.shape(s.z))
	return s
}

func (d *distribution) shape(z []float64) []float64 {
	y := make([]float64, len(z))
	for i, row := range d.u {
		add(y[i:], z[i], row)
	}
	return y
}

// update moves the distribution towards the better half of its candidates. If two candidates have the same fitness, the earlier
// one counts as better.
func (d *distribution) update(all []sample, fitness []float64) {
	best := make([]int, len(all))
	for i := range best {
		best[i] = i
	}
	slices.SortStableFunc(best, func(i, j int) int { return cmp.Compare(fitness[j], fitness[i]) })
	// z is the weighted mean of the vectors z of the better half. The method shape converts z to the step of the mean.
	z := make([]float64, len(d.mean))
	for i, w := range d.weights {
		add(z, w, all[best[i]].z)
	}
	y := d.shape(z)
	add(d.mean, d.sigma, y)
	scale(1-d.cs, d.ps)
	add(d.ps, math.Sqrt(d.cs*(2-d.cs)*d.mu), z)
	scale(1-d.cc, d.pc)
	add(d.pc, math.Sqrt(d.cc*(2-d.cc)*d.mu), y)
	steps := make([][]float64, len(d.weights)) // computed now, because shape uses C, which changes below
	for i := range steps {
		steps[i] = d.shape(all[best[i]].z)
	}
	for _, row := range d.u {
		scale(math.Sqrt(1-d.c1-d.cmu), row)
	}
	d.grow(d.c1, d.pc)
	for i, w := range d.weights {
		d.grow(d.cmu*w, steps[i])
	}
	d.sigma *= math.Exp(d.cs / d.ds * (math.Sqrt(dot(d.ps, d.ps))/d.length - 1))
}

// grow adds w v v' to C, where w > 0. It appends v, multiplied by the square root of w, to U as a new row. Then it rotates each
// row of U with the new row, until the new row is 0 and is dropped. CITE: Krause, Arbonès and Igel, CMA-ES with Optimal
// Covariance Update and Storage Complexity, 2016: only the factor U is updated, and C itself is never computed.
func (d *distribution) grow(w float64, v []float64) {
	v = slices.Clone(v)
	scale(math.Sqrt(w), v)
	for i, row := range d.u {
		length := math.Hypot(row[0], v[i])
		cos, sin := row[0]/length, v[i]/length
		for j := range row {
			row[j], v[i+j] = cos*row[j]+sin*v[i+j], cos*v[i+j]-sin*row[j]
		}
	}
}

func add(v []float64, f float64, w []float64) {
	for i := range w {
		v[i] += f * w[i]
	}
}

func scale(f float64, v []float64) {
	for i := range v {
		v[i] *= f
	}
}

func dot(v, w []float64) (sum float64) {
	for i := range v {
		sum += v[i] * w[i]
	}
	return sum
}
