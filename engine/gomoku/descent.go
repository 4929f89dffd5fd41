// SPDX-License-Identifier: Apache-2.0

package gomoku

import "math"

// A row of parameters that are learned together. Each one is a sum of a few traits that it shares with others, and of
// something of its own, which is held near 0 so that only what many samples speak for departs from the sum:
//
//	parameter = prior + traits it has + its own
type row struct {
	prior  []float64
	traits [][]uint16 // of each parameter, as often as it has them
	x      []float64  // the values of the traits, then what each parameter has of its own
	held   []float64  // how strongly each of x is held near 0: the inverse of a variance
	m, v   []float64  // of the descent: the means of gradient and of its square
	rounds int
}

// newRow returns a row in which all is 0 but the prior. A parameter's own part has the spread given, in its unit.
func newRow(prior []float64, traits [][]uint16, spread, traitSpread float64) *row {
	numTraits := 0
	for _, t := range traits {
		for _, i := range t {
			numTraits = max(numTraits, int(i)+1)
		}
	}
	n := numTraits + len(prior)
	r := &row{prior: prior, traits: traits, x: make([]float64, n), held: make([]float64, n), m: make([]float64, n), v: make([]float64, n)}
	for i := range r.held {
		r.held[i] = 1 / (traitSpread * traitSpread)
		if i >= numTraits {
			r.held[i] = 1 / (spread * spread)
		}
	}
	return r
}

func (r *row) numTraits() int { return len(r.x) - len(r.prior) }

// values fills dst with the parameters.
func (r *row) values(dst []float64) {
	n := r.numTraits()
	for i := range dst {
		dst[i] = r.prior[i] + r.x[n+i]
		for _, t := range r.traits[i] {
			dst[i] += r.x[t]
		}
	}
}

// step goes down the gradient of the loss, which is a sum over samples, by about rate in each of x.
// CITE: Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015.
func (r *row) step(gradient []float64, rate float64) {
	const decay1, decay2 = 0.9, 0.99
	n := r.numTraits()
	g := make([]float64, len(r.x))
	for i, d := range gradient {
		g[n+i] = d
		for _, t := range r.traits[i] {
			g[t] += d
		}
	}
	r.rounds++
	fix1, fix2 := 1-math.Pow(decay1, float64(r.rounds)), 1-math.Pow(decay2, float64(r.rounds))
	for i := range r.x {
		d := g[i] + r.held[i]*r.x[i]
		r.m[i] = decay1*r.m[i] + (1-decay1)*d
		r.v[i] = decay2*r.v[i] + (1-decay2)*d*d
		r.x[i] -= rate * r.m[i] / fix1 / (math.Sqrt(r.v[i]/fix2) + 1e-9)
	}
}

// traitsOf returns the traits of the patterns of a side, numbered from first on: the four lines and the class.
func traitsOf(renju bool, first int) [][]uint16 {
	all := make([][]uint16, numPatterns)
	for code := range uint32(1 << 16) {
		p := patternOf(code)
		if p == numPatterns || all[p] != nil {
			continue
		}
		lines := linesOf(code)
		for _, s := range lines {
			all[p] = append(all[p], uint16(first+int(s)))
		}
		c, _ := classify(&lines, renju)
		all[p] = append(all[p], uint16(first+int(numShapes)+int(c)))
	}
	return all
}

// patternTraits is how many traits patterns have.
const patternTraits = int(numShapes) + int(numClasses)

// maskTraits returns the traits of the masks of threats: each threat, and the move.
func maskTraits(first int) [][]uint16 {
	all := make([][]uint16, 1<<numThreats)
	for mask := range all {
		all[mask] = []uint16{uint16(first + numThreats)}
		for bit := range numThreats {
			if mask>>bit&1 == 1 {
				all[mask] = append(all[mask], uint16(first+bit))
			}
		}
	}
	return all
}
