// SPDX-License-Identifier: Apache-2.0

package network

import "github.com/krow-lab/krow/internal/cpu"

func init() {
	if cpu.Best < cpu.AVX2 {
		return
	}
	sumCells = func(x *row, rows *table, list []cells) { sumCellsAVX2(x, rows, &list[0], len(list)) }
	spread = func(gradient *table, dx *row, rows *table, list []cells) {
		spreadAVX2(gradient, dx, rows, &list[0], len(list))
	}
	forward, backward = forwardAVX2, backwardAVX2
}

// The kernels in assembly trust that every pattern has a row, and that there is a cell.
//
//go:noescape
func sumCellsAVX2(x *row, rows *table, list *cells, n int)

//go:noescape
func spreadAVX2(gradient *table, dx *row, rows *table, list *cells, n int)

//go:noescape
func forwardAVX2(h *hidden, x *row, w *layer)

//go:noescape
func backwardAVX2(gradient *layer, dx, x *row, w *layer, dh *hidden)
