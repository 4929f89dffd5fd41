// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// ErrExists is returned for a file that a backup would replace.
var ErrExists = errors.New("there is such a file already")

// Backup writes all that is in the store to a new file, as it stands at one moment. Others may write meanwhile. The file is
// there when it is whole.
//
// CITE: sqlite.org, VACUUM INTO.
func (s *Store) Backup(file string) error {
	return wrap(s.name, copyTo(s.writer, file))
}

func copyTo(db *sql.DB, file string) error {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", file, ErrExists)
	}
	part := file + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := db.Exec("VACUUM INTO $1", part); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if err := os.Chmod(part, 0o600); err != nil { // passwords are in it, though hashed
		return err
	}
	return os.Rename(part, file)
}

// Restore puts a backup in the place of a store that nobody uses. What was there before is kept beside it, and the name of
// that file is returned, or nothing.
func Restore(backup, file string) (kept string, err error) {
	from, err := filepath.Abs(backup)
	if err != nil {
		return "", wrap(backup, err)
	}
	if _, err := os.Stat(from); err != nil {
		return "", wrap(backup, err)
	}
	if err := whole(from); err != nil {
		return "", wrap(backup, err)
	}
	to, err := filepath.Abs(file)
	if err != nil {
		return "", wrap(file, err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", wrap(file, err)
	}
	if _, err := os.Stat(to); err == nil {
		if err := alone(to); err != nil {
			return "", wrap(file, err)
		}
		kept = to + ".before-restore-" + time.Now().UTC().Format("20060102T150405.000")
	}
	source, err := sql.Open("sqlite", "file://"+filepath.ToSlash(from)+"?mode=ro")
	if err != nil {
		return "", wrap(backup, err)
	}
	defer source.Close()
	fresh := to + ".restored"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", wrap(file, err)
	}
	if err := copyTo(source, fresh); err != nil {
		return "", wrap(file, err)
	}
	if kept != "" {
		if err := os.Rename(to, kept); err != nil {
			return "", wrap(file, err)
		}
	}
	return kept, wrap(file, os.Rename(fresh, to))
}

// whole says what is wrong with a file that should be a store.
func whole(abs string) error {
	if err := inspect(abs); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file://"+filepath.ToSlash(abs)+"?mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	var answer string
	var id int64
	if err := db.QueryRow("PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id != applicationID {
		return ErrForeign
	}
	if err := db.QueryRow("PRAGMA integrity_check(1)").Scan(&answer); err != nil {
		return err
	}
	if answer != "ok" {
		return ErrDamaged
	}
	return nil
}

// alone returns an error while somebody else has a store open. All that was written is in the one file afterwards.
func alone(abs string) error {
	db, err := sql.Open("sqlite", source(abs, time.Second))
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var mode string
	// The log goes only where nobody else has the file open.
	if err := db.QueryRow("PRAGMA journal_mode = DELETE").Scan(&mode); err != nil {
		return err
	}
	if mode != "delete" {
		return ErrBusy
	}
	return nil
}

// copyOld copies a store of an older version before it is migrated, to FILE.vN beside it, unless that was done before.
func (s *Store) copyOld(version int64) error {
	abs, err := filepath.Abs(s.name)
	if err != nil {
		return err
	}
	if err := copyTo(s.writer, abs+".v"+strconv.FormatInt(version, 10)); err != nil && !errors.Is(err, ErrExists) {
		return err
	}
	return nil
}

// stamp is how backups in a directory are named by their time.
const stamp = "krow-20060102T150405Z.db"

// BackupIn writes a backup to a directory, named by the time, and returns its name. The directory's backups that are older
// than keep are deleted, unless keep is 0.
func (s *Store) BackupIn(dir string, keep time.Duration, now time.Time) (name string, err error) {
	name = filepath.Join(dir, now.UTC().Format(stamp))
	if err := s.Backup(name); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(dir)
	if err != nil || keep == 0 {
		return name, err
	}
	for _, e := range entries {
		if at, err := time.Parse(stamp, e.Name()); err == nil && now.Sub(at) > keep {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return name, err
			}
		}
	}
	return name, nil
}
