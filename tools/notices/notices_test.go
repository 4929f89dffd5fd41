// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestNoticesNameEveryLinkedModule compares the committed notices with those of the modules that are linked today.
func TestNoticesNameEveryLinkedModule(t *testing.T) {
	got, err := collect("../..")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is linked today: run make notices and commit it", file)
	}
}

// TestModuleWithoutLicenceIsRefused gives folders without a licence, and with one that nobody knows.
func TestModuleWithoutLicenceIsRefused(t *testing.T) {
	dir := t.TempDir()
	if _, err := licences(dir); err == nil {
		t.Error("a module without a file of its licence is accepted")
	}
	if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("All rights reserved."), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := licences(dir); err == nil {
		t.Error("a licence that is not known is accepted")
	}
}
