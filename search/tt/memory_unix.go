// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tt

import "syscall"

// Available reports whether the system can give the process this much memory. Without this check, the process would end if
// the system refused an allocation.
func Available(bytes int) bool {
	if bytes == 0 {
		return true
	}
	all, err := syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	return err == nil && syscall.Munmap(all) == nil
}
