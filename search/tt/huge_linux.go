// SPDX-License-Identifier: Apache-2.0

package tt

import (
	"syscall"
	"unsafe"
)

// HugePages asks the system to store s in huge pages. With small pages, half the time of a random access is spent
// on finding the page. If the system refuses, only speed is lost.
func HugePages[T any](s []T) {
	const madvHugePage, hugePage = 14, 2 << 20
	var t T
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(t)))
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (hugePage - 1)
	if len(b) < skip+hugePage {
		return
	}
	_ = syscall.Madvise(b[skip:], madvHugePage)
}
