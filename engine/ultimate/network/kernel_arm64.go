// SPDX-License-Identifier: Apache-2.0

//go:build go1.27 && goexperiment.simd

package network

import "simd/archsimd"

func extendHigh(x archsimd.Uint16x8) archsimd.Uint32x4 { return x.HiToLo().ExtendLo4ToUint32() }

func mulHigh(x, y archsimd.Int16x8) archsimd.Int32x4 { return x.HiToLo().MulWidenLo(y.HiToLo()) }

func reduce(x archsimd.Int32x4) int32 { return x.ReduceSum() }
