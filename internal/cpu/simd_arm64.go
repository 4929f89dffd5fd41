// SPDX-License-Identifier: Apache-2.0

//go:build go1.27 && goexperiment.simd

package cpu

import "simd/archsimd"

// ExtendHigh converts the upper four numbers to 32 bits.
func ExtendHigh(x archsimd.Int16x8) archsimd.Int32x4 { return x.HiToLo().ExtendLo4ToInt32() }

// ExtendHighUint is ExtendHigh for unsigned numbers.
func ExtendHighUint(x archsimd.Uint16x8) archsimd.Uint32x4 { return x.HiToLo().ExtendLo4ToUint32() }

// MulHigh multiplies each of the upper four numbers of x by the corresponding number of y.
func MulHigh(x, y archsimd.Int16x8) archsimd.Int32x4 { return x.HiToLo().MulWidenLo(y.HiToLo()) }

// Sum returns the sum of the four numbers.
func Sum(x archsimd.Int32x4) int32 { return x.ReduceSum() }

// AddPairs returns the sums of neighbouring numbers: first of x, then of y.
func AddPairs(x, y archsimd.Int32x4) archsimd.Int32x4 { return x.ConcatAddPairs(y) }
