// SPDX-License-Identifier: Apache-2.0

// Package storetest makes a new store for a test quickly. It creates the tables of an empty store only once in each process,
// and each test gets a copy of that file.
package storetest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/krow-lab/krow/server/store"
)

// empty returns the bytes of the file of an empty store.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "krow")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "krow.db")
	db, err := store.Open(name)
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(name)
})

// File returns the name of a new store in a temporary directory of the test.
func File(t testing.TB) string {
	t.Helper()
	data, err := empty()
	name := filepath.Join(t.TempDir(), "krow.db")
	if err == nil {
		err = os.WriteFile(name, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// Open opens a new store, which is closed when the test ends.
func Open(t testing.TB) *store.Store {
	t.Helper()
	db, err := store.Open(File(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
