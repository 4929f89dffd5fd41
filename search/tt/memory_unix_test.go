// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tt

import "testing"

func TestAvailable(t *testing.T) {
	for bytes, want := range map[int]bool{-1: false, 0: true, 1 << 20: true, 1 << 45: false, 1 << 62: false} {
		if got := Available(bytes); got != want {
			t.Errorf("%d bytes: %t", bytes, got)
		}
	}
}
