// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package wholefile

import (
	"cmp"
	"errors"
	"os"
	"syscall"
)

// lock claims f until it is closed, or returns ErrBusy at once. Where a file system has no locks, everybody gets one.
func lock(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return nil
}

// unlock closes f after a last act that others must not come before.
func unlock(f *os.File, last func() error) error {
	err := last()
	return cmp.Or(err, f.Close())
}
