// SPDX-License-Identifier: Apache-2.0

package gomoku

import "math"

// options returns the moves worth a look, the one played first, or nil when that is none of them.
func (b *board) options(list *moveList, played int) (all []Option) {
	n, found := b.generate(list), false
	for _, m := range list[:n] {
		code := b.cells[m.cell].code
		if all = append(all, newOption(code>>(16*b.turn)&0xffff, code>>(16*b.turn.Other())&0xffff)); int(m.cell) == played {
			last := len(all) - 1
			all[0], all[last], found = all[last], all[0], true
		}
	}
	if !found {
		return nil
	}
	return all
}

// orderUnit is what the order of moves counts for a factor of e in the chance that a move is the best.
const orderUnit = 48

const numOrder = int(numShapes) + int(numClasses)

// orderModel is the order's weights as a model: the attack's lines and classes, then the defence's.
type orderModel [2 * numOrder]float64

func newOption(own, foe uint32) (o Option) {
	at := o[:0]
	for side, code := range [2]uint32{own, foe} {
		var lines [4]shape
		for d := range lines {
			lines[d] = shape(code >> (4 * d) & 15)
			at = append(at, uint8(side*numOrder+int(lines[d])))
		}
		class, _ := classify(&lines, false)
		at = append(at, uint8(side*numOrder+int(numShapes)+int(class)))
	}
	return o
}

// FitOrder returns the weights of the order of moves under which the moves that were played are the most likely, when a
// move's chance is proportional to e to its looks over 48; gradient ascent with Adam. It also returns the mean chance, in
// bits, of a move played, before and after.
// CITE: Coulom, Computing Elo Ratings of Move Patterns in the Game of Go, 2007.
// CITE: Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015.
func FitOrder(samples []Sample, prior *Weights, rounds int) (attack, defend Order, before, after float64) {
	var x, m, v orderModel
	x.set(0, &prior.Attack)
	x.set(1, &prior.Defend)
	for round := 1; round <= rounds; round++ {
		g, bits := x.gradient(samples)
		if round == 1 {
			before = bits
		}
		after = bits
		for i := range x {
			const rate, decay1, decay2 = 0.05, 0.9, 0.99
			grad := g[i] - 1e-4*x[i]
			m[i] = decay1*m[i] + (1-decay1)*grad
			v[i] = decay2*v[i] + (1-decay2)*grad*grad
			step := m[i] / (1 - math.Pow(decay1, float64(round)))
			x[i] += rate * step / (math.Sqrt(v[i]/(1-math.Pow(decay2, float64(round)))) + 1e-6)
		}
	}
	return x.order(0), x.order(1), before, after
}

func (x *orderModel) set(side int, o *Order) {
	for i, w := range o.Line {
		x[side*numOrder+i] = float64(w) / orderUnit
	}
	for i, w := range o.Class {
		x[side*numOrder+int(numShapes)+i] = float64(w) / orderUnit
	}
}

func (x *orderModel) order(side int) (o Order) {
	at := func(i int) int16 { return int16(math.Round(orderUnit * max(-30, min(x[side*numOrder+i], 60)))) }
	for i := range o.Line {
		o.Line[i] = at(i)
	}
	for i := range o.Class {
		o.Class[i] = at(int(numShapes) + i)
	}
	return o
}

// gradient returns the mean gradient of the logarithm of the chance of the moves played, and its mean in bits.
func (x *orderModel) gradient(samples []Sample) (g orderModel, bits float64) {
	var chances []float64
	n := 0.0
	for i := range samples {
		options := samples[i].Choice
		if len(options) < 2 {
			continue
		}
		n++
		chances = chances[:0]
		sum := 0.0
		for _, o := range options {
			looks := 0.0
			for _, at := range o {
				looks += x[at]
			}
			chances = append(chances, math.Exp(min(looks, 300)))
			sum += chances[len(chances)-1]
		}
		bits -= math.Log2(max(chances[0]/sum, 1e-300))
		for j, o := range options {
			d := -chances[j] / sum
			if j == 0 {
				d++
			}
			for _, at := range o {
				g[at] += d
			}
		}
	}
	for i := range g {
		g[i] /= max(n, 1)
	}
	return g, bits / max(n, 1)
}
