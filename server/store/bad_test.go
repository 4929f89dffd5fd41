// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sample is the file of a store with a run of a few steps, closed.
func sample(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "krow.db")
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	r := begin(t, s, "a")
	for step := 1; step <= 3; step++ {
		save(t, s, r, step)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// execute runs statements on a file, as another program would.
func execute(t *testing.T, file string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range statements {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T, file string, b []byte) {
	t.Helper()
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	_, last := migrationNumbers()
	tests := []struct {
		name  string
		spoil func(t *testing.T, file string)
		want  error
		line  string
	}{
		{"text", func(t *testing.T, f string) { write(t, f, []byte("krow,weights\n")) }, errForeign, "not a krow database"},
		{"zeros", func(t *testing.T, f string) { write(t, f, make([]byte, 8192)) }, errForeign, "not a krow database"},
		{
			"cut in the header", func(t *testing.T, f string) { write(t, f, read(t, f)[:50]) },
			errDamaged, "the database is damaged: truncated in the header",
		},
		{"cut after a page", func(t *testing.T, f string) { write(t, f, read(t, f)[:4096]) }, errDamaged, "the database is damaged: truncated after 4096 of "},
		{
			"cut by a byte", func(t *testing.T, f string) { b := read(t, f); write(t, f, b[:len(b)-1]) },
			errDamaged, "the database is damaged: truncated after ",
		},
		{"rubbish after the header", func(t *testing.T, f string) {
			b := read(t, f)
			for i := 100; i < len(b); i++ {
				b[i] = 0xa5
			}
			write(t, f, b)
		}, errDamaged, "the database is damaged"},
		{"another application", func(t *testing.T, f string) { execute(t, f, "PRAGMA application_id = 7") }, errForeign, "not a krow database"},
		{"no application", func(t *testing.T, f string) { execute(t, f, "PRAGMA application_id = 0") }, errForeign, "not a krow database"},
		{"another application's journal", func(t *testing.T, f string) {
			execute(t, f, "PRAGMA application_id = 7", "PRAGMA journal_mode = DELETE")
		}, errForeign, "not a krow database"},
		{"no application, another journal", func(t *testing.T, f string) {
			execute(t, f, "PRAGMA application_id = 0", "PRAGMA journal_mode = DELETE")
		}, errForeign, "not a krow database"},
		{"newer", func(t *testing.T, f string) {
			execute(t, f, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
		}, errNewer, fmt.Sprintf("made by a newer krow: its tables have version 99; this krow reads version %d", last)},
		{"unreleased", func(t *testing.T, f string) {
			execute(t, f, "UPDATE goose_db_version SET version_id = 17 WHERE version_id > 0")
		}, errUnreleased, "made by an unreleased krow: the last build that reads it is 7db6f900"},
	}
	if first, _ := migrationNumbers(); lastReaders[len(lastReaders)-1].version != first-1 {
		t.Errorf("no build is named that reads version %d", first-1)
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			file := sample(t)
			tc.spoil(t, file)
			before := read(t, file)
			s, err := Open(file)
			if err == nil {
				s.Close()
			}
			if !errors.Is(err, tc.want) {
				t.Fatalf("Open: %v, want %v", err, tc.want)
			}
			checkLine(t, err, "store "+file+": "+tc.line)
			if !bytes.Equal(read(t, file), before) {
				t.Error("the file was changed")
			}
		})
	}
}

func checkLine(t *testing.T, err error, prefix string) {
	t.Helper()
	if line := err.Error(); !strings.HasPrefix(line, prefix) || strings.Contains(line, "\n") {
		t.Errorf("error = %q, want one line that begins with %q", line, prefix)
	}
}

// TestOpenForeignLog refuses a database whose tables are still in its log, as a program that was killed leaves it.
func TestOpenForeignLog(t *testing.T) {
	dir := t.TempDir()
	live, file := filepath.Join(dir, "live.db"), filepath.Join(dir, "killed.db")
	db, err := sql.Open("sqlite", live)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range []string{"PRAGMA journal_mode = WAL", "CREATE TABLE secrets (x)"} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	write(t, file, read(t, live))
	write(t, file+"-wal", read(t, live+"-wal"))
	if s, err := Open(file); !errors.Is(err, errForeign) {
		t.Errorf("Open = %v, %v, want %v", s, err, errForeign)
	}
}

func TestOpenEmptyFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "empty.db")
	write(t, file, nil)
	begin(t, reopen(t, file), "a")
}

func TestOpenNoFile(t *testing.T) {
	file := sample(t)
	for name, bad := range map[string]string{"a directory": filepath.Dir(file), "below a file": filepath.Join(file, "krow.db")} {
		s, err := Open(bad)
		if err == nil {
			s.Close()
			t.Errorf("%s was opened", name)
			continue
		}
		checkLine(t, err, "store "+bad+": ")
	}
}

// TestDamagedPagesAreFound damages pages that Open does not look at.
func TestDamagedPagesAreFound(t *testing.T) {
	file := sample(t)
	b := read(t, file)
	for i := 4096; i < len(b); i++ {
		b[i] ^= 0xff
	}
	write(t, file, b)
	s, err := Open(file)
	if err == nil {
		_, err = s.Runs("")
		s.Close()
	}
	if !errors.Is(err, errDamaged) {
		t.Fatalf("error = %v, want %v", err, errDamaged)
	}
	checkLine(t, err, "store "+file+": the database is damaged")
}

// TestFullDiskLosesNothing stops the file from growing, as a full disk does, and then lets it grow again.
func TestFullDiskLosesNothing(t *testing.T) {
	s := reopen(t, sample(t))
	r, err := s.Run("test", "full", json.RawMessage(`{}`), 1000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.writer.Exec("PRAGMA max_page_count = 1"); err != nil { // at least what it has
		t.Fatal(err)
	}
	for err == nil {
		err = s.SaveStep(r, stateOf(r.Step+1), pointOf(r.Step+1))
	}
	if !errors.Is(err, errFull) {
		t.Fatalf("error = %v, want %v", err, errFull)
	}
	checkLine(t, err, "store "+s.name+": no space left")
	checkPrefix(t, s, begin(t, s, "a"))
	if _, err := s.writer.Exec("PRAGMA max_page_count = 100000"); err != nil {
		t.Fatal(err)
	}
	save(t, s, r, r.Step+1)
	checkPrefix(t, s, r)
}

// TestWriterWaitsForAnother writes while another process holds the file.
func TestWriterWaitsForAnother(t *testing.T) {
	file := sample(t)
	s, err := open(file, 20*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	other := reopen(t, file)
	tx, err := other.writer.Begin()
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Run("test", "b", json.RawMessage(`{}`), 1)
	if !errors.Is(err, errBusy) {
		t.Fatalf("error = %v, want %v", err, errBusy)
	}
	checkLine(t, err, "store "+file+": in use by another process")
	if runs, err := s.Runs(""); err != nil || len(runs) != 1 {
		t.Errorf("Runs = %v, %v: readers should not wait", runs, err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run("test", "b", json.RawMessage(`{}`), 1); err != nil {
		t.Error(err)
	}
}
