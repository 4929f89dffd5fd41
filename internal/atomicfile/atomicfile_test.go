// SPDX-License-Identifier: Apache-2.0

package atomicfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/krow-lab/krow/internal/atomicfile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	for _, text := range []string{"first", "second"} {
		if err := atomicfile.Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("read %q, %v, want %q", got, err, text)
		}
	}
	// A directory that holds something cannot be replaced, nor one that is not there be written to.
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{taken, filepath.Join(dir, "none", "f")} {
		if err := atomicfile.Write(bad, nil); err == nil {
			t.Errorf("Write(%s) gave no error", bad)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("%d files left behind, want 2", len(left))
	}
}

// TestLinkStaysLink: a link stays one, and leads to what is written.
func TestLinkStaysLink(t *testing.T) {
	dir := t.TempDir()
	link, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := atomicfile.Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(target); err != nil || string(got) != "new" {
		t.Errorf("behind the link is %q, %v", got, err)
	}
	if i, err := os.Lstat(link); err != nil || i.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", i, err)
	}
	// So does a link to a link to what is not there yet; one that leads to itself leads nowhere.
	for name, to := range map[string]string{"a": "b", "b": filepath.Join(dir, "new"), "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := atomicfile.Write(filepath.Join(dir, "a"), []byte("text")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "new")); err != nil || string(got) != "text" {
		t.Errorf("behind two links is %q, %v", got, err)
	}
	if err := atomicfile.Write(filepath.Join(dir, "loop"), nil); err == nil {
		t.Error("a link to itself was written to")
	}
}

// TestLinkAbove: what is above a directory that is reached by a link is above where that leads.
func TestLinkAbove(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"link": filepath.Join("a", "b"), "a/b/f": filepath.Join("..", "new")} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := atomicfile.Write(filepath.Join(dir, "link", "f"), []byte("text")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "a", "new")); err != nil || string(got) != "text" {
		t.Errorf("above the directory is %q, %v", got, err)
	}
}
