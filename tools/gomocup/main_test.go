// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestPack: a zip file holds the program, which may be run, and the note; the same program makes the same file.
func TestPack(t *testing.T) {
	program := filepath.Join(t.TempDir(), "pbrain-krow64")
	if err := os.WriteFile(program, []byte("code"), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := pack(program)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := pack(program); err != nil || !bytes.Equal(again, first) {
		t.Errorf("another file the second time, %v", err)
	}
	z, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil || len(z.File) != 2 || z.File[0].Name != "pbrain-krow64" || z.File[0].Mode().Perm() != 0o755 || z.File[1].Name != "readme.txt" {
		t.Errorf("got %+v, %v", z, err)
	}
}
