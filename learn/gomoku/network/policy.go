// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math"

	engine "github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/learn/nnue"
)

// policyShare is the weight of the policy's loss in the total loss. The value's loss has the weight 1.
const policyShare = 0.1

// judge writes the ratings of the candidate moves to the field worth. A rating is the logarithm of the move's chance, up to
// a constant. The method value must be called first, because judge uses the hidden layer that value computes.
func (t *state) judge(p *engine.Parameters, l *looks, at *position, list []cells) {
	for i, x := range t.h {
		t.clipped[i] = min(max(x, 0), 1)
	}
	t.q = p.Base
	nnue.Forward(t.q[:], t.clipped[:], nnue.Floats(&p.Query))
	list = list[:at.moves]
	if cap(t.worth) < len(list) {
		t.worth = make([]float32, 2*len(list))
	}
	t.worth = t.worth[:len(list)]
	judge(t.worth, &t.q, &p.Rows, list)
	for i, c := range list {
		t.worth[i] += p.Looks*l.of(at.side, c) + p.Near[c.place-1]
	}
}

func (l *looks) of(side uint8, c cells) float32 {
	return l[side&1].own[c.own] + l[side&1].enemy[c.enemy]
}

// chances converts the ratings in worth to chances: each cell's chance to be the best move. It returns the chance of the actual
// best move.
func (t *state) chances(at *position, list []cells) float64 {
	greatest, sum := t.worth[0], 0.0
	for _, x := range t.worth {
		greatest = max(greatest, x)
	}
	for i, x := range t.worth {
		e := math.Exp(float64(x - greatest))
		t.worth[i] = float32(e)
		sum += e * float64(list[i].n)
	}
	for i := range t.worth {
		t.worth[i] /= float32(sum)
	}
	return float64(t.worth[at.best])
}

// order adds the gradient of the policy's loss, multiplied by policyShare, to g. The policy's loss is the cross entropy
// between the best move and the chances of the moves.
func (g *gradient) order(p *engine.Parameters, l *looks, at *position, list []cells) {
	t := &g.state
	t.judge(p, l, at, list)
	t.chances(at, list)
	list = list[:at.moves]
	for i, c := range list {
		d := t.worth[i] * float32(c.n)
		if i == int(at.best) {
			d--
		}
		d *= policyShare
		t.worth[i] = d
		g.Looks += d * l.of(at.side, c)
		g.Near[c.place-1] += d
	}
	blame(&g.Rows, &t.dq, &t.q, &p.Rows, list, t.worth)
	nnue.Add(g.Base[:], t.dq[:])
	nnue.Backward(nnue.Floats(&g.Query), t.dh[:], t.clipped[:], nnue.Floats(&p.Query), t.dq[:])
}

// policyLoss returns the mean loss of the policy in bits, and the share of positions in which it rates the best move highest.
func policyLoss(s *samples, p *engine.Parameters) (bits, top float64) {
	var t state
	n := 0.0
	for i := range s.positions {
		at, list := &s.positions[i], s.cellsOf(i)
		if at.moves == 0 {
			continue
		}
		t.value(p, at, list)
		t.judge(p, &s.looks, at, list)
		best := 0
		for k, x := range t.worth {
			if x > t.worth[best] {
				best = k
			}
		}
		if best == int(at.best) {
			top += 1 / float64(list[best].n)
		}
		bits -= math.Log2(max(t.chances(at, list), 1e-9))
		n++
	}
	return bits / max(n, 1), top / max(n, 1)
}
