// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math"

	engine "github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/learn/nnue"
)

// tellsDraws reports whether the prediction of draws is trained on the position. The prediction is trained on the position if
// the result of the game is known and the search of the position did not prove a result.
func (at *position) tellsDraws() bool { return at.final && at.score > 0 && at.score < 1 }

func (at *position) drawn() float64 {
	if at.result == 0.5 {
		return 1
	}
	return 0
}

// about returns the inputs of the draw prediction that are not outputs of the hidden layer: see engine.Network.Draw.
func (at *position) about() (full, room, clear float32) {
	stones, free, lead := float32(at.stones), float32(at.free), 2*at.score-1
	return stones / (stones + free), free / engine.RoomUnit, lead * lead
}

// draw returns the predicted chance of a draw. It must be called after value.
func (t *state) draw(p *engine.Parameters, at *position) float64 {
	full, room, clear := at.about()
	z := p.Even + full*p.Full + room*p.Room + clear*p.Clear
	for j, x := range t.h {
		z += p.Drawn[j] * min(max(x, 0), 1)
	}
	return nnue.Chance(z)
}

// expectDraw adds the gradient of the cross entropy between the result and the predicted chance of a draw. The gradient is not
// propagated into the hidden layer, which learns from the value and the policy only.
func (g *gradient) expectDraw(p *engine.Parameters, at *position) {
	t := &g.state
	d := float32(t.draw(p, at) - at.drawn())
	full, room, clear := at.about()
	g.Even += d
	g.Full += d * full
	g.Room += d * room
	g.Clear += d * clear
	for j, x := range t.h {
		g.Drawn[j] += d * min(max(x, 0), 1)
	}
}

// drawLoss returns the mean loss of the predicted chance of a draw, in bits. For comparison it returns the loss of a constant
// prediction, the share of draws among the same positions.
func drawLoss(s *samples, p *engine.Parameters) (mean, constant float64) {
	var t state
	n, drawn := 0.0, 0.0
	for i := range s.positions {
		at := &s.positions[i]
		if !at.tellsDraws() {
			continue
		}
		t.value(p, at, s.cellsOf(i))
		mean += entropy(at.drawn(), t.draw(p, at))
		drawn += at.drawn()
		n++
	}
	n = math.Max(n, 1)
	return mean / n, entropy(drawn/n, drawn/n)
}
