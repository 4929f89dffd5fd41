// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// input is a file that is read until it ends or Ctrl-C is pressed, even while nothing comes through a pipe.
type input struct {
	file *os.File
	ctx  context.Context
}

// openInput opens the file of that name. Of a pipe that waits for whoever writes to it.
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
			context.AfterFunc(ctx, func() { _ = in.file.SetReadDeadline(time.Unix(1, 0)) }) // files that are no pipes have none
		}
		return in, err
	}
}

// Read reads as from the file.
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

// eachLine calls do for each line that holds something, without the space around it; an error says which line it is of.
func eachLine(r io.Reader, do func(number int, text string) error) error {
	in, n := bufio.NewScanner(r), 0
	for in.Scan() {
		n++
		text := in.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff") // some editors begin every file with that
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if err := do(n, text); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	err := in.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("line %d: it is longer than %d bytes", n+1, bufio.MaxScanTokenSize)
	}
	return err
}

// path is the value of a flag that names a file or a directory.
type path string

// Set keeps the name; an empty one would be as if the flag were not given.
func (p *path) Set(name string) error {
	if name == "" {
		return errors.New("empty")
	}
	*p = path(name)
	return nil
}

// String returns the name.
func (p *path) String() string { return string(*p) }

// Type is what flags are listed with.
func (p *path) Type() string { return "path" }
