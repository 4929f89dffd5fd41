// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// studied runs a small study to its end and returns its report.
func studied(t *testing.T, dir, db string) []byte {
	t.Helper()
	p := start(t, "experiment", "run", "heuristics", "--quick", "--db", db)
	if _, status := p.end(t); status != 0 {
		t.Fatalf("exit status %d: %s", status, &p.stderr)
	}
	p = start(t, "experiment", "report", "heuristics", "--quick", "--db", db, "--out", dir)
	if _, status := p.end(t); status != 0 {
		t.Fatalf("exit status %d: %s", status, &p.stderr)
	}
	return read(t, filepath.Join(dir, "README.md"))
}

// A study that is killed again and again goes on each time, and its report is that of one that was not. A database that
// is cut off anywhere is told in one line and stays as it is.
func TestStudyKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.db")
	want := studied(t, filepath.Join(dir, "whole"), whole)
	t.Run("damaged", func(t *testing.T) { damageStudy(t, whole) })
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, 0))
	db := filepath.Join(dir, "krow.db")
	for range 3 {
		p := start(t, "experiment", "run", "heuristics", "--quick", "--db", db)
		time.Sleep(time.Duration(50+rng.IntN(300)) * time.Millisecond)
		p.Process.Signal(syscall.SIGKILL)
		p.end(t)
	}
	if got := studied(t, filepath.Join(dir, "killed"), db); !bytes.Equal(got, want) {
		t.Error("the report of the study that was killed is another one")
	}
}

// damageStudy cuts off the database of a study. No report is begun of it.
func damageStudy(t *testing.T, db string) {
	dir := t.TempDir()
	data := read(t, db)
	for _, n := range []int{1, 100, 5000, len(data) / 2, len(data) - 1} {
		if err := os.WriteFile(db, data[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "out")
		p := start(t, "experiment", "report", "heuristics", "--quick", "--db", db, "--out", out)
		_, status := p.end(t)
		if text := p.stderr.String(); status != 1 || strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "krow: store "+db+": ") {
			t.Errorf("cut to %d bytes: exit status %d: %s", n, status, text)
		}
		if got := read(t, db); !bytes.Equal(got, data[:n]) {
			t.Errorf("cut to %d bytes: the file was changed", n)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("cut to %d bytes: a report was written", n)
		}
	}
}
