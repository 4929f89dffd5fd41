// SPDX-License-Identifier: Apache-2.0

//go:build (arm64 || wasm) && go1.27 && goexperiment.simd

package network

import (
	"simd/archsimd"
	"unsafe"

	"github.com/krow-lab/krow/internal/cpu"
)

type (
	vector = archsimd.Int32x4
	short  = archsimd.Int16x8
)

func update(dst, src *Accumulator, rows *[numRows]row, changes []Change) {
	if level < cpu.SIMD {
		updateGo(dst, src, rows, changes)
		return
	}
	for j := 0; j < Width; j += 16 {
		var a, b, c, d short // a and b: sixteen numbers from the view of the first side; c and d: from the view of the second side
		for i := range changes {
			from, to := &changes[i].From, &changes[i].To
			own, enemy := &rows[from.First], &rows[from.Second]
			a, b = a.Sub(clipped(own, enemy, j)), b.Sub(clipped(own, enemy, j+8))
			c, d = c.Sub(clipped(enemy, own, j)), d.Sub(clipped(enemy, own, j+8))
			own, enemy = &rows[to.First], &rows[to.Second]
			a, b = a.Add(clipped(own, enemy, j)), b.Add(clipped(own, enemy, j+8))
			c, d = c.Add(clipped(enemy, own, j)), d.Add(clipped(enemy, own, j+8))
		}
		addTo(&dst[0], &src[0], j, a)
		addTo(&dst[0], &src[0], j+8, b)
		addTo(&dst[1], &src[1], j, c)
		addTo(&dst[1], &src[1], j+8, d)
	}
}

// clipped returns eight numbers of a cell, beginning with index j.
func clipped(own, enemy *row, j int) short {
	return load8(&own[j]).Add(load8(&enemy[Width+j])).Max(short{}).Min(archsimd.BroadcastInt16x8(cellOne))
}

func load8(from *int16) short { return archsimd.LoadInt16x8Array((*[8]int16)(unsafe.Pointer(from))) }

func load4(from *int32) vector { return archsimd.LoadInt32x4Array((*[4]int32)(unsafe.Pointer(from))) }

func addTo(dst, src *[Width]int32, j int, x short) {
	load4(&src[j]).Add(x.ExtendLo4ToInt32()).StoreArray((*[4]int32)(dst[j:]))
	load4(&src[j+4]).Add(cpu.ExtendHigh(x)).StoreArray((*[4]int32)(dst[j+4:]))
}

// products returns the sums of the products of inputs with their weights for 16 outputs. Each number in inputs contains a pair
// of 16-bit inputs, and for each such pair and each output there is a pair of weights.
func products(inputs []int32, weights *[2]int16, stride uintptr) (s [4]vector) {
	// In each vector, products of the first input of a pair and products of the second input alternate.
	var a, b, c, d, e, f, g, h vector
	at := unsafe.Pointer(weights)
	for _, pair := range inputs {
		x := archsimd.BroadcastInt32x4(pair).ToBits().ReshapeToUint16s().BitsToInt16()
		w := (*[4][8]int16)(at)
		v := archsimd.LoadInt16x8Array(&w[0])
		a, b = a.Add(v.MulWidenLo(x)), b.Add(cpu.MulHigh(v, x))
		v = archsimd.LoadInt16x8Array(&w[1])
		c, d = c.Add(v.MulWidenLo(x)), d.Add(cpu.MulHigh(v, x))
		v = archsimd.LoadInt16x8Array(&w[2])
		e, f = e.Add(v.MulWidenLo(x)), f.Add(cpu.MulHigh(v, x))
		v = archsimd.LoadInt16x8Array(&w[3])
		g, h = g.Add(v.MulWidenLo(x)), h.Add(cpu.MulHigh(v, x))
		at = unsafe.Add(at, stride)
	}
	return [4]vector{cpu.AddPairs(a, b), cpu.AddPairs(c, d), cpu.AddPairs(e, f), cpu.AddPairs(g, h)}
}

// pair packs the low 16 bits of a and of b into one number; a comes first, in its low bits.
func pair(a, b int32) int32 { return a&0xffff | b<<16 }

func head(h *[Hidden]int32, own, enemy *[Width]int32, n *Network, mask *[Hidden]int32) int32 {
	if level < cpu.SIMD {
		return headGo(h, own, enemy, n, mask)
	}
	var inputs [Width]int32
	for i := range Width / 2 {
		inputs[i] = pair(own[2*i]>>sumShift, own[2*i+1]>>sumShift)
		inputs[Width/2+i] = pair(enemy[2*i]>>sumShift, enemy[2*i+1]>>sumShift)
	}
	var value vector
	for j := 0; j < Hidden; j += 16 {
		for k, sum := range products(inputs[:], &n.hidden[0][j], unsafe.Sizeof(n.hidden[0])) {
			at := j + 4*k
			sum = sum.Add(load4(&mask[at])).Max(vector{}).Min(archsimd.BroadcastInt32x4(hiddenOne))
			sum.StoreArray((*[4]int32)(h[at:]))
			value = value.Add(sum.ShiftAllRight(hiddenShift).Mul(load4(&n.out[at])))
		}
	}
	return cpu.Sum(value)
}

func query(q *PolicyHead, h *[Hidden]int32, n *Network) {
	if level < cpu.SIMD {
		queryGo(q, h, n)
		return
	}
	var inputs [Hidden / 2]int32
	for i := range inputs {
		inputs[i] = pair(h[2*i]>>queryShift, h[2*i+1]>>queryShift)
	}
	for j := 0; j < Width; j += 16 {
		for k, sum := range products(inputs[:], &n.query[0][j], unsafe.Sizeof(n.query[0])) {
			at := j + 4*k
			sum = sum.Add(load4(&n.base[at])).ShiftAllRight(queryShift)
			sum = sum.Max(archsimd.BroadcastInt32x4(-1 << 15)).Min(archsimd.BroadcastInt32x4(1<<15 - 1))
			q[at], q[at+1], q[at+2], q[at+3] = int16(sum.GetElem(0)), int16(sum.GetElem(1)), int16(sum.GetElem(2)), int16(sum.GetElem(3))
		}
	}
}

func scoreCells(dst []int32, q *PolicyHead, rows *[numRows]row, cells []Cell) {
	if level < cpu.SIMD {
		scoreCellsGo(dst, q, rows, cells)
		return
	}
	for i, c := range cells {
		own, enemy := &rows[c.First], &rows[c.Second]
		var sum vector
		for j := 0; j < Width; j += 16 {
			x, y := clipped(own, enemy, j), load8(&q[j])
			sum = sum.Add(x.MulWidenLo(y)).Add(cpu.MulHigh(x, y))
			x, y = clipped(own, enemy, j+8), load8(&q[j+8])
			sum = sum.Add(x.MulWidenLo(y)).Add(cpu.MulHigh(x, y))
		}
		dst[i] = cpu.Sum(sum)
	}
}
