// SPDX-License-Identifier: Apache-2.0

//go:build (arm64 || wasm) && go1.27 && goexperiment.simd

package network

import (
	"simd/archsimd"
	"unsafe"

	"github.com/krow-lab/krow/internal/cpu"
)

func add(dst *row, rows []row, index []uint16) {
	if level < cpu.SIMD {
		addGo(dst, rows, index)
		return
	}
	for j := 0; j < Hidden; j += 32 {
		var a, b, c, d archsimd.Int16x8
		for _, r := range index {
			from := (*[32]int16)(rows[r][j:])
			a, b, c, d = a.Add(load(&from[0])), b.Add(load(&from[8])), c.Add(load(&from[16])), d.Add(load(&from[24]))
		}
		to := (*[4][8]int16)(unsafe.Pointer(&dst[j]))
		a.StoreArray(&to[0])
		b.StoreArray(&to[1])
		c.StoreArray(&to[2])
		d.StoreArray(&to[3])
	}
}

func load(from *int16) archsimd.Int16x8 {
	return archsimd.LoadInt16x8Array((*[8]int16)(unsafe.Pointer(from)))
}

func outputs(base *row, rows []row, last *tail, index [][3]uint16, sums []int32) {
	if level < cpu.SIMD {
		outputsGo(base, rows, last, index, sums)
		return
	}
	for i, t := range index {
		first, total := squares(base, &rows[t[0]], &rows[t[1]], &rows[t[2]])
		var a, b, c, d archsimd.Uint32x4
		for j := range Hidden / 2 {
			x, y := archsimd.BroadcastUint16x8(uint16(first[2*j])), archsimd.BroadcastUint16x8(uint16(first[2*j+1]))
			one, two := (*[2][8]uint16)(unsafe.Pointer(&last.words[2*j])), (*[2][8]uint16)(unsafe.Pointer(&last.words[2*j+1]))
			p := archsimd.LoadUint16x8Array(&one[0]).Mul(x).Add(archsimd.LoadUint16x8Array(&two[0]).Mul(y))
			a, b = a.Add(p.ExtendLo4ToUint32()), b.Add(cpu.ExtendHighUint(p))
			p = archsimd.LoadUint16x8Array(&one[1]).Mul(x).Add(archsimd.LoadUint16x8Array(&two[1]).Mul(y))
			c, d = c.Add(p.ExtendLo4ToUint32()), d.Add(cpu.ExtendHighUint(p))
		}
		var sum archsimd.Int32x4
		bias, out := (*[4][4]int32)(unsafe.Pointer(&last.bias)), (*[4][4]int32)(unsafe.Pointer(&last.out))
		for k, x := range [4]archsimd.Uint32x4{a, b, c, d} {
			y := x.BitsToInt32().Sub(archsimd.BroadcastInt32x4(total * wordBias)).Add(archsimd.LoadInt32x4Array(&bias[k]))
			y = y.Max(archsimd.Int32x4{}).Min(archsimd.BroadcastInt32x4(secondOne))
			sum = sum.Add(y.Mul(archsimd.LoadInt32x4Array(&out[k])))
		}
		sums[i] = cpu.Sum(sum)
	}
}

// squares returns the squares of the neurons of the first layer, and their sum.
func squares(base, a, b, c *row) (first [Hidden]int32, total int32) {
	var sum archsimd.Int32x4
	half := archsimd.BroadcastInt32x4(1 << 12)
	for j := 0; j < Hidden; j += 8 {
		x := load(&base[j]).Add(load(&a[j])).Add(load(&b[j])).Add(load(&c[j]))
		x = x.Max(archsimd.Int16x8{}).Min(archsimd.BroadcastInt16x8(firstOne))
		low, high := x.MulWidenLo(x).Add(half).ShiftAllRight(13), cpu.MulHigh(x, x).Add(half).ShiftAllRight(13)
		low.StoreArray((*[4]int32)(first[j:]))
		high.StoreArray((*[4]int32)(first[j+4:]))
		sum = sum.Add(low).Add(high)
	}
	return first, cpu.Sum(sum)
}
