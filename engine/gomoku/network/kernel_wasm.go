// SPDX-License-Identifier: Apache-2.0

//go:build go1.27 && goexperiment.simd

package network

import "simd/archsimd"

func extendHigh(x short) vector { return x.ExtendHi4ToInt32() }

func mulHigh(x, y short) vector { return x.MulWidenHi(y) }

// addPairs returns the sums of neighbours in x, then in y.
func addPairs(x, y vector) vector {
	even := archsimd.LoadInt8x16Array(&[16]int8{0, 1, 2, 3, 8, 9, 10, 11, -1, -1, -1, -1, -1, -1, -1, -1})
	odd := archsimd.LoadInt8x16Array(&[16]int8{-1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, 8, 9, 10, 11})
	return gather(addNext(x), even).Or(gather(addNext(y), odd))
}

func gather(x vector, places archsimd.Int8x16) vector {
	return x.ToBits().ReshapeToUint8s().BitsToInt8().LookupOrZero(places).ToBits().ReshapeToUint32s().BitsToInt32()
}

// addNext adds to each number with an even index the next one.
func addNext(x vector) vector {
	return x.Add(x.ToBits().ReshapeToUint64s().ShiftAllRight(32).ReshapeToUint32s().BitsToInt32())
}

// reduce returns the sum of the four numbers.
func reduce(x vector) int32 { return x.GetElem(0) + x.GetElem(1) + x.GetElem(2) + x.GetElem(3) }
