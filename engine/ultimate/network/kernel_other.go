// SPDX-License-Identifier: Apache-2.0

//go:build !amd64

package network

func outputs(base, out *[Hidden]int16, rows *[numRows][Hidden]int16, index []uint16, sums []int32) {
	outputsGo(base, out, rows, index, sums)
}

func accumulate(dst, src *[Hidden]int16, rows *[numRows][Hidden]int16, add, sub []uint16) {
	accumulateGo(dst, src, rows, add, sub)
}
