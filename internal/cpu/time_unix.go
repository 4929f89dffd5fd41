// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cpu

import (
	"syscall"
	"time"
)

// Time returns the processor time that all threads of this process have used.
func Time() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
