// SPDX-License-Identifier: Apache-2.0

package network

import "github.com/krow-lab/krow/internal/cpu"

func outputs(base, out *[Hidden]int16, rows *[numRows][Hidden]int16, index []uint16, sums []int32) {
	if len(index) == 0 {
		return
	}
	sums = sums[:len(index)]
	switch level {
	case cpu.AVX512:
		outputsVNNI(base, out, rows, &index[0], &sums[0], len(index))
	case cpu.AVX2:
		outputsAVX2(base, out, rows, &index[0], &sums[0], len(index))
	default:
		outputsGo(base, out, rows, index, sums)
	}
}

func accumulate(dst, src *[Hidden]int16, rows *[numRows][Hidden]int16, add, sub []uint16) {
	switch level {
	case cpu.AVX512:
		accumulateAVX512(dst, src, rows, add, sub)
	case cpu.AVX2:
		accumulateAVX2(dst, src, rows, add, sub)
	default:
		accumulateGo(dst, src, rows, add, sub)
	}
}

// The kernels in assembly trust that every index is a row.
//
//go:noescape
func outputsAVX2(base, out *[Hidden]int16, rows *[numRows][Hidden]int16, index *uint16, sums *int32, n int)

//go:noescape
func outputsVNNI(base, out *[Hidden]int16, rows *[numRows][Hidden]int16, index *uint16, sums *int32, n int)

//go:noescape
func accumulateAVX2(dst, src *[Hidden]int16, rows *[numRows][Hidden]int16, add, sub []uint16)

//go:noescape
func accumulateAVX512(dst, src *[Hidden]int16, rows *[numRows][Hidden]int16, add, sub []uint16)
