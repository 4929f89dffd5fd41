// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// TestGenerated: the files for wide boards are made of the others as these are now, and, asked at length, they are
// what gen.go makes of them.
func TestGenerated(t *testing.T) {
	made := regexp.MustCompile(`(?m)^// Code generated from (\w+\.go); DO NOT EDIT\.\n// SHA-256 of that: (\w+)$`)
	files, err := filepath.Glob("wide*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		from := made.FindStringSubmatch(string(text))
		if from == nil {
			continue // written by hand
		}
		found++
		src, err := os.ReadFile(from[1])
		if sum := fmt.Sprintf("%x", sha256.Sum256(src)); err != nil || sum != from[2] {
			t.Errorf("%s is not made of %s as it is now: go generate ./engine/connect4 (%v)", name, from[1], err)
		}
	}
	if found != 5 {
		t.Errorf("%d generated files, want 5", found)
	}
	if os.Getenv("KROW_LONG") == "" {
		return
	}
	if stale, err := exec.Command("go", "run", "gen.go", "-l").CombinedOutput(); err != nil || len(stale) > 0 {
		t.Errorf("not as go generate makes them (%v):\n%s", err, stale)
	}
}
