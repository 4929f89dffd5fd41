// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerated: zwide.go is what gen.go makes of the code for boards of one word as it is now.
func TestGenerated(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "go", "run", "gen.go", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(filepath.Join(dir, "zwide.go"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("zwide.go"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("zwide.go is not made of the other files as they are now (%v): go generate ./engine/connect4", err)
	}
}
