// SPDX-License-Identifier: Apache-2.0

package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Lock locks f for this process until f is closed. It does not wait: if another process has locked f, it returns ErrBusy. On
// Windows a locked byte cannot be read, so Lock locks a byte far beyond the end of the contents.
func Lock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrBusy
	}
	return err
}
