// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// nobody is the user without rights.
const nobody = 65534

// unprivileged runs f as somebody whom file modes stop, which they do not root. Linux has a user per thread
// for this.
func unprivileged(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Setfsuid(0) }()
	f()
}

func TestReadOnly(t *testing.T) {
	tests := []struct {
		name      string
		dir, file os.FileMode
		exists    bool
	}{
		{"file", 0o777, 0o444, true},
		{"directory", 0o555, 0o666, true},
		{"both", 0o555, 0o444, true},
		{"directory without the file", 0o555, 0, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			base, err := os.MkdirTemp("", "krow")
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(base, "data")
			file := filepath.Join(dir, "krow.db")
			t.Cleanup(func() { _ = os.Chmod(dir, 0o700); _ = os.RemoveAll(base) })
			before := read(t, sample(t))
			if err := errors.Join(os.Chmod(base, 0o755), os.Mkdir(dir, 0o700)); err != nil {
				t.Fatal(err)
			}
			if tc.exists {
				write(t, file, before)
				if err := os.Chmod(file, tc.file); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(dir, tc.dir); err != nil {
				t.Fatal(err)
			}
			unprivileged(t, func() {
				var s *Store
				if s, err = Open(file); err == nil {
					_ = s.Close()
				}
			})
			if !errors.Is(err, errReadOnly) {
				t.Fatalf("Open: %v, want %v", err, errReadOnly)
			}
			checkLine(t, err, "store "+file+": cannot be written")
			if tc.exists && !bytes.Equal(read(t, file), before) {
				t.Error("the file was changed")
			}
		})
	}
}
