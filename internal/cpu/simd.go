// SPDX-License-Identifier: Apache-2.0

//go:build (arm64 || wasm) && go1.27 && goexperiment.simd

package cpu

func init() { Best = SIMD }
