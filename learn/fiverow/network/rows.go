// SPDX-License-Identifier: Apache-2.0

package network

import engine "github.com/krow-lab/krow/engine/gomoku/network"

// inputs of the hidden layer: the sums of the side to move, and those of its enemy.
const inputs = 2 * engine.Width

type (
	row    = [inputs]float32
	table  = [engine.Patterns + 1]row
	layer  = [inputs][engine.Hidden]float32
	hidden = [engine.Hidden]float32
)

// The kernels of training are in Go here. Where the processor has AVX2 they are twins in assembly, which agree in every
// bit. A list of cells is never empty.
//
//	sumCells   adds the cells to the sums x
//	spread     takes dx, the gradient of the sums, back to the rows of the cells
//	forward    adds the sums times the weights of the hidden layer to h
//	backward   takes dh back: adds to the gradient of the weights, and writes dx
var (
	sumCells = sumCellsGo
	spread   = spreadGo
	forward  = forwardGo
	backward = backwardGo
)

func sumCellsGo(x *row, rows *table, list []cells) {
	const width = engine.Width
	for _, c := range list {
		own, enemy := &rows[c.own], &rows[c.enemy]
		for j := range width {
			x[j] += float32(min(max(own[j]+enemy[width+j], 0), 1) * c.n)
			x[width+j] += float32(min(max(enemy[j]+own[width+j], 0), 1) * c.n)
		}
	}
}

func spreadGo(gradient *table, dx *row, rows *table, list []cells) {
	const width = engine.Width
	for _, c := range list {
		own, enemy := &rows[c.own], &rows[c.enemy]
		to, from := &gradient[c.own], &gradient[c.enemy]
		for j := range width {
			if v := own[j] + enemy[width+j]; v > 0 && v < 1 {
				d := float32(dx[j] * c.n)
				to[j] += d
				from[width+j] += d
			}
		}
		for j := range width {
			if v := enemy[j] + own[width+j]; v > 0 && v < 1 {
				d := float32(dx[width+j] * c.n)
				from[j] += d
				to[width+j] += d
			}
		}
	}
}

func forwardGo(h *hidden, x *row, w *layer) {
	for i, a := range x {
		for j, b := range &w[i] {
			h[j] += float32(a * b)
		}
	}
}

func backwardGo(gradient *layer, dx, x *row, w *layer, dh *hidden) {
	for i, a := range x {
		var sum [8]float32
		for j, d := range dh {
			gradient[i][j] += float32(a * d)
			sum[j%8] += float32(w[i][j] * d)
		}
		dx[i] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]))
	}
}
