// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// lock locks a database, which may be damaged, against all other processes until release is called. It takes the same locks as
// SQLite: on parts of the file, and on parts of the shared-memory file next to it. Other processes that use SQLite hold these locks
// even if the file was moved meanwhile.
//
// CITE: sqlite.org, os_unix.c: a process loses its fcntl locks on a file as soon as it closes any descriptor of that file.
func lock(abs string) (release func(), err error) {
	var files []*os.File
	release = func() {
		for _, f := range files {
			_ = f.Close()
		}
	}
	for _, name := range []string{abs, abs + "-shm"} {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			files = append(files, f)
			err = syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_WRLCK})
		}
		if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) && f != nil {
			err = errBusy
		}
		if err != nil {
			release()
			return nil, err
		}
	}
	return release, nil
}

// keepOwner gives the new file the owner of the file that it replaces, or the owner of the directory if it replaces no file.
// Only root can change the owner of a file. The change is needed only if root runs the program, because a server of another
// user could not open a file that belongs to root.
func keepOwner(fresh, abs string) error {
	info, err := os.Stat(abs)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = os.Stat(filepath.Dir(abs))
	}
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	owner, _ := info.Sys().(*syscall.Stat_t) // on these systems Sys always returns this type
	return os.Chown(fresh, int(owner.Uid), int(owner.Gid))
}
