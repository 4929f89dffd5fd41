// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"os"
	"testing"
)

// TestSwap2Interrupted: Ctrl-C ends the wait for a person's answer at a terminal, and what is typed later is lost.
func TestSwap2Interrupted(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin := os.Stdin
	os.Stdin = r
	defer func() { os.Stdin = stdin; w.Close() }()
	if _, err := w.WriteString("h8 i9 j10\n"); err != nil {
		t.Fatal(err)
	}
	if text, err := new(table).line(t.Context()); text != "h8 i9 j10" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if text, err := new(table).line(ctx); !errors.Is(err, errLeft) {
		t.Errorf("%q, %v, want %v", text, err, errLeft)
	}
}
