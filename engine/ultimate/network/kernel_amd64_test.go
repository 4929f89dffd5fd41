// SPDX-License-Identifier: Apache-2.0

package network

// eachLevel calls f with each kind of kernels that the processor has.
func eachLevel(f func()) {
	best := level
	defer func() { level = best }()
	for level = levelGo; level <= best; level++ {
		f()
	}
}
