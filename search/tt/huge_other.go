// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package tt

// HugePages does nothing: this system cannot be asked for huge pages.
func HugePages[T any]([]T) {}
