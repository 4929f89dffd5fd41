// SPDX-License-Identifier: Apache-2.0

//go:build go1.27 && goexperiment.simd

package cpu

import "simd/archsimd"

// ExtendHigh converts the upper four numbers to 32 bits.
func ExtendHigh(x archsimd.Int16x8) archsimd.Int32x4 { return x.ExtendHi4ToInt32() }

// ExtendHighUint is ExtendHigh for unsigned numbers.
func ExtendHighUint(x archsimd.Uint16x8) archsimd.Uint32x4 { return x.ExtendHi4ToUint32() }

// MulHigh multiplies each of the upper four numbers of x by the corresponding number of y.
func MulHigh(x, y archsimd.Int16x8) archsimd.Int32x4 { return x.MulWidenHi(y) }

// Sum returns the sum of the four numbers.
func Sum(x archsimd.Int32x4) int32 {
	return x.GetElem(0) + x.GetElem(1) + x.GetElem(2) + x.GetElem(3)
}

// AddPairs returns the sums of neighbouring numbers: first of x, then of y.
func AddPairs(x, y archsimd.Int32x4) archsimd.Int32x4 {
	even := archsimd.LoadInt8x16Array(&[16]int8{0, 1, 2, 3, 8, 9, 10, 11, -1, -1, -1, -1, -1, -1, -1, -1})
	odd := archsimd.LoadInt8x16Array(&[16]int8{-1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, 8, 9, 10, 11})
	return gather(x, even).Or(gather(y, odd))
}

// gather adds to each number with an even index the number that follows it. From the bytes of these sums it makes the result:
// byte i of the result is byte places[i] of the sums, or 0 if places[i] is -1.
func gather(x archsimd.Int32x4, places archsimd.Int8x16) archsimd.Int32x4 {
	x = x.Add(x.ToBits().ReshapeToUint64s().ShiftAllRight(32).ReshapeToUint32s().BitsToInt32())
	return x.ToBits().ReshapeToUint8s().BitsToInt8().LookupOrZero(places).ToBits().ReshapeToUint32s().BitsToInt32()
}
