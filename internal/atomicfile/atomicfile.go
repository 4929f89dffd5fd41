// SPDX-License-Identifier: Apache-2.0

// Package atomicfile writes files such that no reader ever sees a half-written file.
//
// The new content is written to a temporary file in the same folder. When the temporary file is complete, it is renamed. The
// process that writes the temporary file locks it:
//
//	DIR/.NAME.new  -- rename -->  DIR/NAME
//
// A killed process leaves its temporary file. The next process that writes the same file uses this temporary file instead of a
// new one.
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

// ErrBusy is returned by Open if another process, or another goroutine of this process, has the right to write the file.
var ErrBusy = errors.New("another process is writing the file")

// patience is how long Write waits for another process.
const patience = 5 * time.Second

// Write sets the contents of a file to data. A reader finds either the old or the new contents. After an error the old contents
// remain. If name is a link, its target is written. A device or a pipe is written directly.
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

// A File has the exclusive right to write a file any number of times, until Close.
type File struct {
	name   string
	device bool        // the file is a device or a pipe, and is written directly
	mode   fs.FileMode // mode of the existing file, or 0 if there is none
	beside *os.File    // the temporary file: locked, and empty except during a write
}

// Open returns a File with the right to write the file name, or an error if this file cannot be written. Open neither creates
// nor changes the file.
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

// writable returns an error if the file is read-only. The test is needed because a rename replaces even a read-only file.
func writable(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// behind follows links and returns the file at their end, even if it does not exist yet.
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
		// filepath.Join would remove dir/.. from the path. This is wrong if dir is a link, because its parent is then another
		// directory.
		to = dir + to
	}
	return behind(to)
}

// Write sets the contents of the file to the data that the function write writes. After an error the old contents remain.
func (f *File) Write(write func(io.Writer) error) error {
	err := f.put(write)
	if err == nil && !f.device {
		_ = f.claim() // if claim fails, the next Write reports the error
	}
	return err
}

// Close gives up the right to write.
func (f *File) Close() error {
	if f.beside == nil {
		return nil
	}
	return f.end(os.Remove)
}

// put writes the file. If it succeeds, f no longer has the right to write the file, unless the file is a device.
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

// empty empties the temporary file.
func (f *File) empty() error {
	_, err := f.beside.Seek(0, io.SeekStart)
	return cmp.Or(err, f.beside.Truncate(0))
}

// claims contains the temporary files that this process has locked and has neither renamed nor removed yet.
var claims = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

// Abandon removes all temporary files. A process calls Abandon when it is about to exit. Afterwards this process cannot write
// any file.
func Abandon() {
	claims.Lock() // never unlocked, so that no file can be written
	for name := range claims.names {
		os.Remove(name)
	}
}

// claim opens the temporary file, which may exist already, and locks it.
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
	// On a file system without locks, Lock always succeeds. The file is also busy if another process has renamed or removed the
	// temporary file since it was opened here.
	if errors.Is(Lock(beside), ErrBusy) || !is(beside, name) {
		beside.Close()
		return ErrBusy
	}
	f.beside, claims.names[name] = beside, true
	if f.mode != 0 {
		_ = beside.Chmod(f.mode) // the error is ignored, because not every system has file modes
	}
	return f.empty()
}

// end renames or removes the temporary file while it is locked, so that no other process can take it over first. Windows
// cannot rename an open file, so on Windows end first closes the temporary file.
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

// is reports whether name is still the name of the open file.
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
