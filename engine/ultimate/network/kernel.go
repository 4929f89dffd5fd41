// SPDX-License-Identifier: Apache-2.0

package network

import "github.com/krow-lab/krow/internal/cpu"

// The kernels are the two inner loops, in Go and, on amd64, in assembly. The twins agree in every bit, since all numbers
// are whole.
//
//	accumulate   dst[j] = src[j] + sum of rows[add][j] - sum of rows[sub][j]
//	outputs      sums[i] = sum over j of out[j] * square(base[j] + rows[index[i]][j])
//
// A sum of 16 bits may wrap around on the way: the result fits, see Parse.

// level is what the kernels may use. Tests lower it.
var level = cpu.Best

// outputsGo is the reference of outputs.
func outputsGo(base, out *[Hidden]int16, rows *[numRows][Hidden]int16, index []uint16, sums []int32) {
	for i, r := range index {
		row, sum := &rows[r], int32(0)
		for j, x := range base {
			sum += int32(out[j]) * square(x+row[j])
		}
		sums[i] = sum
	}
}

// square clips x to 0..One and returns its square, an eighth of it to the nearest whole number: 0 to 1<<15 - 128.
func square(x int16) int32 {
	v := int32(min(max(x, 0), One))
	return (v*v + 4) >> 3
}

// accumulateGo is the reference of accumulate.
func accumulateGo(dst, src *[Hidden]int16, rows *[numRows][Hidden]int16, add, sub []uint16) {
	*dst = *src
	for _, r := range add {
		for j, w := range &rows[r] {
			dst[j] += w
		}
	}
	for _, r := range sub {
		for j, w := range &rows[r] {
			dst[j] -= w
		}
	}
}
