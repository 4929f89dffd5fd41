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
	judge = func(dst []float32, q *query, rows *table, list []cells) {
		judgeAVX2(&dst[0], q, rows, &list[0], len(list))
	}
	blame = func(gradient *table, dq, q *query, rows *table, list []cells, d []float32) {
		blameAVX2(gradient, dq, q, rows, &list[0], &d[0], len(list))
	}
}

// The kernels in assembly do not check their arguments: every pattern must have a row, and there must be at least one cell.
//
//go:noescape
func sumCellsAVX2(x *row, rows *table, list *cells, n int)

//go:noescape
func spreadAVX2(gradient *table, dx *row, rows *table, list *cells, n int)

//go:noescape
func judgeAVX2(dst *float32, q *query, rows *table, list *cells, n int)

//go:noescape
func blameAVX2(gradient *table, dq, q *query, rows *table, list *cells, d *float32, n int)
