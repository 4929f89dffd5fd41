// SPDX-License-Identifier: Apache-2.0

// Package store implements the database of krow: one SQLite file with members, games, runs with their learning curves, bots,
// leagues and collections. docs/reference/formats/store.md describes its tables.
//
// # Basics
//
//	s, err := store.Open(file)
//	defer s.Close()
//	r, err := s.Run("learn", "qlearning connect4 seed=1", spec, 1000) // begins or continues the run
//	err = s.SaveStep(r, state, learn.CurvePoint{Step: r.Step + 1, Games: 40, Values: v})
//	err = s.Finish(r)
//
// # Caveats
//
// No method takes a context, because each is short, and because computed results must be stored even while the program is
// being stopped. A write waits up to 5 s while another process is writing. When two processes continue the same run, the
// first to save a step wins, and the other gets [ErrConflict].
//
// Committed data is not lost if the process is killed. If the machine loses power, the last commits may be lost, but the file is
// not damaged.
package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // registers the driver for SQLite
)

// Store is an open file. It may be used by several goroutines.
type Store struct {
	name    string
	writer  *sql.DB // has only one connection, so that writers of this process wait for each other in database/sql and not in SQLite
	readers *sql.DB
	often   sync.Map // prepared statements of frequent queries: maps the text of the query to a *sql.Stmt
	writes  writes

	watch   sync.Mutex
	watcher *sql.Conn // the connection that Version uses; nil before its first call
}

// The constant patience is the time that a write waits for another process. The constant again is the time that Open waits
// before a new attempt to create a file.
const (
	patience = 5 * time.Second
	again    = 10 * time.Millisecond
)

// Open opens a file, and creates it and its directory if needed. If the file is damaged, is not a krow database, or was made
// by a newer version of krow, Open returns an error and does not change the file. Errors begin with "store" and the name of
// the file.
func Open(file string) (*Store, error) { return open(file, patience) }

func open(file string, wait time.Duration) (*Store, error) {
	abs, err := locate(file)
	if err != nil {
		return nil, wrap(file, err)
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return nil, wrap(file, err)
	}
	if err := inspect(abs, os.O_RDWR); err != nil {
		return nil, wrap(file, err)
	}
	// Only the owner may read the file, because it contains hashes of passwords.
	if f, err := os.OpenFile(abs, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		_ = f.Close() // an error does not matter, because the file is still empty
	} else if !errors.Is(err, fs.ErrExist) {
		return nil, wrap(file, err)
	}
	private(abs)
	was, err := os.Stat(abs)
	if err != nil {
		return nil, wrap(file, err)
	}
	s := &Store{name: file}
	if s.writer, err = sql.Open("sqlite", source(abs, wait, "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)", "cache_size(-65536)")); err != nil {
		return nil, wrap(file, err)
	}
	s.writer.SetMaxOpenConns(1)
	if s.readers, err = sql.Open("sqlite", source(abs, wait, "query_only(1)")); err != nil {
		return nil, wrap(file, errors.Join(err, s.writer.Close()))
	}
	s.readers.SetMaxOpenConns(mostReaders)
	s.readers.SetMaxIdleConns(mostReaders)
	// While another process creates the same file, SQLite returns an error at once. So prepare is called again, for as long as
	// the parameter wait allows.
	err = s.prepare()
	for end := time.Now().Add(wait); errors.Is(explain(err), errBusy) && time.Now().Before(end); err = s.prepare() {
		time.Sleep(again)
	}
	if is, err2 := os.Stat(abs); err == nil && (err2 != nil || !os.SameFile(was, is)) {
		err = errBusy // because Restore has replaced the file meanwhile
	}
	if err != nil {
		_ = s.Close() // its error is ignored, because the first error is returned
		return nil, wrap(file, err)
	}
	return s, nil
}

// locate returns the absolute path of a file, with links resolved, because SQLite puts its log next to the real file.
func locate(file string) (string, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	if behind, err := filepath.EvalSymlinks(abs); err == nil {
		return behind, nil
	}
	return abs, nil
}

// private makes a database and the files next to it readable only for their owner. It does not change files of other owners, and
// does nothing on systems without file modes.
func private(abs string) {
	names := []string{abs}
	for _, suffix := range companions {
		names = append(names, abs+suffix)
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
			_ = os.Chmod(name, info.Mode().Perm()&0o700)
		}
	}
}

// Close closes the file.
func (s *Store) Close() error {
	s.watch.Lock()
	defer s.watch.Unlock()
	var err error
	if s.watcher != nil {
		err = s.watcher.Close()
	}
	return wrap(s.name, errors.Join(err, s.readers.Close(), s.writer.Close()))
}

// Version returns a number that changes whenever a process commits a change to the file.
//
// CITE: sqlite.org, PRAGMA data_version: two answers of one connection differ if another one has committed in between.
func (s *Store) Version() (n int64, err error) {
	s.watch.Lock()
	defer s.watch.Unlock()
	if s.watcher == nil {
		if s.watcher, err = s.readers.Conn(context.Background()); err != nil {
			return 0, wrap(s.name, err)
		}
	}
	err = s.watcher.QueryRowContext(context.Background(), "PRAGMA data_version").Scan(&n)
	return n, wrap(s.name, err)
}

// source returns the data source name of an absolute path. The name is a URI, because a path may contain a question mark.
func source(abs string, wait time.Duration, pragmas ...string) string {
	path := filepath.ToSlash(abs)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // in a URI, a Windows path such as C:/krow.db needs a slash before it
	}
	q := url.Values{"_txlock": {"immediate"}}
	q.Add("_pragma", "busy_timeout("+strconv.FormatInt(wait.Milliseconds(), 10)+")")
	for _, p := range pragmas {
		q.Add("_pragma", p)
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

// mostReaders is the maximum number of simultaneous reads. Thousands of readers would block each other in SQLite's allocator;
// here they wait in a queue.
var mostReaders = max(2*runtime.GOMAXPROCS(0), 8)

// update runs f in one transaction.
func (s *Store) update(f func(tx *sql.Tx) error) (err error) {
	defer func() { s.writes.note(err) }()
	tx, err := s.writer.Begin()
	if err != nil {
		return wrap(s.name, err)
	}
	// Rollback runs also after a panic, so that others can write. Its error is ignored: after a full disk, for example, SQLite
	// has already rolled back.
	defer func() { _ = tx.Rollback() }()
	if err := f(tx); err != nil {
		return wrap(s.name, err)
	}
	return wrap(s.name, tx.Commit())
}

// exec runs a statement in a transaction. If the argument unchanged is not nil, the statement must change exactly one row;
// otherwise exec returns this argument as its error.
func (s *Store) exec(unchanged error, query string, args ...any) error {
	return s.update(func(tx *sql.Tx) error { return change(tx, unchanged, query, args...) })
}

// change does the same as exec, within the transaction tx.
func change(tx *sql.Tx, unchanged error, query string, args ...any) error {
	res, err := tx.Exec(query, args...)
	if err != nil || unchanged == nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return unchanged
}

// statement is SQL with its arguments.
type statement struct {
	text string
	args []any
}

func sqlOf(text string, args ...any) statement { return statement{text, args} }

// changeAll runs statements in a transaction.
func changeAll(tx *sql.Tx, all ...statement) error {
	for _, s := range all {
		if _, err := tx.Exec(s.text, s.args...); err != nil {
			return err
		}
	}
	return nil
}

// prepared sends frequent queries to the readers of a store. It prepares each query only once, because parsing takes SQLite
// longer than looking up a row.
type prepared struct{ *Store }

// QueryContext implements [querier].
func (s prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	read, ok := s.often.Load(query)
	if !ok {
		fresh, err := s.readers.Prepare(query)
		if err != nil {
			return nil, err
		}
		var late bool
		if read, late = s.often.LoadOrStore(query, fresh); late {
			_ = fresh.Close() // another goroutine stored its statement first, so fresh is not needed
		}
	}
	return read.(*sql.Stmt).QueryContext(ctx, args...)
}

// collect returns the results of scan for all rows of a query.
func collect[T any](s *Store, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := s.readers.Query(query, args...)
	if err != nil {
		return nil, wrap(s.name, err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, wrap(s.name, err)
		}
		all = append(all, v)
	}
	return all, wrap(s.name, rows.Err())
}

func now() int64 { return time.Now().UnixMilli() }

// DefaultFile returns the name of the store if the user does not name one: krow/krow.db under $XDG_DATA_HOME or
// ~/.local/share, on macOS under ~/Library/Application Support, on Windows under %LocalAppData%.
//
// CITE: freedesktop.org, XDG Base Directory Specification, 0.8: relative paths are ignored.
func DefaultFile() (string, error) {
	dir, err := dataDir(runtime.GOOS)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "krow", "krow.db"), nil
}

// HasFile reports whether a file belongs to the store with the given name. SQLite keeps further files next to the store: its
// log, its shared memory and its journal. None of the files need exist.
func HasFile(name, file string) bool {
	return slices.ContainsFunc([]string{"", "-wal", "-shm", "-journal"}, func(suffix string) bool { return sameFile(file, name+suffix) })
}

// sameFile reports whether two names belong to the same file, after links are resolved.
func sameFile(a, b string) bool {
	atA, errA := os.Stat(a)
	atB, errB := os.Stat(b)
	if errA == nil && errB == nil && os.SameFile(atA, atB) {
		return true
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}

func dataDir(system string) (string, error) {
	if system == "windows" {
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return dir, nil
		}
		return "", errors.New("store: no data directory: %LocalAppData% is not set")
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) && system != "darwin" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("store: no data directory: $HOME is not set")
	}
	if system == "darwin" {
		return filepath.Join(home, "Library", "Application Support"), nil
	}
	return filepath.Join(home, ".local", "share"), nil
}
