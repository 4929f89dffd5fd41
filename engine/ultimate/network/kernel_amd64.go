// SPDX-License-Identifier: Apache-2.0

package network

// Levels of what the processor can do, each of which can do what the ones before it can.
const (
	levelGo = iota
	levelAVX2
	levelVNNI // AVX512 F, BW, VL and VNNI
)

// level is what this processor can do. Tests lower it.
var level = detect()

// Kernel names the machine instructions that the kernels are made of.
func Kernel() string { return [...]string{"go", "avx2", "avx512-vnni"}[level] }

// detect asks the processor what it can do, and the operating system which registers it keeps.
// CITE: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapters 14 and 15, and CPUID in volume 2.
func detect() int {
	const (
		osxsave, avx                   = 1 << 27, 1 << 28  // leaf 1, ecx
		avx2, avx512f                  = 1 << 5, 1 << 16   // leaf 7, ebx
		avx512bw, avx512vl             = 1 << 30, 1 << 31  // leaf 7, ebx
		avx512vnni                     = 1 << 11           // leaf 7, ecx
		keepsYMM, keepsZMM             = 0b110, 0b11100110 // xcr0
		needs512                       = avx512f | avx512bw | avx512vl
		leafFeatures, leafMoreFeatures = 1, 7
	)
	if top, _, _, _ := cpuid(0, 0); top < leafMoreFeatures {
		return levelGo
	}
	_, _, c1, _ := cpuid(leafFeatures, 0)
	if c1&osxsave == 0 || c1&avx == 0 {
		return levelGo
	}
	_, b7, c7, _ := cpuid(leafMoreFeatures, 0)
	switch kept := xgetbv(); {
	case kept&keepsZMM == keepsZMM && b7&avx2 != 0 && b7&needs512 == needs512 && c7&avx512vnni != 0:
		return levelVNNI
	case kept&keepsYMM == keepsYMM && b7&avx2 != 0:
		return levelAVX2
	}
	return levelGo
}

func outputs(base, out *[Hidden]int16, rows *[numRows][Hidden]int16, index []uint16, sums []int32) {
	if len(index) == 0 {
		return
	}
	sums = sums[:len(index)]
	switch level {
	case levelVNNI:
		outputsVNNI(base, out, rows, &index[0], &sums[0], len(index))
	case levelAVX2:
		outputsAVX2(base, out, rows, &index[0], &sums[0], len(index))
	default:
		outputsGo(base, out, rows, index, sums)
	}
}

func accumulate(dst, src *[Hidden]int16, rows *[numRows][Hidden]int16, add, sub []uint16) {
	switch level {
	case levelVNNI:
		accumulateAVX512(dst, src, rows, add, sub)
	case levelAVX2:
		accumulateAVX2(dst, src, rows, add, sub)
	default:
		accumulateGo(dst, src, rows, add, sub)
	}
}

// cpuid and xgetbv are the instructions of that name; xgetbv returns the low half of XCR0.
//
//go:noescape
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

//go:noescape
func xgetbv() uint32

// The kernels in assembly trust that every index is a row.
//
//go:noescape
func outputsAVX2(base, out *[Hidden]int16, rows *[numRows][Hidden]int16, index *uint16, sums *int32, n int)

//go:noescape
func outputsVNNI(base, out *[Hidden]int16, rows *[numRows][Hidden]int16, index *uint16, sums *int32, n int)

//go:noescape
func accumulateAVX2(dst, src *[Hidden]int16, rows *[numRows][Hidden]int16, add, sub []uint16)

//go:noescape
func accumulateAVX512(dst, src *[Hidden]int16, rows *[numRows][Hidden]int16, add, sub []uint16)
