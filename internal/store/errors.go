// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// These errors can be returned by Open; the file is as it was.
var (
	// ErrForeign is returned for a file that krow did not make.
	ErrForeign = errors.New("not a krow database")
	// ErrNewer is returned for a file that a newer krow made or changed.
	ErrNewer = errors.New("made by a newer krow")
)

// These errors can be returned by every method.
var (
	// ErrDamaged is returned when the file is cut off or does not hang together.
	ErrDamaged = errors.New("the database is damaged")
	// ErrReadOnly is returned when the file or its directory may not be written.
	ErrReadOnly = errors.New("cannot be written")
	// ErrFull is returned when there is no space left; what was stored before is intact.
	ErrFull = errors.New("no space left")
	// ErrWrite is returned when writing failed for another reason; what was stored before is intact.
	ErrWrite = errors.New("writing failed: a limit on the size of files, a quota, or a fault of the disk")
	// ErrBusy is returned when another process kept the file locked for too long.
	ErrBusy = errors.New("in use by another process")
)

// These errors can be returned by methods about runs.
var (
	// ErrConflict is returned when another process has gone on with the run meanwhile.
	ErrConflict = errors.New("another process has gone on with this run")
	// ErrSpec is returned when there is a run by this key, but of other settings.
	ErrSpec = errors.New("there is such a run with other settings")
	// ErrNoRun is returned for a number that no run has.
	ErrNoRun = errors.New("there is no such run")
	// ErrOver is returned for a step of a run that is finished.
	ErrOver = errors.New("the run is finished")
)

// wrap makes the one line that the user reads.
func wrap(file string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("store %s: %w", file, explain(err))
}

// causes are our words for SQLite's codes.
var causes = map[int]error{
	lib.SQLITE_IOERR_WRITE:   ErrWrite,
	lib.SQLITE_IOERR_SHMSIZE: ErrFull, // the memory that processes share is a file beside
	lib.SQLITE_CORRUPT:       ErrDamaged, lib.SQLITE_NOTADB: ErrDamaged,
	lib.SQLITE_READONLY: ErrReadOnly, lib.SQLITE_CANTOPEN: ErrReadOnly, lib.SQLITE_PERM: ErrReadOnly,
	lib.SQLITE_FULL: ErrFull, lib.SQLITE_BUSY: ErrBusy, lib.SQLITE_LOCKED: ErrBusy,
}

// explain replaces what SQLite and the system say by our own words, where we have some.
func explain(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err // the path is in the line already
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	if errors.Is(err, syscall.ENOSPC) {
		return ErrFull
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	// The low eight bits are the kind of the error, the others its details.
	if cause := cmp.Or(causes[e.Code()], causes[e.Code()&0xff]); cause != nil {
		return cause
	}
	return err
}
