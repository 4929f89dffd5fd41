// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"os"
	"time"
)

// input is a file that is read until it ends or Ctrl-C is pressed, even while nothing comes through a pipe.
type input struct {
	file *os.File
	ctx  context.Context
}

// openInput opens a file. Opening a pipe waits until somebody writes to it.
func openInput(ctx context.Context, name string) (*input, error) {
	in, opened := &input{ctx: ctx}, make(chan error, 1)
	go func() {
		var err error
		in.file, err = os.Open(name)
		opened <- err
	}()
	select {
	case <-ctx.Done():
		return nil, errInterrupted
	case err := <-opened:
		if err == nil {
			context.AfterFunc(ctx, func() { _ = in.file.SetReadDeadline(time.Unix(1, 0)) }) // only pipes have deadlines
		}
		return in, err
	}
}

// readFile opens a file, lets use read it and closes it. Errors of use say of which file they are.
func readFile(ctx context.Context, name string, use func(*input) error) error {
	f, err := openInput(ctx, name)
	if err != nil {
		return err
	}
	defer f.Close()
	err = use(f)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errInterrupted
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Read reads from the file.
func (in *input) Read(p []byte) (int, error) {
	n, err := in.file.Read(p)
	if in.ctx.Err() != nil {
		return 0, errInterrupted
	}
	return n, err
}

// Seek goes to a place in the file.
func (in *input) Seek(offset int64, whence int) (int64, error) { return in.file.Seek(offset, whence) }

// Close closes the file.
func (in *input) Close() error { return in.file.Close() }
