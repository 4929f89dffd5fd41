// SPDX-License-Identifier: Apache-2.0

package network

import "github.com/krow-lab/krow/internal/cpu"

func add(dst *row, rows []row, index []uint16) {
	if len(index) == 0 {
		*dst = row{}
		return
	}
	switch level {
	case cpu.AVX512:
		addAVX512(dst, &rows[0], &index[0], len(index))
	case cpu.AVX2:
		addAVX2(dst, &rows[0], &index[0], len(index))
	default:
		addGo(dst, rows, index)
	}
}

func outputs(base *row, rows []row, last *tail, index [][3]uint16, sums []int32) {
	if len(index) == 0 {
		return
	}
	sums = sums[:len(index)]
	switch level {
	case cpu.AVX512:
		outputsVNNI(base, &rows[0], last, &index[0], &sums[0], len(index))
	case cpu.AVX2:
		outputsAVX2(base, &rows[0], last, &index[0], &sums[0], len(index))
	default:
		outputsGo(base, rows, last, index, sums)
	}
}

// The kernels in assembly do not check their arguments: every index must be the index of a row.
//
//go:noescape
func addAVX2(dst, rows *row, index *uint16, n int)

//go:noescape
func addAVX512(dst, rows *row, index *uint16, n int)

//go:noescape
func outputsAVX2(base, rows *row, last *tail, index *[3]uint16, sums *int32, n int)

//go:noescape
func outputsVNNI(base, rows *row, last *tail, index *[3]uint16, sums *int32, n int)
