// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math"

	"github.com/krow-lab/krow/engine/nnue"
)

// Parameters are the parameters of a network in training, as floats. The value of the network is in logits.
type Parameters struct {
	Rows          [none][2 * Width]float32
	Hidden        [2 * Width][Hidden]float32
	Masks         [Masks][Hidden]float32
	Out           [Hidden]float32
	Share, Offset float32 // Share is the number of logits that one logit of the static evaluation adds to the value
	Policy
	Draws
}

// Policy contains the parameters of the policy. They are in units in which a move becomes e times as likely if its score
// increases by 1. In a network without a policy, these parameters are 0.
type Policy struct {
	Base  [Width]float32
	Query [Hidden][Width]float32
	Near  [Places]float32
	Looks float32 // weight of the engine's own rating, in the same unit
}

// Draws contains the parameters of the draw estimate, in logits: see Network.Draw. In a network that does not estimate draws,
// these parameters are 0.
type Draws struct {
	Drawn                   [Hidden]float32
	Even, Full, Room, Clear float32
}

// LogitUnit is the number of hundredths of a unit that are equal to one logit.
const LogitUnit = 200

// outUnit is the integer that represents 1 in Parameters.Out.
const outUnit = LogitUnit * float64(1<<valueShift) / (hiddenOne >> hiddenShift)

// SumUnit is the number by which the sums over all cells are divided in Parameters, so that these sums are about 1.
const SumUnit = 16

// MostHidden is the maximum absolute value of a weight of Hidden, so that no sum overflows.
const MostHidden = SumUnit * 7.96 / Width

// Parameters returns parameters from which the method Network makes the same network again, except for its game and recipe.
func (n *Network) Parameters() *Parameters {
	p := new(Parameters)
	convert(&nnue.Quantizer{Back: true}, n, p, 1)
	return p
}

// Network returns the network of p with integer weights. The values of positions that this network computes are multiplied by
// scale.
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

// convert sets the integers of n from the floats of p, or, if q.Back is set, the floats from the integers.
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
			if q.Back { // do not reorder these operations: many weights are halfway between two integers, and the order decides how they are rounded
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
