// SPDX-License-Identifier: Apache-2.0

// Package cpu tells which of krow's assembly the processor can run, and fetches memory ahead.
package cpu

import "golang.org/x/sys/cpu"

// Level is a set of instructions. Each level can do what the ones before it can.
type Level int

// The levels.
const (
	Go     Level = iota // what the compiler uses anyway
	AVX2                // and BMI2
	AVX512              // F, BW, VL and VNNI
)

// String names the level, for tests and benchmarks.
func (l Level) String() string { return [...]string{"go", "avx2", "avx512-vnni"}[l] }

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
