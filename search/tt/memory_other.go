// SPDX-License-Identifier: Apache-2.0

//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package tt

// Available always returns true, because this system cannot be asked.
func Available(int) bool { return true }
