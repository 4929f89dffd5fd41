// SPDX-License-Identifier: Apache-2.0

package cpu

import "unsafe"

// Prefetch asks the processor to load the cache line of p, and does not wait for it.
//
//go:noescape
func Prefetch(p unsafe.Pointer)
