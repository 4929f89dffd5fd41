// SPDX-License-Identifier: Apache-2.0

package network

import engine "github.com/krow-lab/krow/engine/gomoku/network"

// The hidden layer has two groups of inputs: the sums for the side to move, and the sums for its enemy.
const inputs = 2 * engine.Width

type (
	row    = [inputs]float32
	table  = [engine.Patterns + 1]row
	hidden = [engine.Hidden]float32
	query  = [engine.Width]float32
)

// These are the kernels of the training that work on lists of cells, in the versions written in Go. On processors with AVX2
// these versions are replaced by versions in assembly, whose results are equal bit for bit. A list of cells must not be
// empty.
//
//	sumCells   adds the cells to the sums x
//	spread     adds dx, the gradient of the sums, to the gradient of the rows of the cells
//	judge      writes the product of each cell's row and the query q
//	blame      adds the gradients that follow from d, the gradient of judge's output, to dq and to the gradient of the rows
var (
	sumCells = sumCellsGo
	spread   = spreadGo
	judge    = judgeGo
	blame    = blameGo
)

// counts[n] is the number n of cells, divided by engine.SumUnit.
var counts = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(i) / engine.SumUnit
	}
	return t
}()

func sumCellsGo(x *row, rows *table, list []cells) {
	const width = engine.Width
	for _, c := range list {
		own, enemy, n := &rows[c.own], &rows[c.enemy], counts[c.n]
		for j := range width {
			x[j] += float32(min(max(own[j]+enemy[width+j], 0), 1) * n)
			x[width+j] += float32(min(max(enemy[j]+own[width+j], 0), 1) * n)
		}
	}
}

func spreadGo(gradient *table, dx *row, rows *table, list []cells) {
	const width = engine.Width
	for _, c := range list {
		own, enemy := &rows[c.own], &rows[c.enemy]
		to, from, n := &gradient[c.own], &gradient[c.enemy], counts[c.n]
		for j := range width {
			if v := own[j] + enemy[width+j]; v > 0 && v < 1 {
				d := float32(dx[j] * n)
				to[j] += d
				from[width+j] += d
			}
		}
		for j := range width {
			if v := enemy[j] + own[width+j]; v > 0 && v < 1 {
				d := float32(dx[width+j] * n)
				from[j] += d
				to[width+j] += d
			}
		}
	}
}

func judgeGo(dst []float32, q *query, rows *table, list []cells) {
	for i, c := range list {
		own, enemy := &rows[c.own], &rows[c.enemy]
		var sum [8]float32
		for j, x := range q {
			sum[j%8] += float32(min(max(own[j]+enemy[engine.Width+j], 0), 1) * x)
		}
		dst[i] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]))
	}
}

func blameGo(gradient *table, dq, q *query, rows *table, list []cells, d []float32) {
	const width = engine.Width
	for i, c := range list {
		own, enemy := &rows[c.own], &rows[c.enemy]
		to, from := &gradient[c.own], &gradient[c.enemy]
		for j := range width {
			v := own[j] + enemy[width+j]
			dq[j] += float32(d[i] * min(max(v, 0), 1))
			if v > 0 && v < 1 {
				x := float32(d[i] * q[j])
				to[j] += x
				from[width+j] += x
			}
		}
	}
}
