// SPDX-License-Identifier: Apache-2.0

// Package store keeps what takes long to compute: runs with their learning curves, the cells of studies, and
// games, all in one SQLite file.
//
// # Basics
//
//	s, err := store.Open(file)
//	defer s.Close()
//	r, err := s.Run("learn", "qlearning connect4 seed=1", spec, 1000) // begins it, or goes on with it
//	err = s.SaveStep(r, state, store.Point{Step: r.Step + 1, Games: 40, Values: v})
//	err = s.Finish(r)
//
// The state of a run and the point of its curve are written in one transaction: killed at any moment, the
// program loses no more than the step it was making.
//
// # Caveats
//
// No method takes a context: each is short, and what was computed is to be kept even while the program is being
// stopped. A write waits up to 5 s for another process.
//
// Two processes may use one file at a time. When they go on with the same run, the first to save a step has it,
// and the other gets [ErrConflict].
//
// A commit survives the end of the process, however sudden. When the machine itself loses power, the last
// commits may be missing, but the file is whole.
//
// docs/reference/formats/store.md describes the tables.
package store

import (
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// Store is an open file. It may be used by several goroutines.
type Store struct {
	name    string
	writer  *sql.DB // one connection, so that our own writers queue up here
	readers *sql.DB
}

// patience is how long a write waits for another process, again how long until it is tried again to make a file.
const (
	patience = 5 * time.Second
	again    = 10 * time.Millisecond
)

// Open opens a file, and makes it, with its directory, when there is none. It leaves alone a file that is not
// krow's, is damaged, or is newer than this program. Errors begin with "store" and the file.
func Open(file string) (*Store, error) { return open(file, patience) }

func open(file string, wait time.Duration) (*Store, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, wrap(file, err)
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return nil, wrap(file, err)
	}
	if err := inspect(abs); err != nil {
		return nil, wrap(file, err)
	}
	s := &Store{name: file}
	if s.writer, err = sql.Open("sqlite", source(abs, wait, "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)")); err != nil {
		return nil, wrap(file, err)
	}
	s.writer.SetMaxOpenConns(1)
	if s.readers, err = sql.Open("sqlite", source(abs, wait, "query_only(1)")); err != nil {
		return nil, wrap(file, errors.Join(err, s.writer.Close()))
	}
	// SQLite does not wait for whoever else makes the same file at this moment.
	err = s.prepare()
	for end := time.Now().Add(wait); errors.Is(explain(err), ErrBusy) && time.Now().Before(end); err = s.prepare() {
		time.Sleep(again)
	}
	if err != nil {
		_ = s.Close() // the first error is the one to tell
		return nil, wrap(file, err)
	}
	return s, nil
}

// Close gives the file back. The Store cannot be used afterwards.
func (s *Store) Close() error {
	return wrap(s.name, errors.Join(s.readers.Close(), s.writer.Close()))
}

// source returns the data source name of an absolute path. A URI, because a path may contain a question mark.
func source(abs string, wait time.Duration, pragmas ...string) string {
	path := filepath.ToSlash(abs)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/krow.db
	}
	q := url.Values{"_txlock": {"immediate"}}
	q.Add("_pragma", "busy_timeout("+strconv.FormatInt(wait.Milliseconds(), 10)+")")
	for _, p := range pragmas {
		q.Add("_pragma", p)
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

// update runs f in one transaction.
func (s *Store) update(f func(tx *sql.Tx) error) error {
	tx, err := s.writer.Begin()
	if err != nil {
		return wrap(s.name, err)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // after a full disk SQLite has done so itself
		return wrap(s.name, err)
	}
	return wrap(s.name, tx.Commit())
}

// execOne runs a statement that is to change one row, and returns whether it did.
func execOne(tx *sql.Tx, query string, args ...any) (bool, error) {
	res, err := tx.Exec(query, args...)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// collect reads every row that a query answers with.
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

// now is the time as the tables have it.
func now() int64 { return time.Now().UnixMilli() }
