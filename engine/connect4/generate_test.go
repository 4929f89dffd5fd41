// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestWideCodeIsUpToDate: wide_gen.go equals the output of gen.go for the present code for boards of one word.
func TestWideCodeIsUpToDate(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "go", "run", "gen.go", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(filepath.Join(dir, "wide_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("wide_gen.go"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("wide_gen.go is not made of the other files as they are now (%v): cd engine/connect4; go run gen.go .", err)
	}
}
