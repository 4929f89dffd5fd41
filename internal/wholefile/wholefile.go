// SPDX-License-Identifier: Apache-2.0

// Package wholefile writes files that are never half there.
package wholefile

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write makes data the contents of the file of that name: beside it first, then renamed, so that a reader finds
// the old file or the new one, and an error leaves the old one.
func Write(name string, data []byte) error {
	return Stream(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Stream is Write of what write writes. An error of write leaves the old file, too. A link leads to the file that is
// written; what is no regular file, as a device or a pipe, stays what it is and takes what comes.
func Stream(name string, write func(io.Writer) error) error {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to
	}
	if i, err := os.Stat(name); err == nil && !i.Mode().IsRegular() && !i.IsDir() {
		return into(name, write)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: "write", Path: name, Err: e.Err}
	}
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = cmp.Or(write(w), w.Flush())
	err = cmp.Or(err, f.Chmod(0o644), f.Sync(), f.Close()) // CreateTemp keeps others out
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// into writes to what is there.
func into(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	return cmp.Or(write(w), w.Flush(), f.Close())
}
