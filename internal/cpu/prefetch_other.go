// SPDX-License-Identifier: Apache-2.0

//go:build !amd64

package cpu

import "unsafe"

// Prefetch does nothing on this processor.
func Prefetch(unsafe.Pointer) {}
