// SPDX-License-Identifier: Apache-2.0

package cmaes

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// distribution is the normal distribution that candidates are drawn from, N(mean, sigma² C) with C = U'U.
//
//	candidate   x = mean + sigma U'z       z is drawn from N(0, I)
//	paths       ps and pc remember where the mean went: long ones make sigma grow, and C along them
type distribution struct {
	mean   []float64
	sigma  float64
	c      mat.Cholesky
	ps, pc []float64
	rates
}

// rates are the constants that follow from the dimension n and the population. CITE: Hansen, The CMA Evolution
// Strategy: A Tutorial, 2016, table 1, with positive weights only. Of his algorithm one thing is left out: pc is not
// held back where ps is long.
type rates struct {
	weights             []float64 // of the better half, the best first; their sum is 1
	mu                  float64   // how many candidates the weights amount to
	cc, cs, c1, cmu, ds float64
	length              float64 // to expect of N(0, I)
}

// sample is a candidate.
type sample struct{ z, x []float64 }

func newDistribution(dim, population int, sigma float64) *distribution {
	one := mat.NewSymDense(dim, nil)
	for i := range dim {
		one.SetSym(i, i, 1)
	}
	d := &distribution{
		mean: make([]float64, dim), sigma: sigma,
		ps: make([]float64, dim), pc: make([]float64, dim), rates: newRates(float64(dim), population),
	}
	d.c.Factorize(one)
	return d
}

func newRates(n float64, population int) (r rates) {
	r.weights = make([]float64, population/2)
	for i := range r.weights {
		r.weights[i] = math.Log(float64(population+1)/2) - math.Log(float64(i+1))
	}
	floats.Scale(1/floats.Sum(r.weights), r.weights)
	r.mu = 1 / floats.Dot(r.weights, r.weights)
	r.cc = (4 + r.mu/n) / (n + 4 + 2*r.mu/n)
	r.cs = (r.mu + 2) / (n + r.mu + 5)
	r.c1 = 2 / ((n+1.3)*(n+1.3) + r.mu)
	r.cmu = min(1-r.c1, 2*(r.mu-2+1/r.mu)/((n+2)*(n+2)+r.mu))
	r.ds = 1 + 2*max(0, math.Sqrt((r.mu-1)/(n+1))-1) + r.cs
	r.length = math.Sqrt(n) * (1 - 1/(4*n) + 1/(21*n*n))
	return r
}

// draw returns a candidate.
func (d *distribution) draw(rng *rand.Rand) sample {
	s := sample{z: make([]float64, len(d.mean)), x: slices.Clone(d.mean)}
	for i := range s.z {
		s.z[i] = rng.NormFloat64()
	}
	floats.AddScaled(s.x, d.sigma, d.shape(s.z))
	return s
}

// shape returns U'z.
func (d *distribution) shape(z []float64) []float64 {
	y := mat.NewVecDense(len(z), nil)
	y.MulVec(d.c.RawU().T(), mat.NewVecDense(len(z), z))
	return y.RawVector().Data
}

// update moves the distribution towards the better half of its candidates; of equals the earlier is the better. ps
// is in the coordinates of z, as with Krause: where C turns, that is not quite Hansen's C^(-1/2).
func (d *distribution) update(all []sample, fitness []float64) {
	best := make([]int, len(all))
	for i := range best {
		best[i] = i
	}
	slices.SortStableFunc(best, func(i, j int) int { return cmp.Compare(fitness[j], fitness[i]) })
	z := make([]float64, len(d.mean)) // where the mean goes, in the coordinates of z
	for i, w := range d.weights {
		floats.AddScaled(z, w, all[best[i]].z)
	}
	y := d.shape(z)
	floats.AddScaled(d.mean, d.sigma, y)
	floats.Scale(1-d.cs, d.ps)
	floats.AddScaled(d.ps, math.Sqrt(d.cs*(2-d.cs)*d.mu), z)
	floats.Scale(1-d.cc, d.pc)
	floats.AddScaled(d.pc, math.Sqrt(d.cc*(2-d.cc)*d.mu), y)
	steps := make([][]float64, len(d.weights)) // by the C that the candidates were drawn with
	for i := range steps {
		steps[i] = d.shape(all[best[i]].z)
	}
	d.c.Scale(1-d.c1-d.cmu, &d.c)
	d.grow(d.c1, d.pc)
	for i, w := range d.weights {
		d.grow(d.cmu*w, steps[i])
	}
	d.sigma *= math.Exp(d.cs / d.ds * (floats.Norm(d.ps, 2)/d.length - 1))
}

// grow adds w v v' to C. CITE: Krause, Arbonès and Igel, CMA-ES with Optimal Covariance Update and Storage
// Complexity, 2016: the factor is updated, and C never made.
func (d *distribution) grow(w float64, v []float64) {
	d.c.SymRankOne(&d.c, w, mat.NewVecDense(len(v), v))
}
