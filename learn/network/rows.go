// SPDX-License-Identifier: Apache-2.0

package network

import "github.com/krow-lab/krow/engine/ultimate/network"

// row is a hidden layer, or what an input adds to it.
type row = [network.Hidden]float32

// layer is a row for each input.
type layer = [network.Inputs]row

// sumRowsGo adds rows to dst, and addToRowsGo adds src to rows. Every element is added up in the order of index, with
// vectors or without: their twins in assembly agree in every bit.
func sumRowsGo(dst *row, rows *layer, index []uint16) {
	for _, r := range index {
		for j, x := range &rows[r] {
			dst[j] += x
		}
	}
}

func addToRowsGo(rows *layer, src *row, index []uint16) {
	for _, r := range index {
		dst := &rows[r]
		for j, x := range src {
			dst[j] += x
		}
	}
}
