// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package tt

// HugePages does nothing, because huge pages cannot be requested on this system.
func HugePages[T any]([]T) {}
