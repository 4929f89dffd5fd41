// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Restored describes a finished restore.
type Restored struct {
	Members, Games int // number of members and of games in the backup
	// Previous is the new name of the previous database. If only its log existed, Previous is the new name of the log. It is
	// empty if neither existed.
	Previous string
}

// Restore replaces a database by a backup. No process may use the database. The previous database, which may be damaged, is
// kept under another name, together with its log. If the process is killed during Restore, the file contains either the
// previous database or the restored database.
func Restore(backup, file string) (Restored, error) { return restore(backup, file, func() {}) }

// restore does the work of Restore. It calls step before the first change of a file or folder, and after each such change,
// so that a test can end the process there.
func restore(backup, file string, step func()) (r Restored, err error) {
	from, err := locate(backup)
	if err != nil {
		return r, wrap(backup, err)
	}
	source, err := sql.Open("sqlite", source(from, patience)+"&mode=ro")
	if err != nil {
		return r, wrap(backup, err)
	}
	defer source.Close()
	if r.Members, r.Games, err = readBackup(from, source); err != nil {
		return r, wrap(backup, err)
	}
	to, err := locate(file)
	if err != nil {
		return r, wrap(file, err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return r, wrap(file, err)
	}
	step()
	fresh := to + ".restored"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, wrap(file, err)
	}
	if err := copyTo(source, fresh); err != nil {
		return r, wrap(file, err)
	}
	step()
	if r.Previous, err = replace(to, fresh, step); err != nil {
		_ = os.Remove(fresh) // deletes the copy that could not be used; its error is ignored, because the first error is returned
	}
	return r, wrap(file, err)
}

// readBackup returns the number of members and of games in a backup, or an error if the backup is damaged.
func readBackup(abs string, db *sql.DB) (members, games int, err error) {
	if _, err := os.Stat(abs); err != nil {
		return 0, 0, err
	}
	if err := sound(abs, db); err != nil {
		return 0, 0, err
	}
	has, err := version(db)
	if err == nil {
		err = checkVersion(has)
	}
	if err != nil || has == 0 { // if err is nil, the database has no tables yet
		return 0, 0, err
	}
	err = db.QueryRow("SELECT (SELECT count(*) FROM members WHERE removed IS NULL), (SELECT count(*) FROM games)").Scan(&members, &games)
	return members, games, err
}

// sound returns an error if a file is not a krow database, or if its contents are damaged.
func sound(abs string, db *sql.DB) error {
	if err := inspect(abs, os.O_RDONLY); err != nil {
		return err
	}
	var answer string
	var id int64
	if err := db.QueryRow("PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id != applicationID {
		return errForeign
	}
	if err := db.QueryRow("PRAGMA integrity_check(1)").Scan(&answer); err != nil {
		return err
	}
	if answer != "ok" {
		return errDamaged
	}
	return nil
}

// companions are the suffixes of the files that SQLite keeps next to a database.
var companions = []string{"-wal", "-shm", "-journal"}

// replace renames the restored file (fresh) to the name of the database (to). It returns the new name of the previous
// database.
//
// A file with the name of the database should exist at every moment, because a process that finds no such file creates an
// empty database. Only on a file system without hard links is the name missing for a moment. The restored file must never
// stand next to the log of the previous database, because SQLite would apply that log to it. If the previous database is
// undamaged, replace first writes the log into the database, which is then a single file. If it is damaged, replace renames
// the log before the database. So if the process is killed in between, only a damaged database is without its log.
func replace(to, fresh string, step func()) (previous string, err error) {
	if err := settle(to); err != nil {
		return "", err
	}
	step()
	release, err := lock(to)
	if err != nil {
		return "", err
	}
	defer release()
	kept := to + ".before-restore-" + time.Now().UTC().Format("20060102T150405.000")
	for _, suffix := range append(companions, "") {
		if _, err := os.Lstat(kept + suffix); !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s: %w", kept+suffix, errExists)
		}
	}
	for _, suffix := range companions {
		err := os.Rename(to+suffix, kept+suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err == nil {
			private(kept + suffix)
			if previous == "" {
				previous = kept + suffix
			}
			step()
		}
	}
	err = os.Link(to, kept)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = os.Rename(to, kept) // renames the file, because not every file system supports hard links
	}
	if err == nil {
		private(kept)
		previous = kept
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	step()
	if err := keepOwner(fresh, to); err != nil {
		return "", err
	}
	if err := os.Rename(fresh, to); err != nil {
		return "", err
	}
	syncDir(to)
	step()
	return previous, nil
}

// settle writes the write-ahead log of an undamaged database into the database file and removes the log, so that the
// database is then a single file. It leaves a damaged database unchanged, and does nothing if there is no database.
func settle(abs string) error {
	if _, err := os.Stat(abs); err != nil {
		return nil
	}
	db, err := sql.Open("sqlite", source(abs, time.Second)+"&mode=ro")
	if err != nil {
		return err
	}
	err = sound(abs, db)
	_ = db.Close()
	if err != nil {
		return nil
	}
	if db, err = sql.Open("sqlite", source(abs, time.Second)); err != nil {
		return err
	}
	defer db.Close()
	var mode string
	// SQLite removes the log only if no other process has the file open.
	if err := db.QueryRow("PRAGMA journal_mode = DELETE").Scan(&mode); err != nil {
		return err
	}
	if mode != "delete" {
		return errBusy
	}
	return nil
}
