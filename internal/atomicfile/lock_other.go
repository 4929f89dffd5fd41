// SPDX-License-Identifier: Apache-2.0

//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package atomicfile

import (
	"cmp"
	"os"
)

// Lock claims nothing here: the user sees to it that one process writes a file.
func Lock(*os.File) error { return nil }

// unlock closes f before its last act: files that are open cannot be renamed here.
func unlock(f *os.File, last func() error) error { return cmp.Or(f.Close(), last()) }
