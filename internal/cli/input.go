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
	*os.File
	ctx context.Context
}

// readFile opens a file, lets use read it and closes it. An error of use is told with the name of the file. Opening a
// pipe waits until somebody writes to it.
func readFile(ctx context.Context, name string, use func(*input) error) error {
	in, opened := &input{ctx: ctx}, make(chan error, 1)
	go func() {
		var err error
		in.File, err = os.Open(name)
		opened <- err
	}()
	select {
	case <-ctx.Done():
		return errInterrupted
	case err := <-opened:
		if err != nil {
			return err
		}
	}
	defer in.Close()
	context.AfterFunc(ctx, func() { _ = in.SetReadDeadline(time.Unix(1, 0)) }) // only pipes have deadlines
	err := use(in)
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
	n, err := in.File.Read(p)
	if in.ctx.Err() != nil {
		return 0, errInterrupted
	}
	return n, err
}
