// SPDX-License-Identifier: Apache-2.0

// Package cpu identifies the processor and its level: the vector instructions that the processor can run and for which krow has
// assembly code. It also measures processor time and prefetches memory.
package cpu

import (
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/cpu"
)

// Model returns the name that the processor reports, or its architecture if the name is not known.
func Model() string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(data)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// Level is a set of processor instructions. Each level includes the previous ones.
type Level int

// The levels.
const (
	Go     Level = iota // instructions that the Go compiler uses by default
	AVX2                // instructions AVX2 and BMI2
	AVX512              // instructions AVX-512 F, BW, VL and VNNI

	// SIMD is the level of arm64 and WebAssembly, with vectors of 128 bits. It has the same value as AVX2, because no processor
	// has both levels.
	SIMD = AVX2
)

// String names the level, for tests and benchmarks.
func (l Level) String() string {
	if l == SIMD && runtime.GOARCH != "amd64" {
		return "simd"
	}
	return [...]string{"go", "avx2", "avx512-vnni"}[l]
}

// Best is the level of this processor under this operating system.
var Best = func() Level {
	x := &cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasBMI2:
		return Go
	case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VL && x.HasAVX512VNNI:
		return AVX512
	}
	return AVX2
}()
