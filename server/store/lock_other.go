// SPDX-License-Identifier: Apache-2.0

//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package store

// lock does nothing on systems such as Windows, because these systems do not rename a file that is open.
func lock(string) (release func(), err error) { return func() {}, nil }

// keepOwner does nothing on systems such as Windows, because the owner of a new file need not be changed.
func keepOwner(string, string) error { return nil }
