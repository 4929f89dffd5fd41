// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestBackup takes a backup while games are added: it holds each game that was there before, and opens as a store.
func TestBackup(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "krow.db")
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	add := func(i int) error {
		return s.AddGame(Game{ID: fmt.Sprintf("g%04d", i), Game: "tictactoe", First: "human", Second: "human", Outcome: "ongoing"}, "")
	}
	const before = 50
	for i := range before {
		if err := add(i); err != nil {
			t.Fatal(err)
		}
	}
	begun, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for i := before; i < 2*before; i++ {
			if err := add(i); err != nil {
				ended <- err
				return
			}
			if i == before {
				close(begun)
			}
		}
		ended <- nil
	}()
	<-begun
	backup := filepath.Join(dir, "backup.db")
	if err := s.Backup(backup); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(backup); !errors.Is(err, errExists) {
		t.Errorf("a backup over another: %v, want %v", err, errExists)
	}
	if _, err := Restore(backup, file); !errors.Is(err, errBusy) {
		t.Errorf("restored while it is open: %v, want %v", err, errBusy)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Restore(backup, file)
	if err != nil || r.Previous == "" {
		t.Fatalf("Restore = %+v, %v", r, err)
	}
	count := func(file string) int {
		s, err := Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		games, err := s.Games(GameFilter{Count: 1000})
		if err != nil {
			t.Fatal(err)
		}
		last := ""
		for _, g := range games {
			last = max(last, g.ID)
		}
		if want := fmt.Sprintf("g%04d", len(games)-1); last != want {
			t.Errorf("%s: the last of %d games is %s, want %s", file, len(games), last, want)
		}
		return len(games)
	}
	if n := count(file); n < before {
		t.Errorf("restored: %d games, want at least %d", n, before)
	}
	if n := count(r.Previous); n != 2*before {
		t.Errorf("kept: %d games, want %d", n, 2*before)
	}
}

// TestRestoreRefuses leaves a store as it is when the backup is none.
func TestRestoreRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "krow.db")
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(dir, "bad.db")
	for name, data := range map[string][]byte{"text": []byte("nothing\n"), "half": was[:len(was)/2], "empty": nil} {
		if err := os.WriteFile(bad, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Restore(bad, file); err == nil {
			t.Errorf("%s was restored", name)
		}
	}
	if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, was) {
		t.Errorf("the store has changed, %v", err)
	}
}

// TestBackupIn deletes backups that are too old, and nothing else.
func TestBackupIn(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(filepath.Join(dir, "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	var names []string
	for i := range 3 {
		name, err := s.BackupIn(dir, 36*time.Hour, now.AddDate(0, 0, i))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	for i, name := range append(names, filepath.Join(dir, "krow.db")) {
		if _, err := os.Stat(name); (err != nil) != (i == 0) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBackupOfOneNameTwice: of two copies to one name, none takes the part of the other for its own.
func TestBackupOfOneNameTwice(t *testing.T) {
	s := fresh(t)
	r := begin(t, s, "a")
	if _, err := s.writer.Exec("UPDATE runs SET state = zeroblob(20000000) WHERE id = $1", r.ID); err != nil { // so that it takes a while
		t.Fatal(err)
	}
	backup := filepath.Join(t.TempDir(), "backup.db")
	done := make(chan error, 1)
	go func() { done <- s.Backup(backup) }()
	for {
		if info, err := os.Stat(backup + ".part"); err == nil && info.Size() > 0 {
			break
		}
	}
	if err := os.Remove(backup + ".part"); err != nil {
		t.Fatal(err)
	}
	write(t, backup+".part", []byte("another one"))
	if err := <-done; !errors.Is(err, errBusy) {
		t.Errorf("%v, want %v", err, errBusy)
	}
	if _, err := os.Stat(backup); err == nil {
		t.Error("the part of another one was taken for a backup")
	}
	if got := read(t, backup+".part"); string(got) != "another one" {
		t.Errorf("the other part is %q", got)
	}
}
