// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli

import "syscall"

// cpuSeconds returns what this program has used of the processors.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()) / 1e9
}
