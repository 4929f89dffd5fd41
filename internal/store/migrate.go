// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// migrations are numbered SQL files; what has been released is never edited again.
//
//go:embed migrations/*.sql
var migrations embed.FS

// prepare makes the file ours and brings its tables up to date.
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

// claim marks a database without tables as krow's, and refuses one with tables and without the mark.
func (s *Store) claim() error {
	tx, err := s.writer.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing after Commit
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
		return ErrForeign
	}
	if _, err := tx.Exec(fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	return tx.Commit()
}

// migrate applies what is missing. Another process that does the same at the same moment makes one of the two
// fail, each on its own statement; whoever failed looks again, as often as there are statements to lose.
func (s *Store) migrate(p *goose.Provider) error {
	sources := p.ListSources()
	want := sources[len(sources)-1].Version
	var lost error
	for range 2 + len(sources) {
		has, err := s.version()
		if err != nil {
			return err
		}
		if has > want {
			return fmt.Errorf("%w: version %d of the tables, and this one knows %d", ErrNewer, has, want)
		}
		if has == want {
			return nil
		}
		_, lost = p.Up(context.Background())
	}
	return lost
}

// version returns the number of the last migration applied, 0 before the first.
func (s *Store) version() (v int64, err error) {
	const table = "goose_db_version" // of goose's
	var exists int
	err = s.writer.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = $1", table).Scan(&exists)
	if err != nil || exists == 0 {
		return 0, err
	}
	err = s.writer.QueryRow("SELECT coalesce(max(version_id), 0) FROM " + table + " WHERE is_applied = 1").Scan(&v)
	return v, err
}
