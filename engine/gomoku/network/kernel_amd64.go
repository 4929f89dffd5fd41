// SPDX-License-Identifier: Apache-2.0

package network

import "github.com/krow-lab/krow/internal/cpu"

func update(dst, src *Accumulator, rows *[numRows]row, changes []Change) {
	switch {
	case level >= cpu.AVX512:
		updateAVX512(dst, src, rows, &changes[0], len(changes))
	case level >= cpu.AVX2:
		updateAVX2(dst, src, rows, &changes[0], len(changes))
	default:
		updateGo(dst, src, rows, changes)
	}
}

func head(h *[Hidden]int32, own, enemy *[Width]int32, n *Network, mask *[Hidden]int32) int32 {
	switch {
	case level >= cpu.AVX512:
		return headAVX512(h, own, enemy, &n.hidden, mask, &n.out)
	case level >= cpu.AVX2:
		return headAVX2(h, own, enemy, &n.hidden, mask, &n.out)
	}
	return headGo(h, own, enemy, n, mask)
}

func query(q *PolicyHead, h *[Hidden]int32, n *Network) {
	if level >= cpu.AVX2 {
		queryAVX2(q, h, &n.base, &n.query)
		return
	}
	queryGo(q, h, n)
}

func scoreCells(dst []int32, q *PolicyHead, rows *[numRows]row, cells []Cell) {
	if level >= cpu.AVX2 {
		scoreCellsAVX2(&dst[0], q, rows, &cells[0], len(cells))
		return
	}
	scoreCellsGo(dst, q, rows, cells)
}

// The kernels in assembly do not check their arguments: every pattern must have a row, and there must be at
// least one change or cell.
//
//go:noescape
func updateAVX2(dst, src *Accumulator, rows *[numRows]row, changes *Change, n int)

//go:noescape
func updateAVX512(dst, src *Accumulator, rows *[numRows]row, changes *Change, n int)

//go:noescape
func headAVX2(h *[Hidden]int32, own, enemy *[Width]int32, hidden *[Width][Hidden][2]int16, mask, out *[Hidden]int32) int32

//go:noescape
func headAVX512(h *[Hidden]int32, own, enemy *[Width]int32, hidden *[Width][Hidden][2]int16, mask, out *[Hidden]int32) int32

//go:noescape
func queryAVX2(q *PolicyHead, h *[Hidden]int32, base *[Width]int32, query *[Hidden / 2][Width][2]int16)

//go:noescape
func scoreCellsAVX2(dst *int32, q *PolicyHead, rows *[numRows]row, cells *Cell, n int)
