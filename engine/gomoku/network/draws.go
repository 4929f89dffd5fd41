// SPDX-License-Identifier: Apache-2.0

package network

import "math"

// draws is the part of a network that estimates the probability of a draw. The logarithm of the odds of a draw is the
// following sum, in which the integer drawUnit represents 1:
//
//	base + sum of hidden * weights + full * (stones / cells) + room * (free cells / 225) + clear * lead * lead
//
// where lead is the difference between the chances of the two sides.
type draws struct {
	told                    bool // whether the network estimates draws
	weights                 [Hidden]int32
	base, full, room, clear int32
}

// RoomUnit is the number of free cells for which Draws.Room is added to the logarithm of the odds of a draw. For another number
// of free cells, the addition is proportional to this number.
const RoomUnit = 225

const (
	drawUnit = 1 << 12
	// The maximum of a weight. A weight of this size represents 4096, so it multiplies the odds of a draw by e^4096.
	mostDraw = 1 << 24
)

// Draw returns the probability of a draw, from 0 to 1. The parameters s, side and mask describe the position as for Value;
// stones and free are the numbers of stones and of free cells. The parameter chance, from 0 to 1, is the expected result of
// the side to move: a win is 1, a draw a half. The parameter chance limits the returned probability. A draw adds half of its
// probability to the expected result of each side, so this half is at most chance and at most 1-chance. The returned
// probability is 0 if the network does not estimate draws.
func (n *Network) Draw(s *Accumulator, side uint8, mask uint32, stones, free int, chance float64) float64 {
	if !n.draws.told {
		return 0
	}
	var h [Hidden]int32
	head(&h, &s[side&1], &s[side&1^1], n, &n.masks[mask%Masks])
	sum := int64(0)
	for j, x := range h {
		sum += int64(x) * int64(n.draws.weights[j])
	}
	d, lead := &n.draws, 2*chance-1
	odds := float64(sum)/hiddenOne + float64(d.base) + float64(lead*lead*float64(d.clear)) +
		float64(d.full)*float64(stones)/float64(stones+free) + float64(d.room)*float64(free)/RoomUnit
	return min(1/(1+math.Exp(-odds/drawUnit)), 1-math.Abs(lead))
}
