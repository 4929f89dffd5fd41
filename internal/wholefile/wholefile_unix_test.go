// SPDX-License-Identifier: Apache-2.0

//go:build unix

package wholefile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/krow-lab/krow/internal/wholefile"
)

// TestPipe: a pipe takes what is written and stays a pipe.
func TestPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	got := make(chan string, 1)
	go func() {
		data, _ := os.ReadFile(name)
		got <- string(data)
	}()
	if err := wholefile.Write(name, []byte("text")); err != nil {
		t.Fatal(err)
	}
	if data := <-got; data != "text" {
		t.Errorf("the pipe gave %q", data)
	}
	if i, err := os.Lstat(name); err != nil || i.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v", i, err)
	}
}
