// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/docs/measurements"
)

// TestPage: docs/measurements/values.md is made of docs/measurements/values.jsonl, of which every row has a certificate.
func TestPage(t *testing.T) {
	rows, err := read("../../docs/measurements/values.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if r.Value == "" || r.Bytes == 0 || i > 0 && r.Game == rows[i-1].Game {
			t.Errorf("no value, no certificate, or there twice: %+v", r)
		}
	}
	if got, err := os.ReadFile("../../docs/measurements/values.md"); err != nil || !bytes.Equal(got, page(rows)) {
		t.Errorf("docs/measurements/values.md is not what make values makes of docs/measurements/values.jsonl (%v)", err)
	}
}

// TestRowsAreProvedAgain proves rows anew, and gets the same certificates: the small ones, with KROW_LONG those that took less than a
// minute.
func TestRowsAreProvedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	long := os.Getenv("KROW_LONG") != ""
	for _, r := range measurements.Values() {
		if quick := r.Hash == "64M" && r.Nodes < 2000; !quick && !(long && r.SolveS+r.WriteS < 60) {
			continue
		}
		t.Run(r.Game, func(t *testing.T) {
			got, err := prove(t.Context(), r.Game, r.Hash)
			if err != nil {
				t.Fatal(err)
			}
			got.SolveS, got.WriteS, got.CheckS = r.SolveS, r.WriteS, r.CheckS
			if !strings.HasPrefix(runtime.Version(), "go1.26") { // another version of Go deflates to other bytes
				got.Bytes, got.SHA256 = r.Bytes, r.SHA256
			}
			if diff := cmp.Diff(r, got); diff != "" {
				t.Errorf("-kept +now\n%s", diff)
			}
		})
	}
}

// TestValuesAreKept: values are proved, certified, checked and kept, and not proved again.
func TestValuesAreKept(t *testing.T) {
	dir := t.TempDir()
	page := func(games ...string) string {
		t.Helper()
		if err := addValues(t.Context(), dir, games, "1M"); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "values.md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(got)
	}
	first := page("mnk:4,3,3", "connect4:4x4")
	if !strings.Contains(first, "\n| connect4:4x4 | draw | 16 | ") || !strings.Contains(first, "\n| mnk:4,3,3 | win |  | ") {
		t.Errorf("got the page %s", first)
	}
	if again := page("connect4:4x4"); again != first {
		t.Errorf("proved again: %s", again)
	}
	for _, game := range []string{"caro:exact=on", "connect5"} {
		if err := addValues(t.Context(), dir, []string{game}, "1M"); err == nil {
			t.Errorf("%s has a value", game)
		}
	}
}
