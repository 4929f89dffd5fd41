// SPDX-License-Identifier: Apache-2.0

package network

import "github.com/krow-lab/krow/internal/cpu"

// vectors says whether the processor has AVX2.
var vectors = cpu.Best >= cpu.AVX2

func sumRows(dst *row, rows *layer, index []uint16) {
	if !vectors || len(index) == 0 {
		sumRowsGo(dst, rows, index)
		return
	}
	sumRowsAVX2(dst, rows, &index[0], len(index))
}

func addToRows(rows *layer, src *row, index []uint16) {
	if !vectors || len(index) == 0 {
		addToRowsGo(rows, src, index)
		return
	}
	addToRowsAVX2(rows, src, &index[0], len(index))
}

func forward(x, out *row) float32 {
	if !vectors {
		return forwardGo(x, out)
	}
	return forwardAVX2(x, out)
}

func backward(x, out, gradOut, gradBias *row, dz float32) {
	if !vectors {
		backwardGo(x, out, gradOut, gradBias, dz)
		return
	}
	backwardAVX2(x, out, gradOut, gradBias, dz)
}

// The kernels in assembly trust that every index is a row, and that there is one.
//
//go:noescape
func sumRowsAVX2(dst *row, rows *layer, index *uint16, n int)

//go:noescape
func addToRowsAVX2(rows *layer, src *row, index *uint16, n int)

//go:noescape
func forwardAVX2(x, out *row) float32

//go:noescape
func backwardAVX2(x, out, gradOut, gradBias *row, dz float32)
