// SPDX-License-Identifier: Apache-2.0

package tt

import (
	"syscall"
	"unsafe"
)

// HugePages asks the system to keep s in huge pages. With small pages, half the time of a random access is spent on
// finding the page. If the system refuses, only speed is lost.
func HugePages[T any](s []T) {
	const madvHugePage, hugePage = 14, 2 << 20
	advise(s, hugePage, madvHugePage)
}

// Touch has the system find memory for s now. The first use of a page may wait for long, while a clock runs. If the system
// refuses, only that is lost.
func Touch[T any](s []T) {
	const madvPopulateWrite = 23
	advise(s, syscall.Getpagesize(), madvPopulateWrite)
}

// advise tells the system about the whole pages of s.
func advise[T any](s []T, page, advice int) {
	var t T
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(t)))
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (page - 1)
	if len(b) < skip+page {
		return
	}
	b = b[skip:]
	_ = syscall.Madvise(b[:len(b)&^(page-1)], advice)
}
