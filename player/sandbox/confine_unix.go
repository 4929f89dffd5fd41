// SPDX-License-Identifier: Apache-2.0

//go:build unix

package sandbox

import (
	"time"

	"golang.org/x/sys/unix"
)

// used returns the processor time that this process has used.
func used() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0 // the parent's deadline is left
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
