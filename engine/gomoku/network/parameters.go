// SPDX-License-Identifier: Apache-2.0

package network

import (
	"fmt"
	"math"
)

// Parameters are a network in training, in floats. The value is in logits.
type Parameters struct {
	Rows          [none][2 * Width]float32
	Hidden        [2 * Width][Hidden]float32
	Masks         [Masks][Hidden]float32
	Out           [Hidden]float32
	Share, Offset float32 // Share is logits for each logit of the static evaluation
	Policy
	Draws
}

// Policy are the parameters of the policy, in factors of e to the chance of a move. Those of a network without one are 0.
type Policy struct {
	Base  [Width]float32
	Query [Hidden][Width]float32
	Near  [Places]float32
	Looks float32 // for each factor of e by the engine's own order
}

// Draws are the parameters of the chance of a draw, in logits: see Network.Draw. Those of a network that does not tell it
// are 0.
type Draws struct {
	Drawn                   [Hidden]float32
	Even, Full, Room, Clear float32
}

// LogitUnit is how many hundredths of a unit are a logit.
const LogitUnit = 200

// outUnit is the whole number of 1 in Parameters.Out.
const outUnit = LogitUnit * float64(1<<valueShift) / (hiddenOne >> hiddenShift)

// SumUnit is how many cells the sums of Parameters count as one, so that the sums are of the size of 1.
const SumUnit = 16

// MostHidden bounds a weight of Hidden, so that no sum overflows.
const MostHidden = SumUnit * 7.96 / Width

// Parameters returns the parameters of which Network makes n again, but for its game and recipe.
func (n *Network) Parameters() *Parameters {
	p := new(Parameters)
	for i := range p.Rows {
		for j := range p.Rows[i] {
			p.Rows[i][j] = float32(n.rows[i][j]) / One
		}
	}
	for i := range p.Hidden {
		for j := range p.Hidden[i] {
			p.Hidden[i][j] = float32(n.hidden[i/2][j][i%2]) * SumUnit / weightUnit
		}
	}
	for i := range p.Masks {
		for j, x := range n.masks[i] {
			p.Masks[i][j] = float32(float64(x) / hiddenOne)
		}
	}
	for j, x := range n.out {
		p.Out[j] = float32(float64(x) / outUnit)
	}
	p.Share, p.Offset = float32(n.share)/(1<<shareShift), float32(n.offset)/LogitUnit
	for j, x := range n.base {
		p.Base[j] = float32(float64(x) / (queryUnit * (1 << queryShift)))
	}
	for i := range p.Query {
		for j := range p.Query[i] {
			p.Query[i][j] = float32(float64(n.query[i/2][j][i%2]) * One / (queryUnit * (1 << queryShift)))
		}
	}
	for i, x := range n.near {
		p.Near[i] = float32(x) / LooksUnit
	}
	p.Looks = float32(n.looks) / (1 << looksShift)
	for i, x := range n.draws.weights {
		p.Drawn[i] = float32(x) / drawUnit
	}
	d := &n.draws
	p.Even, p.Full, p.Room, p.Clear = float32(d.base)/drawUnit, float32(d.full)/drawUnit, float32(d.room)/drawUnit, float32(d.clear)/drawUnit
	return p
}

// Network returns the network in whole numbers, its values multiplied by scale, or an error in one line.
func (p *Parameters) Network(game, recipe string, scale float64) (*Network, error) {
	n := &Network{game: game, recipe: recipe}
	var far error
	whole := func(x float32, unit float64, most int32) int32 {
		v := math.Round(float64(x) * unit)
		if !(math.Abs(v) <= float64(most)) {
			far = fmt.Errorf("the network's training has run away: a weight is %v", x)
			return 0
		}
		return int32(v)
	}
	for i := range p.Rows {
		for j, x := range p.Rows[i] {
			n.rows[i][j] = int16(whole(x, One, -noneRow-1))
		}
	}
	for j := range n.rows[none] {
		n.rows[none][j] = noneRow
	}
	for i := range p.Hidden {
		for j, x := range p.Hidden[i] {
			n.hidden[i/2][j][i%2] = int16(whole(x, weightUnit/SumUnit, math.MaxInt16))
		}
	}
	for i := range p.Masks {
		for j, x := range p.Masks[i] {
			n.masks[i][j] = whole(x, hiddenOne, math.MaxInt32)
		}
	}
	for j, x := range p.Out {
		n.out[j] = whole(x, scale*outUnit, math.MaxInt32)
	}
	n.share = whole(p.Share, scale*(1<<shareShift), math.MaxInt16)
	n.offset = whole(p.Offset, scale*LogitUnit, math.MaxInt16)
	if n.ordered = p.Policy != (Policy{}); n.ordered {
		p.order(n, whole)
	}
	if n.draws.told = p.Draws != (Draws{}); n.draws.told {
		d := &n.draws
		for j, x := range p.Drawn {
			d.weights[j] = whole(x, drawUnit, mostDraw)
		}
		for i, x := range []float32{p.Even, p.Full, p.Room, p.Clear} {
			*[]*int32{&d.base, &d.full, &d.room, &d.clear}[i] = whole(x, drawUnit, mostDraw)
		}
	}
	if far != nil {
		return nil, far
	}
	return n, n.check()
}

// order makes the policy in whole numbers.
func (p *Policy) order(n *Network, whole func(x float32, unit float64, most int32) int32) {
	for j, x := range p.Base {
		n.base[j] = whole(x, queryUnit*(1<<queryShift), mostBase)
	}
	for i := range p.Query {
		for j, x := range p.Query[i] {
			n.query[i/2][j][i%2] = int16(whole(x, queryUnit*(1<<queryShift)/One, math.MaxInt16))
		}
	}
	for i, x := range p.Near {
		n.near[i] = int16(whole(x, LooksUnit, math.MaxInt16))
	}
	n.looks = whole(p.Looks, 1<<looksShift, math.MaxInt16)
}
