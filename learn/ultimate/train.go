// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/learn/nnue"
)

type (
	row    = nnue.Row
	second = [network.Second]float32
)

type gradient struct {
	network.Parameters
	set      [network.Inputs]bool // by input: whether the row of this input in the field In may have values other than 0
	index    []uint16
	x, a, dx row
}

// clear sets the gradient to 0. It clears only the inputs that the field set marks, because a small batch uses few inputs.
func (g *gradient) clear() {
	for i, set := range &g.set {
		if set {
			g.In[i], g.set[i] = row{}, false
		}
	}
	g.Weights, g.Bias, g.Out, g.Offset = [network.Second]row{}, second{}, second{}, 0
}

// add transforms a position by a symmetry, and adds the gradient of the loss to g. The loss is the cross entropy between the
// label and the network's output. add returns it in nats. The formulas use the notation of [network.Parameters]; c(h) is h
// clipped to 0..1:
//
//	y = 1/(1+exp(-z))    dz = y - label                 dOut = dz c(h)
//	dh = dz Out where 0 < h < 1                         dWeights = dh a
//	da = sum of dh Weights                              dx = 2 c(x) da where 0 < x < 1
func (g *gradient) add(p *network.Parameters, v *network.View, label float32, turn uint8) float64 {
	turned := turnedView(v, turn)
	g.index = turned.Inputs(g.index[:0])
	var h second
	y := g.forward(p, &h)
	dz := y - label
	g.Offset += dz
	g.dx = row{}
	for k, x := range &h {
		g.Out[k] += dz * min(max(x, 0), 1)
		if d := dz * p.Out[k]; x > 0 && x < 1 {
			g.Bias[k] += d
			nnue.AddTimes(&g.Weights[k], &g.a, d)
			nnue.AddTimes(&g.dx, &p.Weights[k], d)
		}
	}
	for j, c := range &g.x {
		if c > 0 && c < 1 {
			g.dx[j] *= 2 * c
		} else {
			g.dx[j] = 0
		}
	}
	nnue.AddToRows(g.In[:], &g.dx, g.index)
	for _, i := range g.index {
		g.set[i] = true
	}
	return nnue.CrossEntropy(float64(label), float64(y), math.Log)
}

// forward returns the expected score for the inputs in index. It stores the values of the layers, which the gradient needs.
func (g *gradient) forward(p *network.Parameters, h *second) float32 {
	g.x = row{}
	nnue.SumRows(&g.x, p.In[:], g.index)
	for j, x := range &g.x {
		c := min(max(x, 0), 1)
		g.a[j] = c * c
	}
	z := p.Offset
	for k := range h {
		h[k] = p.Bias[k] + nnue.Dot(&g.a, &p.Weights[k])
		z += float32(p.Out[k] * min(max(h[k], 0), 1))
	}
	return float32(nnue.Chance(z))
}

func loss(p *network.Parameters, s *samples) float64 {
	sum := 0.0
	var g gradient
	var h second
	for i, label := range s.labels {
		g.index = s.views[i].Inputs(g.index[:0])
		sum += nnue.CrossEntropy(float64(label), float64(g.forward(p, &h)), math.Log)
	}
	return sum / max(float64(s.len()), 1)
}
