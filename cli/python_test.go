// SPDX-License-Identifier: Apache-2.0

package cli_test

import (
	"os/exec"
	"testing"
)

// TestPython: a Python program plays, analyses, matches and solves, where there is a Python.
func TestPython(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out other languages")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	cmd := exec.CommandContext(t.Context(), python, "-B", "-m", "unittest", "discover", "-s", "../cmd/python/tests")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}
