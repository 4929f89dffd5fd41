// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 && !((arm64 || wasm) && go1.27 && goexperiment.simd)

package network

func add(dst *row, rows []row, index []uint16) { addGo(dst, rows, index) }

func outputs(base *row, rows []row, last *tail, index [][3]uint16, sums []int32) {
	outputsGo(base, rows, last, index, sums)
}
