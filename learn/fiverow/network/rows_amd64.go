// SPDX-License-Identifier: Apache-2.0

package network

import (
	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/learn/adam"
)

func init() {
	if cpu.Best < cpu.AVX2 {
		return
	}
	sumCells = func(x *row, rows *table, list []cells) { sumCellsAVX2(x, rows, &list[0], len(list)) }
	spread = func(gradient *table, dx *row, rows *table, list []cells) {
		spreadAVX2(gradient, dx, rows, &list[0], len(list))
	}
	forward, backward = forwardAVX2, backwardAVX2
	ask, unask = askAVX2, unaskAVX2
	add = func(dst, src []float32) {
		dst = dst[:len(src)]
		addAVX2(&dst[0], &src[0], len(src))
	}
	move = func(a adam.Step, p, m, v, g []float32) {
		c := a.Constants()
		moveAVX2(&c, &p[0], &m[:len(p)][0], &v[:len(p)][0], &g[:len(p)][0], len(p))
	}
	judge = func(dst []float32, q *query, rows *table, list []cells) {
		judgeAVX2(&dst[0], q, rows, &list[0], len(list))
	}
	blame = func(gradient *table, dq, q *query, rows *table, list []cells, d []float32) {
		blameAVX2(gradient, dq, q, rows, &list[0], &d[0], len(list))
	}
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

//go:noescape
func judgeAVX2(dst *float32, q *query, rows *table, list *cells, n int)

//go:noescape
func blameAVX2(gradient *table, dq, q *query, rows *table, list *cells, d *float32, n int)

//go:noescape
func addAVX2(dst, src *float32, n int)

//go:noescape
func moveAVX2(c *adam.Constants, p, m, v, d *float32, n int)

//go:noescape
func askAVX2(q *query, h *hidden, w *asking)

//go:noescape
func unaskAVX2(gradient *asking, dh, h *hidden, w *asking, dq *query)
