// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"os/exec"
	"testing"
)

// TestGenerated: the files for wide boards are what gen.go makes of the others.
func TestGenerated(t *testing.T) {
	stale, err := exec.Command("go", "run", "gen.go", "-l").CombinedOutput()
	if err != nil || len(stale) > 0 {
		t.Errorf("not as go generate makes them (%v):\n%s", err, stale)
	}
}
