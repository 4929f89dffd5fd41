// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math"
	"unsafe"

	"github.com/krow-lab/krow/internal/cpu"
)

// The kernels are the inner loops. There are versions in Go and, for some processors, in vector instructions. All versions
// give exactly the same results, since they compute with integers.
//
//	update   dst = src + sum over the changes of (cell after - cell before)
//	head     sum over j of out[j] * (hidden[j] clipped >> hiddenShift), and h = hidden clipped
//	query    q = base + sum over j of h[j] * query[j]
//	scoreCells    for each cell the sum of its numbers times q

// level is the highest instruction-set level, such as AVX2, that the kernels may use. Tests lower it.
var level = cpu.Best

// updateGo is update without vector instructions: each 64-bit word contains four 16-bit numbers of a cell.
func updateGo(dst, src *Accumulator, rows *[numRows]row, changes []Change) {
	var first, second [Width / 4]uint64 // sums of differences, four in each word; a negative number borrows 1 from the next higher number
	for i := range changes {
		c := &changes[i]
		own, enemy := rows[c.From.First].words(), rows[c.From.Second].words()
		for j := range first {
			first[j] -= clipWords(own[j], enemy[j+Width/4])
			second[j] -= clipWords(enemy[j], own[j+Width/4])
		}
		own, enemy = rows[c.To.First].words(), rows[c.To.Second].words()
		for j := range first {
			first[j] += clipWords(own[j], enemy[j+Width/4])
			second[j] += clipWords(enemy[j], own[j+Width/4])
		}
	}
	*dst = *src
	for j := range first {
		addWord((*[4]int32)(dst[0][4*j:]), first[j])
		addWord((*[4]int32)(dst[1][4*j:]), second[j])
	}
}

// words returns the row as 64-bit words in the byte order of the processor.
func (r *row) words() *[2 * Width / 4]uint64 { return (*[2 * Width / 4]uint64)(unsafe.Pointer(r)) }

// ones has a 1 in each group of 16 bits, so that ones*x contains x four times.
const ones = 0x0001_0001_0001_0001

// clipWords returns min(max(own+enemy, 0), cellOne) for each of the four numbers in the words.
func clipWords(own, enemy uint64) uint64 {
	// Adding 1<<14 makes each weight a number from 0 to 1<<15 - 1, so that the sum of two weights fits into 16 bits. In this sum
	// 1<<15 represents 0.
	x := (own^ones<<14)&(ones*0x7fff) + (enemy^ones<<14)&(ones*0x7fff)
	x &= x >> 15 & ones * 0x7fff                       // negative numbers become 0
	above := (x + ones*(1<<15-1-cellOne)) >> 15 & ones // 1 for each number above cellOne
	return (x | above*cellOne) & (ones * cellOne)
}

// addWord adds the four differences in x to sums.
func addWord(sums *[4]int32, x uint64) {
	x += ones << 15 // all numbers become positive, so that no number borrows from the next
	four := (*[4]uint16)(unsafe.Pointer(&x))
	for i := range sums {
		sums[i] += int32(four[i]) - 1<<15
	}
}

// headGo is the reference version of head.
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

// queryGo is the reference version of query.
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

// scoreCellsGo is the reference version of scoreCells.
func scoreCellsGo(dst []int32, q *PolicyHead, rows *[numRows]row, cells []Cell) {
	for i, c := range cells {
		own, enemy, sum := &rows[c.First], &rows[c.Second], int32(0)
		for j, x := range q {
			sum += int32(x) * int32(min(max(own[j]+enemy[Width+j], 0), cellOne))
		}
		dst[i] = sum
	}
}
