// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"syscall"
	"unsafe"
)

// hugePages asks for huge pages behind s: a probe is a random access, and most of its time is the look-up of
// the page. A refusal costs only speed.
func hugePages(s []bucket) {
	const madvHugePage, hugePage = 14, 2 << 20
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), bucketBytes*len(s))
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (hugePage - 1)
	if len(b) < skip+hugePage {
		return
	}
	_ = syscall.Madvise(b[skip:], madvHugePage)
}
