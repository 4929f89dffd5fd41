// SPDX-License-Identifier: Apache-2.0

//go:build go1.27 && goexperiment.simd

package cpu

func init() { Best = NEON }
