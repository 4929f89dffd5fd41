// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math"

	"github.com/krow-lab/krow/engine/nnue"
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

// Policy are the parameters of the policy: 1 more in a move's score multiplies its chance by e. They are 0 in a network without a
// policy.
type Policy struct {
	Base  [Width]float32
	Query [Hidden][Width]float32
	Near  [Places]float32
	Looks float32 // weight of the engine's own rating, also in factors of e
}

// Draws are the parameters of the chance of a draw, in logits: see Network.Draw. They are 0 in a network that does not
// estimate draws.
type Draws struct {
	Drawn                   [Hidden]float32
	Even, Full, Room, Clear float32
}

// LogitUnit is the number of hundredths of a unit in a logit.
const LogitUnit = 200

// outUnit is the integer that stands for 1 in Parameters.Out.
const outUnit = LogitUnit * float64(1<<valueShift) / (hiddenOne >> hiddenShift)

// SumUnit is the number of cells that the sums of Parameters count as one, so that the sums are about 1.
const SumUnit = 16

// MostHidden bounds a weight of Hidden, so that no sum overflows.
const MostHidden = SumUnit * 7.96 / Width

// Parameters returns the parameters from which their method Network makes n again, except its game and recipe.
func (n *Network) Parameters() *Parameters {
	p := new(Parameters)
	convert(&nnue.Quantizer{Back: true}, n, p, 1)
	return p
}

// Network returns the network in integers, its values multiplied by scale.
func (p *Parameters) Network(game, recipe string, scale float64) (*Network, error) {
	n := &Network{game: game, recipe: recipe}
	n.ordered, n.draws.told = p.Policy != (Policy{}), p.Draws != (Draws{})
	for j := range n.rows[none] {
		n.rows[none][j] = noneRow
	}
	var q nnue.Quantizer
	if convert(&q, n, p, scale); q.Err != nil {
		return nil, q.Err
	}
	return n, n.checkRanges()
}

// convert sets the integers of n from the floats of p or, if q.Back is set, the floats from the integers.
func convert(q *nnue.Quantizer, n *Network, p *Parameters, scale float64) {
	for i := range p.Rows {
		nnue.Row(q, n.rows[i][:], p.Rows[i][:], cellOne, -noneRow-1)
	}
	for i := range p.Hidden {
		for j := range p.Hidden[i] {
			nnue.Number(q, &n.hidden[i/2][j][i%2], &p.Hidden[i][j], weightUnit/SumUnit, math.MaxInt16)
		}
	}
	for i := range p.Masks {
		nnue.Row(q, n.masks[i][:], p.Masks[i][:], hiddenOne, math.MaxInt32)
	}
	nnue.Row(q, n.out[:], p.Out[:], scale*outUnit, math.MaxInt32)
	nnue.Number(q, &n.share, &p.Share, scale*(1<<shareShift), math.MaxInt16)
	nnue.Number(q, &n.offset, &p.Offset, scale*LogitUnit, math.MaxInt16)
	const askUnit = queryUnit * (1 << queryShift)
	nnue.Row(q, n.base[:], p.Base[:], askUnit, mostBase)
	for i := range p.Query {
		for j := range p.Query[i] {
			integer, float := &n.query[i/2][j][i%2], &p.Query[i][j]
			if q.Back { // many weights lie between two floats: this order of operations decides to which they are rounded
				*float = float32(float64(*integer) * cellOne / askUnit)
				continue
			}
			nnue.Number(q, integer, float, askUnit/cellOne, math.MaxInt16)
		}
	}
	nnue.Row(q, n.near[:], p.Near[:], LooksUnit, math.MaxInt16)
	nnue.Number(q, &n.looks, &p.Looks, 1<<looksShift, math.MaxInt16)
	d := &n.draws
	nnue.Row(q, d.weights[:], p.Drawn[:], drawUnit, mostDraw)
	nnue.Number(q, &d.base, &p.Even, drawUnit, mostDraw)
	nnue.Number(q, &d.full, &p.Full, drawUnit, mostDraw)
	nnue.Number(q, &d.room, &p.Room, drawUnit, mostDraw)
	nnue.Number(q, &d.clear, &p.Clear, drawUnit, mostDraw)
}
