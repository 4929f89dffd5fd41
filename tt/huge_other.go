// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package tt

// HugePages does nothing where there is no way to ask for huge pages.
func HugePages[T any]([]T) {}
