// SPDX-License-Identifier: Apache-2.0

//go:build unix

package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// checkPrivate wants files that only their owner may read.
func checkPrivate(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", filepath.Base(name), info.Mode(), err)
		}
	}
}

func share(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.Chmod(name, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOpenMakesPrivate: a database that everybody may read, of an earlier build, is its owner's once it is opened, with all files
// next to it. So are the files that a restore keeps.
func TestOpenMakesPrivate(t *testing.T) {
	backup, file := backedUp(t, true)
	all := []string{file, file + "-wal", file + "-shm"}
	share(t, all...)
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	checkPrivate(t, all...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []bool{false, true} {
		_, file := backedUp(t, true)
		if damaged {
			write(t, file, nil)
		}
		share(t, file, file+"-wal")
		r, err := Restore(backup, file)
		if err != nil {
			t.Fatal(err)
		}
		checkPrivate(t, file, r.Previous)
		if damaged {
			checkPrivate(t, r.Previous+"-wal")
		}
	}
}

// TestBackupPrivate: nobody else may read a backup, nor the part of it that is written.
func TestBackupPrivate(t *testing.T) {
	s := fresh(t)
	r := begin(t, s, "a")
	for step := 1; step <= 3; step++ {
		save(t, s, r, step)
	}
	if _, err := s.writer.Exec("UPDATE runs SET state = zeroblob(20000000)"); err != nil { // so that it takes a while
		t.Fatal(err)
	}
	backup := filepath.Join(t.TempDir(), "backup.db")
	done := make(chan error, 1)
	go func() { done <- s.Backup(backup) }()
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			checkPrivate(t, backup)
			return
		default:
		}
		if info, err := os.Stat(backup + ".part"); err == nil && info.Mode() != fs.FileMode(0o600) {
			t.Fatalf("a part of the backup has the mode %v", info.Mode())
		}
	}
}

// TestRestoreKeepsOwner: what root restores belongs to the owner of the previous database, or of the directory.
func TestRestoreKeepsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	for _, missing := range []bool{false, true} {
		backup, file := backedUp(t, false)
		for _, name := range []string{file, filepath.Dir(file)} {
			if err := os.Chown(name, 65534, 65534); err != nil {
				t.Fatal(err)
			}
		}
		if missing {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Restore(backup, file); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if owner := info.Sys().(*syscall.Stat_t).Uid; owner != 65534 {
			t.Errorf("missing=%t: the database belongs to %d", missing, owner)
		}
	}
}
