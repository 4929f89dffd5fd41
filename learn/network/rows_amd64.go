// SPDX-License-Identifier: Apache-2.0

package network

import "github.com/krow-lab/krow/internal/cpu"

func init() {
	if cpu.Best < cpu.AVX2 {
		return
	}
	sumRows = func(dst *row, rows *layer, index []uint16) { sumRowsAVX2(dst, rows, &index[0], len(index)) }
	addToRows = func(rows *layer, src *row, index []uint16) { addToRowsAVX2(rows, src, &index[0], len(index)) }
	dot, addTimes = dotAVX2, addTimesAVX2
}

// The kernels in assembly trust that every index is a row, and that there is one.
//
//go:noescape
func sumRowsAVX2(dst *row, rows *layer, index *uint16, n int)

//go:noescape
func addToRowsAVX2(rows *layer, src *row, index *uint16, n int)

//go:noescape
func dotAVX2(x, y *row) float32

//go:noescape
func addTimesAVX2(dst, src *row, factor float32)
