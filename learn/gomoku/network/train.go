// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math"

	engine "github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/learn/nnue"
)

type gradient struct {
	engine.Parameters
	state
}

// state holds the intermediate results of the network for a position.
type state struct {
	x, dx   row
	h, dh   hidden
	clipped hidden
	q, dq   query
	worth   []float32 // first the ratings of the moves, then the chances computed from them
}

// value returns the network's value of a position, in logits.
func (t *state) value(p *engine.Parameters, at *position, list []cells) float32 {
	t.x = row{}
	sumCells(&t.x, &p.Rows, list)
	t.h = p.Masks[at.mask]
	nnue.Forward(t.h[:], t.x[:], nnue.Floats(&p.Hidden))
	z := p.Offset + p.Share*float32(at.static)/engine.LogitUnit
	for j, x := range t.h {
		z += p.Out[j] * min(max(x, 0), 1)
	}
	return z
}

// add adds the gradient of the network's losses at a position to g. It returns the loss of the value: the cross entropy between
// the label and the predicted chance.
func (g *gradient) add(p *engine.Parameters, l *looks, at *position, list []cells) float64 {
	t := &g.state
	t.dx, t.dh, t.dq = row{}, hidden{}, query{}
	y, label := nnue.Chance(t.value(p, at, list)), at.shown
	d := float32(y) - label
	g.Offset += d
	g.Share += d * float32(at.static) / engine.LogitUnit
	if at.moves > 0 {
		g.order(p, l, at, list)
	}
	if at.tellsDraws() {
		g.expectDraw(p, at)
	}
	for j, x := range t.h {
		g.Out[j] += d * min(max(x, 0), 1)
		if t.dh[j] += d * p.Out[j]; !(x > 0 && x < 1) {
			t.dh[j] = 0
		}
		g.Masks[at.mask][j] += t.dh[j]
	}
	nnue.Backward(nnue.Floats(&g.Hidden), t.dx[:], t.x[:], nnue.Floats(&p.Hidden), t.dh[:])
	spread(&g.Rows, &t.dx, &p.Rows, list)
	return entropy(float64(label), y)
}

// entropy returns the cross entropy of a label and a predicted chance y, in bits.
func entropy(label, y float64) float64 { return nnue.CrossEntropy(label, y, math.Log2) }

// losses holds mean losses of positions, in bits.
type losses struct {
	result float64 // cross entropy of the game results
	score  float64 // cross entropy of the scores, converted to chances, minus the entropy of these chances
	label  float64 // cross entropy of the labels
	// Standard deviation of the value, in hundredths of a unit (200 are one logit), after clipping it to -400..400.
	spread float64
}

// measure returns the losses of the given value function, whose results are logits.
func measure(s *samples, value func(at *position, list []cells) float32) losses {
	var l losses
	var results, sum, squares float64
	n := float64(s.len())
	for i := range s.positions {
		at := &s.positions[i]
		z := value(at, s.cellsOf(i))
		y, score := nnue.Chance(z), float64(at.score)
		l.score += (entropy(score, y) - entropy(score, score)) / n
		l.label += entropy(float64(at.shown), y) / n
		if at.final {
			l.result += entropy(float64(at.result), y)
			results++
		}
		v := float64(max(-2, min(z, 2))) * engine.LogitUnit
		sum, squares = sum+v, squares+v*v
	}
	l.result /= max(results, 1)
	l.spread = math.Sqrt(squares/n - sum/n*sum/n)
	return l
}

// static returns the engine's value without a network, in logits.
func static(at *position, _ []cells) float32 { return float32(at.static) / engine.LogitUnit }

// whole returns the value function of n, a network whose weights are rounded to integers.
func whole(n *engine.Network) func(at *position, list []cells) float32 {
	var all []engine.Cell
	return func(at *position, list []cells) float32 {
		all = all[:0]
		for _, c := range list {
			for range c.n {
				all = append(all, engine.Cell{First: c.own, Second: c.enemy})
			}
		}
		sums := n.Sum(all)
		return float32(n.Value(&sums, 0, uint32(at.mask), int32(at.static))) / engine.LogitUnit
	}
}
