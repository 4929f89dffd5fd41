// SPDX-License-Identifier: Apache-2.0

package network

import "github.com/krow-lab/krow/engine/ultimate/network"

type row = [network.Hidden]float32

type layer = [network.Inputs]row

// The kernels of training are in Go here. Where the processor has AVX2 they are twins in assembly, which agree in every
// bit. A list of indices is never empty: the forced board is always an input.
var (
	sumRows   = sumRowsGo
	addToRows = addToRowsGo
	forward   = forwardGo
	backward  = backwardGo
)

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

// forwardGo clips x to 0..1 and returns the sum of out x x, in eight lanes as vectors do.
func forwardGo(x, out *row) float32 {
	var z [8]float32
	for j := range x {
		c := min(max(x[j], 0), 1)
		x[j] = c
		z[j%8] += out[j] * c * c
	}
	return ((z[0] + z[4]) + (z[2] + z[6])) + ((z[1] + z[5]) + (z[3] + z[7]))
}

// backwardGo takes dz, the gradient of the sum, back: it adds the gradients of out and of the bias, and leaves in x the
// gradient before x was clipped, 0 where x is 0 or 1.
func backwardGo(x, out, gradOut, gradBias *row, dz float32) {
	for j, c := range x {
		a := c * dz
		gradOut[j] += a * c
		d := a * out[j]
		d += d
		if c >= 1 {
			d = 0
		}
		x[j] = d
		gradBias[j] += d
	}
}
