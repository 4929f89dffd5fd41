// SPDX-License-Identifier: Apache-2.0

package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/krow-lab/krow/internal/atomicfile"
)

// TestOpen: the right to write a file changes nothing, is given once, and can be used again and again.
func TestOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	f, err := atomicfile.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(name); err == nil {
		t.Error("there is a file before one is written")
	}
	for _, text := range []string{"a long text", "short"} {
		if err := f.Write(func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("read %q, %v, want %q", got, err, text)
		}
		if _, err := atomicfile.Open(name); !errors.Is(err, atomicfile.ErrBusy) {
			t.Errorf("the second one to open it got %v", err)
		}
	}
	broken := errors.New("broken")
	if err := f.Write(func(w io.Writer) error { io.WriteString(w, "none of it"); return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if err := atomicfile.Write(name, []byte("the next")); err != nil {
		t.Error(err)
	}
	onlyThere(t, name, "the next")
}

// TestRemainsOfKilledProcess: what a killed process has left beside is taken over, however much it is.
func TestRemainsOfKilledProcess(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(filepath.Join(filepath.Dir(name), ".f.new"), make([]byte, 100), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(name, []byte("text")); err != nil {
		t.Fatal(err)
	}
	onlyThere(t, name, "text")
}

// TestWritersTogetherWriteWhole: of several that write a file at once, each writes it whole.
func TestWritersTogetherWriteWhole(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 20 {
				text := strings.Repeat(fmt.Sprint(i), 1000)
				err := atomicfile.Write(name, []byte(text))
				for errors.Is(err, atomicfile.ErrBusy) { // on a busy machine the others write for longer than Write waits
					err = atomicfile.Write(name, []byte(text))
				}
				if err != nil {
					t.Error(err)
				}
				got, err := os.ReadFile(name)
				if err != nil || len(got) != 1000 || strings.Trim(string(got), string(got[:1])) != "" {
					t.Errorf("read %d bytes, %v", len(got), err)
				}
			}
		})
	}
	all.Wait()
}

// onlyThere wants a file of that text, and no other beside it.
func onlyThere(t *testing.T, name, text string) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != text {
		t.Errorf("read %q, %v, want %q", got, err, text)
	}
	if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) != 1 {
		t.Errorf("beside the file there is %v, %v", left, err)
	}
}
