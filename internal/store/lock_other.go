// SPDX-License-Identifier: Apache-2.0

//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package store

// lock locks nothing here: files that are open cannot be renamed.
func lock(string) (release func(), err error) { return func() {}, nil }
