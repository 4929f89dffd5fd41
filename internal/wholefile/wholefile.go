// SPDX-License-Identifier: Apache-2.0

// Package wholefile writes files that are never half there.
//
// What is written stands beside the file, locked by the process that writes it, until it is whole:
//
//	DIR/.NAME.new  -- rename -->  DIR/NAME
//
// A process that is killed leaves it behind, and the next one to write the same file takes it over.
package wholefile

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// ErrBusy is returned for a file that another process, or another part of this one, is about to write.
var ErrBusy = errors.New("another process writes it")

// patience is how long Write and Stream wait for another process.
const patience = 5 * time.Second

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
	f, err := Open(name)
	for end := time.Now().Add(patience); errors.Is(err, ErrBusy) && time.Now().Before(end); f, err = Open(name) {
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		return err
	}
	return cmp.Or(f.put(write), f.Close())
}

// File is the right to write a file, as often as wanted, which nobody else has until Close.
type File struct {
	name   string
	device bool        // or a pipe: written to as it is
	mode   fs.FileMode // of the file that is there, or 0
	beside *os.File    // locked, and empty while nothing is written
}

// Open returns the right to write the file of that name, if it can be written. That makes no file of that name, and
// changes none.
func Open(name string) (*File, error) {
	f := &File{name: behind(name)}
	i, err := os.Stat(f.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = f.claim()
	case err != nil:
	case i.IsDir():
		err = errors.New("is a directory")
	case i.Mode().IsRegular():
		f.mode = i.Mode().Perm()
		if err = writable(f.name); err == nil {
			err = f.claim()
		}
	default:
		f.device = true
	}
	if err != nil {
		return nil, f.failed(err)
	}
	return f, nil
}

// writable returns an error for a file that its owner has protected: it could be replaced all the same.
func writable(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// behind returns where links lead, which may be to a file that is not there yet.
func behind(name string) string {
	to, err := filepath.EvalSymlinks(name)
	if err == nil {
		return to
	}
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return name
	}
	if to, err = os.Readlink(name); err != nil {
		return name
	}
	if !filepath.IsAbs(to) {
		dir, _ := filepath.Split(name)
		to = dir + to // as it is: what is above a directory behind a link is not what its name says
	}
	return behind(to)
}

// Write makes what write writes the contents of the file. An error leaves the old one.
func (f *File) Write(write func(io.Writer) error) error {
	err := f.put(write)
	if err == nil && !f.device {
		_ = f.claim() // the next Write tells
	}
	return err
}

// Close gives the right back.
func (f *File) Close() error {
	if f.beside == nil {
		return nil
	}
	return f.end(func() error { return os.Remove(f.beside.Name()) })
}

// put is Write that does not keep the right.
func (f *File) put(write func(io.Writer) error) error {
	if f.device {
		return into(f.name, write)
	}
	if f.beside == nil {
		if err := f.claim(); err != nil {
			return f.failed(err)
		}
	}
	w := bufio.NewWriter(f.beside)
	if err := cmp.Or(write(w), w.Flush(), f.beside.Sync()); err != nil {
		if e, ok := errors.AsType[*fs.PathError](err); ok && e.Path == f.beside.Name() {
			e.Path = f.name
		}
		return cmp.Or(err, f.empty())
	}
	return f.end(func() error { return os.Rename(f.beside.Name(), f.name) })
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

// empty forgets what is written beside.
func (f *File) empty() error {
	_, err := f.beside.Seek(0, io.SeekStart)
	return cmp.Or(err, f.beside.Truncate(0))
}

// claims are the files beside that this process has made and not yet renamed or removed.
var claims = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

// Abandon removes what is written beside, for a process that ends at once: from here on no file is written.
func Abandon() {
	claims.Lock() // for ever
	for name := range claims.names {
		os.Remove(name)
	}
}

// claim makes or takes over the file beside, and locks it.
func (f *File) claim() error {
	claims.Lock()
	defer claims.Unlock()
	name := filepath.Join(filepath.Dir(f.name), "."+filepath.Base(f.name)+".new")
	beside, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		if _, missing := os.Lstat(name); missing == nil {
			err = fmt.Errorf("what is left as %s: %w", name, errors.Unwrap(err))
		}
		return err
	}
	// Where a file system has no locks, everybody gets one; is tells when another process has renamed or removed it.
	if errors.Is(Lock(beside), ErrBusy) || !is(beside, name) {
		beside.Close()
		return ErrBusy
	}
	f.beside, claims.names[name] = beside, true
	if f.mode != 0 {
		_ = beside.Chmod(f.mode) // not every system knows
	}
	return f.empty()
}

// end renames or removes the file beside.
func (f *File) end(do func() error) error {
	claims.Lock()
	defer claims.Unlock()
	delete(claims.names, f.beside.Name())
	err := unlock(f.beside, do)
	f.beside = nil
	return err
}

// is says whether the open file is the one of that name.
func is(file *os.File, name string) bool {
	a, err1 := file.Stat()
	b, err2 := os.Lstat(name)
	return cmp.Or(err1, err2) == nil && os.SameFile(a, b)
}

// failed says of which file an error is.
func (f *File) failed(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return &fs.PathError{Op: "write", Path: f.name, Err: err}
}
