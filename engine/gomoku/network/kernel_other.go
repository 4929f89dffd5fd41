// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 && !((arm64 || wasm) && go1.27 && goexperiment.simd)

package network

func update(dst, src *Accumulator, rows *[numRows]row, changes []Change) {
	updateGo(dst, src, rows, changes)
}

func head(h *[Hidden]int32, own, enemy *[Width]int32, n *Network, mask *[Hidden]int32) int32 {
	return headGo(h, own, enemy, n, mask)
}

func query(q *PolicyHead, h *[Hidden]int32, n *Network) { queryGo(q, h, n) }

func scoreCells(dst []int32, q *PolicyHead, rows *[numRows]row, cells []Cell) {
	scoreCellsGo(dst, q, rows, cells)
}
