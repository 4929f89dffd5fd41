// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math"

	"github.com/krow-lab/krow/internal/cpu"
)

// The kernels are the inner loops, in Go and, on amd64, in assembly. Both give the same results in every bit, since they compute
// with integers.
//
//	update   dst = src + sum over the changes of (cell after - cell before)
//	head     sum over j of out[j] * (hidden[j] clipped >> hiddenShift), and h = hidden clipped
//	query    q = base + sum over j of h[j] * query[j]
//	scoreCells    for each cell the sum of its numbers times q

// best is the highest level of the kernels on this processor.
var best = min(cpu.Best, cpu.AVX2)

// level is the highest level that the kernels may use. Tests lower it.
var level = best

// updateGo is the reference of update.
func updateGo(dst, src *Accumulator, rows *[numRows]row, changes []Change) {
	*dst = *src
	for _, c := range changes {
		from, to := &c.From, &c.To
		subtract(&dst[0], &rows[from.First], &rows[from.Second])
		subtract(&dst[1], &rows[from.Second], &rows[from.First])
		add(&dst[0], &rows[to.First], &rows[to.Second])
		add(&dst[1], &rows[to.Second], &rows[to.First])
	}
}

func add(dst *[Width]int32, own, enemy *row) {
	for j := range dst {
		dst[j] += int32(min(max(own[j]+enemy[Width+j], 0), cellOne))
	}
}

func subtract(dst *[Width]int32, own, enemy *row) {
	for j := range dst {
		dst[j] -= int32(min(max(own[j]+enemy[Width+j], 0), cellOne))
	}
}

// headGo is the reference of head.
func headGo(h *[Hidden]int32, own, enemy *[Width]int32, n *Network, mask *[Hidden]int32) (value int32) {
	*h = *mask
	for i := range Width {
		var a, b int32
		if 2*i < Width {
			a, b = own[2*i]>>sumShift, own[2*i+1]>>sumShift
		} else {
			a, b = enemy[2*i-Width]>>sumShift, enemy[2*i+1-Width]>>sumShift
		}
		for j, w := range &n.hidden[i] {
			h[j] += a*int32(w[0]) + b*int32(w[1])
		}
	}
	for j, x := range h {
		h[j] = min(max(x, 0), hiddenOne)
		value += n.out[j] * (h[j] >> hiddenShift)
	}
	return value
}

// queryGo is the reference of query.
func queryGo(q *PolicyHead, h *[Hidden]int32, n *Network) {
	sums := n.base
	for i := range n.query {
		a, b := h[2*i]>>queryShift, h[2*i+1]>>queryShift
		for j, w := range &n.query[i] {
			sums[j] += a*int32(w[0]) + b*int32(w[1])
		}
	}
	for j, x := range sums {
		q[j] = int16(min(max(x>>queryShift, math.MinInt16), math.MaxInt16))
	}
}

// scoreCellsGo is the reference of scoreCells.
func scoreCellsGo(dst []int32, q *PolicyHead, rows *[numRows]row, cells []Cell) {
	for i, c := range cells {
		own, enemy, sum := &rows[c.First], &rows[c.Second], int32(0)
		for j, x := range q {
			sum += int32(x) * int32(min(max(own[j]+enemy[Width+j], 0), cellOne))
		}
		dst[i] = sum
	}
}
