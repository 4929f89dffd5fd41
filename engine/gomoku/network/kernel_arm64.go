// SPDX-License-Identifier: Apache-2.0

//go:build go1.27 && goexperiment.simd

package network

func extendHigh(x short) vector { return x.HiToLo().ExtendLo4ToInt32() }

func mulHigh(x, y short) vector { return x.HiToLo().MulWidenLo(y.HiToLo()) }

// addPairs returns the sums of neighbours in x, then in y.
func addPairs(x, y vector) vector { return x.ConcatAddPairs(y) }

// reduce returns the sum of the four numbers.
func reduce(x vector) int32 { return x.ReduceSum() }
