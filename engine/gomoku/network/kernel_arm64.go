// SPDX-License-Identifier: Apache-2.0

//go:build go1.27 && goexperiment.simd

package network

import (
	"simd/archsimd"
	"unsafe"

	"github.com/krow-lab/krow/internal/cpu"
)

func update(dst, src *Accumulator, rows *[numRows]row, changes []Change) {
	if level < cpu.NEON {
		updateGo(dst, src, rows, changes)
		return
	}
	for j := 0; j < Width; j += 8 {
		var first, second archsimd.Int16x8
		for i := range changes {
			c := &changes[i]
			from, enemyFrom, to, enemyTo := &rows[c.From.First], &rows[c.From.Second], &rows[c.To.First], &rows[c.To.Second]
			first = first.Add(clipped(to, enemyTo, j)).Sub(clipped(from, enemyFrom, j))
			second = second.Add(clipped(enemyTo, to, j)).Sub(clipped(enemyFrom, from, j))
		}
		addTo(&dst[0], &src[0], j, first)
		addTo(&dst[1], &src[1], j, second)
	}
}

// clipped returns eight numbers of a cell, from the one with index j.
func clipped(own, enemy *row, j int) archsimd.Int16x8 {
	sum := archsimd.LoadInt16x8Array((*[8]int16)(own[j:])).Add(archsimd.LoadInt16x8Array((*[8]int16)(enemy[Width+j:])))
	return sum.Max(archsimd.Int16x8{}).Min(archsimd.BroadcastInt16x8(cellOne))
}

func addTo(dst, src *[Width]int32, j int, x archsimd.Int16x8) {
	low, high := archsimd.LoadInt32x4Array((*[4]int32)(src[j:])), archsimd.LoadInt32x4Array((*[4]int32)(src[j+4:]))
	low.Add(x.ExtendLo4ToInt32()).StoreArray((*[4]int32)(dst[j:]))
	high.Add(x.HiToLo().ExtendLo4ToInt32()).StoreArray((*[4]int32)(dst[j+4:]))
}

// pair returns two numbers of 16 bits as one, for products with the pairs of weights.
func pair(a, b int32) int32 { return a&0xffff | b<<16 }

type vector = archsimd.Int32x4

func load16(from *[16]int32) (a, b, c, d vector) {
	return archsimd.LoadInt32x4Array((*[4]int32)(from[:])), archsimd.LoadInt32x4Array((*[4]int32)(from[4:])),
		archsimd.LoadInt32x4Array((*[4]int32)(from[8:])), archsimd.LoadInt32x4Array((*[4]int32)(from[12:]))
}

// add16 adds to sixteen sums the products of as many pairs of weights with a pair of inputs.
func add16(a, b, c, d vector, weights *[16][2]int16, inputs int32) (vector, vector, vector, vector) {
	w := (*[32]int16)(unsafe.Pointer(weights))
	x := archsimd.BroadcastInt32x4(inputs).ToBits().ReshapeToUint16s().BitsToInt16()
	return a.Add(products((*[8]int16)(w[:]), x)), b.Add(products((*[8]int16)(w[8:]), x)),
		c.Add(products((*[8]int16)(w[16:]), x)), d.Add(products((*[8]int16)(w[24:]), x))
}

func products(weights *[8]int16, x archsimd.Int16x8) vector {
	w := archsimd.LoadInt16x8Array(weights)
	return w.MulWidenLo(x).ConcatAddPairs(w.HiToLo().MulWidenLo(x))
}

func head(h *[Hidden]int32, own, enemy *[Width]int32, n *Network, mask *[Hidden]int32) int32 {
	if level < cpu.NEON {
		return headGo(h, own, enemy, n, mask)
	}
	var inputs [Width]int32
	for i := range Width / 2 {
		inputs[i] = pair(own[2*i]>>sumShift, own[2*i+1]>>sumShift)
		inputs[Width/2+i] = pair(enemy[2*i]>>sumShift, enemy[2*i+1]>>sumShift)
	}
	var value vector
	for j := 0; j < Hidden; j += 16 {
		a, b, c, d := load16((*[16]int32)(mask[j:]))
		for i, x := range &inputs {
			a, b, c, d = add16(a, b, c, d, (*[16][2]int16)(n.hidden[i][j:]), x)
		}
		for k, sum := range [4]vector{a, b, c, d} {
			sum = sum.Max(vector{}).Min(archsimd.BroadcastInt32x4(hiddenOne))
			sum.StoreArray((*[4]int32)(h[j+4*k:]))
			value = sum.ShiftAllRight(hiddenShift).MulAdd(archsimd.LoadInt32x4Array((*[4]int32)(n.out[j+4*k:])), value)
		}
	}
	return value.ReduceSum()
}

func query(q *PolicyHead, h *[Hidden]int32, n *Network) {
	if level < cpu.NEON {
		queryGo(q, h, n)
		return
	}
	for j := 0; j < Width; j += 16 {
		a, b, c, d := load16((*[16]int32)(n.base[j:]))
		for i := range n.query {
			x := pair(h[2*i]>>queryShift, h[2*i+1]>>queryShift)
			a, b, c, d = add16(a, b, c, d, (*[16][2]int16)(n.query[i][j:]), x)
		}
		for k, sum := range [4]vector{a, b, c, d} {
			low := sum.ShiftAllRight(queryShift).SaturateToInt16().ToBits().ReshapeToUint64s().GetElem(0)
			*(*uint64)(unsafe.Pointer(&q[j+4*k])) = low
		}
	}
}

func scoreCells(dst []int32, q *PolicyHead, rows *[numRows]row, cells []Cell) {
	if level < cpu.NEON {
		scoreCellsGo(dst, q, rows, cells)
		return
	}
	for i, c := range cells {
		own, enemy := &rows[c.First], &rows[c.Second]
		var sum vector
		for j := 0; j < Width; j += 8 {
			x, y := clipped(own, enemy, j), archsimd.LoadInt16x8Array((*[8]int16)(q[j:]))
			sum = sum.Add(x.MulWidenLo(y)).Add(x.HiToLo().MulWidenLo(y.HiToLo()))
		}
		dst[i] = sum.ReduceSum()
	}
}
