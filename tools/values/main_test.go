// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPage: docs/values.md is made of docs/values.jsonl, of which every row has a certificate.
func TestPage(t *testing.T) {
	rows, err := read("../../docs/values.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if r.Value == "" || r.Bytes == 0 || i > 0 && r.Game == rows[i-1].Game {
			t.Errorf("no value, no certificate, or there twice: %+v", r)
		}
	}
	var page bytes.Buffer
	if err := write(&page, rows); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("../../docs/values.md"); err != nil || !bytes.Equal(got, page.Bytes()) {
		t.Errorf("docs/values.md is not what make values makes of docs/values.jsonl (%v)", err)
	}
}

// TestRun: values are proved, certified, checked and kept, and not proved again.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	o := options{results: filepath.Join(dir, "r.jsonl"), certificates: filepath.Join(dir, "proofs"), hash: "1M", threads: 1}
	run := func(games ...string) string {
		t.Helper()
		var out bytes.Buffer
		if err := o.run(t.Context(), games, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if got := run("connect4:4x4", "mnk:4,3,3"); !strings.HasPrefix(got, "connect4:4x4: draw   ") || !strings.Contains(got, "\nmnk:4,3,3: win   ") {
		t.Errorf("got %s", got)
	}
	if got := run("connect4:4x4"); got != "" {
		t.Errorf("proved again: %s", got)
	}
	if got := run(); !strings.Contains(got, "\n| connect4:4x4 | draw | 16 | ") || !strings.Contains(got, "\n| mnk:4,3,3 | win |  | ") {
		t.Errorf("got the page %s", got)
	}
	for _, name := range []string{"connect4-4x4.proof", "mnk-4-3-3.proof"} {
		if _, err := os.Stat(filepath.Join(o.certificates, name)); err != nil {
			t.Error(err)
		}
	}
	for _, game := range []string{"gomoku", "ultimate", "connect5"} {
		if err := o.run(t.Context(), []string{game}, nil); err == nil {
			t.Errorf("%s has a value", game)
		}
	}
}
