// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// errExists is returned if the file of a new backup exists already.
var errExists = errors.New("the file exists already")

// Backup writes a consistent copy of the store to a new file. Other processes may write to the store meanwhile. The new file
// gets its name only when it is complete and on the disk.
//
// CITE: sqlite.org, VACUUM INTO.
func (s *Store) Backup(file string) error {
	return wrap(file, copyTo(s.writer, file))
}

func copyTo(db *sql.DB, file string) error {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return errExists
	}
	part := file + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// SQLite can write the backup into an existing empty file. The file is created here, so that from the beginning only its
	// owner can read it, because it will contain password hashes.
	f, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := db.Exec("VACUUM INTO $1", part); err != nil {
		return errors.Join(err, f.Close(), os.Remove(part))
	}
	ours, err := f.Stat()
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if is, err := os.Stat(part); err != nil || !os.SameFile(ours, is) {
		return errBusy // another process is writing a backup with the same name
	}
	if err := os.Rename(part, file); err != nil {
		return err
	}
	syncDir(file)
	return nil
}

// syncDir writes the directory of a file to the disk, so that the names of its files survive a loss of power. Some systems
// cannot write a directory in this way, so errors are ignored.
func syncDir(file string) {
	if dir, err := os.Open(filepath.Dir(file)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}

// stamp is the name of a backup file, as a layout for package time.
const stamp = "krow-20060102T150405Z.db"

// BackupIn writes a backup to a file in a directory, and returns the name of the file, which contains the time now. Unless
// keep is 0, BackupIn deletes the backups in the directory that are older than keep.
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
