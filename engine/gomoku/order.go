// SPDX-License-Identifier: Apache-2.0

package gomoku

import "math"

// orderUnit is what the order of moves counts for a factor of e in the chance that a move is the best.
const orderUnit = 48

// FitOrder returns prior with the order of moves under which the moves that were played are the most likely, when a
// move's chance is proportional to e to its looks over 48. It begins at prior's order.
// CITE: Coulom, Computing Elo Ratings of Move Patterns in the Game of Go, 2007.
func FitOrder(samples []Sample, prior *Weights, renju bool, f Fitting) *Weights {
	row := newRow(prior.orderRow(), orderTraits(renju), f.Spread/orderUnit, traitSpread/orderUnit)
	x, gradient := make([]float64, 2*orderSide), make([]float64, 2*orderSide)
	for round := range f.Rounds {
		row.values(x)
		clear(gradient)
		for i := range samples {
			samples[i].blame(x, gradient, f.Share)
		}
		row.step(gradient, 0.05*(1-float64(round)/float64(f.Rounds)))
	}
	row.values(x)
	w := *prior
	w.setOrder(x, renju)
	return &w
}

// blame adds to the gradient how much less surprising the move played would be, and returns the surprise in bits. A
// sample without a choice has none.
func (s *Sample) blame(x, gradient []float64, share float64) float64 {
	if len(s.options) < 2 {
		return 0
	}
	var chances [maxSide * maxSide]float64
	sum := 0.0
	for j, o := range s.options {
		chances[j] = math.Exp(min(x[o[0]]+x[o[1]], 300))
		sum += chances[j]
	}
	if gradient != nil {
		for j, o := range s.options {
			d := chances[j] / sum
			if j == 0 {
				d--
			}
			gradient[o[0]] += share * d
			gradient[o[1]] += share * d
		}
	}
	return -math.Log2(max(chances[0]/sum, 1e-300))
}

// Surprise returns how surprising the moves played are to the order of w, in bits a move.
func (w *Weights) Surprise(samples []Sample) (bits float64) {
	x, n := w.orderRow(), 0
	for i := range samples {
		if len(samples[i].options) > 1 {
			bits, n = bits+samples[i].blame(x, nil, 0), n+1
		}
	}
	return bits / float64(max(n, 1))
}

func orderTraits(renju bool) [][]uint16 {
	var all [][]uint16
	for side := range 2 {
		for half := range 2 {
			all = append(all, traitsOf(renju && side == 0, (2*side+half)*patternTraits)...)
		}
	}
	return all
}

// orderRow returns the parameters of the order of moves, in factors of e.
func (w *Weights) orderRow() (x []float64) {
	for s := range w.Side {
		for _, v := range w.Side[s].Attack {
			x = append(x, float64(v)/orderUnit)
		}
		for _, v := range w.Side[s].Defend {
			x = append(x, float64(v)/orderUnit)
		}
	}
	return x
}

// setOrder sets the parameters of the order of moves. Without sides of their own both have the first one's.
func (w *Weights) setOrder(x []float64, apart bool) {
	for s := range w.Side {
		own := x
		if apart {
			own = x[s*orderSide:]
		}
		for p := range w.Side[s].Attack {
			w.Side[s].Attack[p] = toWeight(own[p] * orderUnit)
			w.Side[s].Defend[p] = toWeight(own[numPatterns+p] * orderUnit)
		}
	}
}

// CopyOrder takes the order of moves from another's.
func (w *Weights) CopyOrder(from *Weights) {
	for s := range w.Side {
		w.Side[s].Attack, w.Side[s].Defend = from.Side[s].Attack, from.Side[s].Defend
	}
}
