// SPDX-License-Identifier: Apache-2.0

//go:build !amd64

package cpu

import "unsafe"

// Prefetch does nothing here.
func Prefetch(unsafe.Pointer) {}
