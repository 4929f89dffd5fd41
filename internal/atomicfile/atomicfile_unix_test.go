// SPDX-License-Identifier: Apache-2.0

//go:build unix

package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/krow-lab/krow/internal/atomicfile"
)

// TestPipeStaysPipe: a pipe takes what is written and stays a pipe.
func TestPipeStaysPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 1)
	go func() {
		data, _ := os.ReadFile(name)
		got <- string(data)
	}()
	if err := atomicfile.Write(name, []byte("text")); err != nil {
		t.Fatal(err)
	}
	if data := <-got; data != "text" {
		t.Errorf("the pipe gave %q", data)
	}
	if i, err := os.Lstat(name); err != nil || i.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v", i, err)
	}
}

// TestFileKeepsMode: a file keeps its mode, whatever the umask, and one that may not be written is not replaced either.
func TestFileKeepsMode(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	for _, mode := range []os.FileMode{0o600, 0o666, 0o755} {
		if err := errors.Join(os.WriteFile(name, nil, 0o600), os.Chmod(name, mode)); err != nil {
			t.Fatal(err)
		}
		if err := atomicfile.Write(name, []byte("text")); err != nil {
			t.Fatal(err)
		}
		if i, err := os.Stat(name); err != nil || i.Mode() != mode {
			t.Errorf("the mode is %v, %v, want %v", i.Mode(), err, mode)
		}
	}
	if err := os.Chmod(name, 0o444); err != nil {
		t.Fatal(err)
	}
	if f, err := os.OpenFile(name, os.O_WRONLY, 0); err == nil {
		f.Close()
		t.Skip("who runs this may write everything")
	}
	if err := atomicfile.Write(name, []byte("new")); err == nil {
		t.Error("a protected file was written")
	}
	onlyThere(t, name, "text")
}
