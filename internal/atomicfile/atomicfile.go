// SPDX-License-Identifier: Apache-2.0

// Package atomicfile writes files such that no reader ever sees a half-written file.
//
// The new content is in a temporary file next to the file until it is complete. The process that writes it has it
// locked:
//
//	DIR/.NAME.new  -- rename -->  DIR/NAME
//
// A killed process leaves it behind. The next process that writes the same file takes over this temporary file.
package atomicfile

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// ErrBusy is returned by Open for a file that another process, or another part of this one, has the right to write.
var ErrBusy = errors.New("another process writes it")

// patience is how long Write waits for another process.
const patience = 5 * time.Second

// Write sets the contents of a file to data. A reader finds the old contents or the new ones; after an error the old ones remain.
// If name is a link, its target is written. A device or a pipe is written directly.
func Write(name string, data []byte) error {
	f, err := Open(name)
	for end := time.Now().Add(patience); errors.Is(err, ErrBusy) && time.Now().Before(end); f, err = Open(name) {
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		return err
	}
	err = f.put(func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	return cmp.Or(err, f.Close())
}

// File is the exclusive right to write a file any number of times, until Close.
type File struct {
	name   string
	device bool        // or a pipe: written to as it is
	mode   fs.FileMode // of the file that is there, or 0
	beside *os.File    // locked, and empty while nothing is written
}

// Open returns the right to write a file, or an error if it cannot be written. It neither creates nor changes the file.
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

// writable returns an error for a file that its owner has protected from writing, since a rename would replace it nevertheless.
func writable(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// behind returns the file to which links lead, even if it does not exist yet.
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
		to = dir + to // not cleaned: above a directory behind a link is another one than its name says
	}
	return behind(to)
}

// Write sets the contents of the file to everything that write writes. After an error the old contents remain.
func (f *File) Write(write func(io.Writer) error) error {
	err := f.put(write)
	if err == nil && !f.device {
		_ = f.claim() // the next Write tells
	}
	return err
}

// Close gives up the right to write the file.
func (f *File) Close() error {
	if f.beside == nil {
		return nil
	}
	return f.end(os.Remove)
}

// put writes the file and gives up the right to write it.
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
	return f.end(func(beside string) error { return os.Rename(beside, f.name) })
}

// into writes directly to the existing file, such as a device.
func into(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	return cmp.Or(write(w), w.Flush(), f.Close())
}

// empty removes the temporary content.
func (f *File) empty() error {
	_, err := f.beside.Seek(0, io.SeekStart)
	return cmp.Or(err, f.beside.Truncate(0))
}

// claims are the temporary files that this process has made, and neither renamed nor removed yet.
var claims = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

// Abandon removes all temporary files. A process that is about to end calls it; afterwards no file can be written.
func Abandon() {
	claims.Lock() // and never unlocks
	for name := range claims.names {
		os.Remove(name)
	}
}

// claim makes or takes over the temporary file, and locks it.
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
	// A file system without locks gives one to all; is tells when another process has renamed or removed the file.
	if errors.Is(Lock(beside), ErrBusy) || !is(beside, name) {
		beside.Close()
		return ErrBusy
	}
	f.beside, claims.names[name] = beside, true
	if f.mode != 0 {
		_ = beside.Chmod(f.mode) // not every system has modes
	}
	return f.empty()
}

// end renames or removes the temporary file while it is locked, so that no other process can take it over first. Windows renames no
// open file.
func (f *File) end(do func(beside string) error) error {
	claims.Lock()
	defer claims.Unlock()
	beside := f.beside
	f.beside = nil
	delete(claims.names, beside.Name())
	if runtime.GOOS == "windows" {
		return cmp.Or(beside.Close(), do(beside.Name()))
	}
	err := do(beside.Name())
	return cmp.Or(err, beside.Close())
}

// is reports whether the open file is the file with that name.
func is(file *os.File, name string) bool {
	a, err1 := file.Stat()
	b, err2 := os.Lstat(name)
	return cmp.Or(err1, err2) == nil && os.SameFile(a, b)
}

// failed returns err with the name of the file.
func (f *File) failed(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return &fs.PathError{Op: "write", Path: f.name, Err: err}
}
