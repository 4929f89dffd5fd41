// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/krow-lab/krow/internal/fault"
)

// applicationID is the number that marks a file as a krow database: "krow" in ASCII.
const applicationID = 0x6b726f77

// magic begins every SQLite file.
const magic = "SQLite format 3\x00"

// header is the first 100 bytes of an SQLite file. Numbers in it are big-endian. These parts are used:
//
//	 0  magic            16 bytes
//	16  page size        2 bytes; 1 stands for 65536
//	24  change counter   4 bytes
//	28  pages            4 bytes; valid when 92 equals 24
//	40  schema cookie    4 bytes; 0 before the first table
//	68  application id   4 bytes
//	92  valid for        4 bytes
//
// CITE: sqlite.org, Database File Format, section 1.3.
type header [100]byte

func (h *header) u32(at int) uint32 { return binary.BigEndian.Uint32(h[at:]) }

// size returns the length of the file according to its header, or 0 if the header does not contain a valid length.
func (h *header) size() int64 {
	page := int64(binary.BigEndian.Uint16(h[16:]))
	if page == 1 {
		page = 1 << 16
	}
	if h.u32(24) != h.u32(92) {
		return 0
	}
	return page * int64(h.u32(28))
}

// inspect checks a file before SQLite opens it, because SQLite may change a file when it opens it. mode is the mode in which
// inspect opens the file, os.O_RDWR if the file must be writable. A missing or empty file is valid, unless there is a write-ahead
// log next to it, which SQLite would delete.
func inspect(file string, mode int) error {
	// The log is checked first. Another process may be creating the database now: first the file, then the log. If the file were
	// checked first, it could be missing then, and the log would exist a moment later; the file would seem lost.
	log, noLog := os.Stat(file + "-wal")
	f, err := os.OpenFile(file, mode, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if noLog == nil && log.Size() > 0 {
			return fmt.Errorf("%w: it is missing, but its log %s-wal is not", errDamaged, file)
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errForeign
	}
	if info.Size() == 0 {
		if noLog == nil && log.Size() > 0 {
			return fmt.Errorf("%w: it is empty, but its log %s-wal is not", errDamaged, file)
		}
		return nil
	}
	return inspectHeader(f, file, info.Size())
}

// inspectHeader checks a file that is not empty.
func inspectHeader(f io.ReaderAt, file string, size int64) error {
	var h header
	n, err := f.ReadAt(h[:], 0)
	if err != nil && err != io.EOF {
		return err
	}
	if !bytes.HasPrefix(h[:n], []byte(magic)) {
		return errForeign
	}
	if n < len(h) {
		return fmt.Errorf("%w: truncated in the header", errDamaged)
	}
	// A process that creates a krow database writes the application ID before the first table, so a file that has tables but not
	// the ID is foreign.
	if id := h.u32(68); id != applicationID && (id != 0 || h.u32(40) != 0) {
		return errForeign
	}
	// If there is a log next to the file, the missing pages may be in it.
	if _, err := os.Stat(file + "-wal"); errors.Is(err, fs.ErrNotExist) && size < h.size() {
		return fmt.Errorf("%w: truncated after %d of %d bytes", errDamaged, size, h.size())
	}
	return nil
}

// migrations contains numbered SQL files, which create and change the tables. The number of the last file is the version of the
// tables. A released file is never edited. Before the first release there is only one file with all tables: each change of a
// table edits this file and gives it the next number.
//
//go:embed migrations/*.sql
var migrations embed.FS

// migrationNumbers returns the numbers of the first and of the last migration.
func migrationNumbers() (first, last int64) {
	all, _ := migrations.ReadDir("migrations") // no error, because the files are embedded; ReadDir sorts them
	first, _ = goose.NumericComponent(all[0].Name())
	last, _ = goose.NumericComponent(all[len(all)-1].Name())
	return first, last
}

// checkVersion returns an error if this program cannot use tables of the given version.
func checkVersion(has int64) error {
	switch first, last := migrationNumbers(); {
	case has > last:
		return fmt.Errorf("%w: its tables have version %d; this krow reads version %d", errNewer, has, last)
	case has > 0 && has < first:
		i := slices.IndexFunc(lastReaders, func(r lastReader) bool { return has <= r.version })
		return fmt.Errorf("%w: the last build that reads it is %s", errUnreleased, lastReaders[i].build)
	}
	return nil
}

// lastReader is the last unreleased build that can read tables of a certain version.
type lastReader struct {
	version int64
	build   string
}

// lastReaders covers the versions of the tables below the first migration, in increasing order. For a version without an entry,
// the next entry is valid.
var lastReaders = []lastReader{{17, "7db6f900"}, {18, "c3f00c3c"}, {19, "5de9114a"}, {20, "1b86116f"}}

// prepare marks the file as a krow database and updates its tables to the current version.
func (s *Store) prepare() error {
	if err := s.claim(); err != nil {
		return err
	}
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, s.writer, dir, goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return err
	}
	return s.migrate(p)
}

// claim marks a database without tables as a krow database. If the file has tables but no mark, claim returns an error.
func (s *Store) claim() error {
	tx, err := s.writer.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after Commit, Rollback has no effect and returns an error, which is ignored
	var id, tables int64
	if err := tx.QueryRow("PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id == applicationID {
		return nil
	}
	if err := tx.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if id != 0 || tables != 0 {
		return errForeign
	}
	if _, err := tx.Exec(fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	return tx.Commit()
}

// migrate applies the missing migrations. If another process migrates at the same time, one of the two processes fails, and
// tries again. It may fail again at each migration, so the number of tries depends on the number of migrations.
func (s *Store) migrate(p *goose.Provider) error {
	_, last := migrationNumbers()
	var lost error
	for range 2 + len(p.ListSources()) {
		has, err := version(s.writer)
		if err != nil {
			return err
		}
		if err := checkVersion(has); err != nil || has == last {
			return err
		}
		_, lost = p.Up(context.Background())
	}
	return lost
}

// version returns the number of the last migration applied, 0 before the first.
func version(db *sql.DB) (v int64, err error) {
	const table = "goose_db_version" // the table in which goose stores the version
	var exists int
	err = db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = $1", table).Scan(&exists)
	if err != nil || exists == 0 {
		return 0, err
	}
	err = db.QueryRow("SELECT coalesce(max(version_id), 0) FROM " + table + " WHERE is_applied = 1").Scan(&v)
	return v, err
}

// These errors can be returned by Open. The file is then unchanged.
var (
	// errForeign is returned for a file that is not a krow database.
	errForeign = errors.New("not a krow database")
	// errNewer is returned for a file that a newer version of krow has made or changed.
	errNewer = errors.New("made by a newer krow")
	// errUnreleased is returned for a file with the tables of a build before the first release.
	errUnreleased = errors.New("made by an unreleased krow")
)

// These errors can be returned by every method.
var (
	// errDamaged is returned when the file is cut off or its contents are inconsistent.
	errDamaged = errors.New("the database is damaged")
	// errReadOnly is returned when the file or its directory may not be written.
	errReadOnly = errors.New("cannot be written")
	// errFull is returned when there is no space left. Data stored earlier is intact.
	errFull = fault.New("disk-full", "no space left")
	// errWrite is returned when writing failed for another reason. Data stored earlier is intact.
	errWrite = errors.New("writing failed: a limit on the size of files, a quota, or a fault of the disk")
	// errBusy is returned when another process kept the file locked for too long.
	errBusy = errors.New("in use by another process")
)

// These errors can be returned by methods about runs.
var (
	// ErrConflict is returned when another process has continued the run in the meantime.
	ErrConflict = fault.New("changed", "another process has gone on with this run")
	// errSpec is returned when a run with the same key has other settings.
	errSpec = errors.New("a run with this name has other settings")
	// ErrNoRun is returned for a number that no run has.
	ErrNoRun = fault.New("no-run", "there is no such run")
	// errOver is returned for a step of a finished run.
	errOver = errors.New("the run is finished")
)

// wrap replaces an error as explain does, and adds the name of the file. For nil it returns nil.
func wrap(file string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("store %s: %w", file, explain(err))
}

// causes maps error codes of SQLite to errors of this package.
var causes = map[int]error{
	lib.SQLITE_IOERR_WRITE:   errWrite,
	lib.SQLITE_IOERR_SHMSIZE: errFull, // because the shared memory is a file on the same disk
	lib.SQLITE_CORRUPT:       errDamaged, lib.SQLITE_NOTADB: errDamaged,
	lib.SQLITE_READONLY: errReadOnly, lib.SQLITE_CANTOPEN: errReadOnly, lib.SQLITE_PERM: errReadOnly,
	lib.SQLITE_FULL: errFull, lib.SQLITE_BUSY: errBusy, lib.SQLITE_LOCKED: errBusy,
}

// explain replaces known errors of SQLite and of the system by errors of this package.
func explain(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err // without the path, because wrap adds the name of the file
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: %w", errReadOnly, err)
	}
	if errors.Is(err, syscall.ENOSPC) {
		return errFull
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	// The low eight bits of a code are the kind of the error; the higher bits are details.
	if cause := cmp.Or(causes[e.Code()], causes[e.Code()&0xff]); cause != nil {
		return cause
	}
	return err
}
