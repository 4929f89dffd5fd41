// SPDX-License-Identifier: Apache-2.0

package network

import "math"

// Parameters are a network in numbers of which it can be learned. With x[j] the Bias plus the In of all inputs that
// are there, clipped to 0..1, the logit of the expected score is
//
//	Offset + sum over j of Out[j] * x[j] * x[j]
type Parameters struct {
	In        [Inputs][Hidden]float32
	Bias, Out [Hidden]float32
	Offset    float32
}

// Network returns the network in whole numbers. Cells of the hidden layer whose sums could overflow are made smaller.
func (p *Parameters) Network(recipe string) (*Network, error) {
	var w weights
	for j := range Hidden {
		fit := p.fit(j)
		for i := range Inputs {
			w.Rows[i][j] = whole(p.In[i][j] * fit)
		}
		w.Bias[j] = whole(p.Bias[j] * fit)
	}
	// As fine as the sum of 32 bits and a weight of 16 let it be.
	total, greatest := float32(0), float32(0)
	for _, x := range p.Out {
		total, greatest = total+abs(x), max(greatest, abs(x))
	}
	const room = math.MaxInt32/(1<<15) - Hidden // for the sum of all weights, each of which is rounded
	scale := min(room/max(total, 1e-3), math.MaxInt16/max(greatest, 1e-3))
	for j, x := range p.Out {
		w.Out[j] = whole(x * scale)
	}
	const squared = One * One / 8.0
	return build(&w, 1/(squared*scale), p.Offset, recipe)
}

// fit returns what the weights of hidden cell j are to be multiplied with to become whole numbers: One, or less
// where a sum of 16 bits could overflow.
func (p *Parameters) fit(j int) float32 {
	reach := abs(p.Bias[j])
	for m := range enemyStones - ownStones {
		reach += max(abs(p.In[ownStones+m][j]), abs(p.In[enemyStones+m][j]))
	}
	for i := range enemyBoards - ownBoards {
		reach += max(abs(p.In[ownBoards+i][j]), abs(p.In[enemyBoards+i][j]))
	}
	most := float32(0)
	for i := forced; i < Inputs; i++ {
		most = max(most, abs(p.In[i][j]))
	}
	const room = math.MaxInt16 - 100 // each of the 92 numbers is rounded
	return min(One, room/(reach+most))
}

func whole(x float32) int16 { return int16(math.RoundToEven(float64(x))) }

func abs(x float32) float32 { return max(x, -x) }
