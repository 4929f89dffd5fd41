// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"testing"
)

// TestTypedLineInterrupted ends the wait for a person's line, as Ctrl-C does.
func TestTypedLineInterrupted(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go w.Write([]byte("h8 i9 j10\n"))
	game := &typedGame{in: bufio.NewScanner(r)}
	if text, err := game.readLine(t.Context()); text != "h8 i9 j10" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if text, err := game.readLine(ctx); !errors.Is(err, errLeft) {
		t.Errorf("%q, %v, want %v", text, err, errLeft)
	}
}
