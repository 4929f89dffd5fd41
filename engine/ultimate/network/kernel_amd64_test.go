// SPDX-License-Identifier: Apache-2.0

package network

import "testing"

// levels runs f with each kind of kernels that the processor has.
func levels(t *testing.T, f func(t *testing.T)) {
	best := level
	defer func() { level = best }()
	for level = levelGo; level <= best; level++ {
		t.Run(Kernel(), f)
	}
}

// useGo makes the kernels those in Go until the returned function is called.
func useGo() (back func()) {
	best := level
	level = levelGo
	return func() { level = best }
}
