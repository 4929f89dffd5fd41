// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/krow-lab/krow/internal/spec"
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

// size is the value of a flag that is a number of bytes.
type size int

// Set reads a size such as 64M; a number alone is bytes.
func (s *size) Set(text string) error {
	n, ok := spec.Bytes(text, 1)
	if !ok {
		return errors.New("no size")
	}
	*s = size(n)
	return nil
}

// String writes the size with the largest unit that fits.
func (s *size) String() string {
	n, unit := int(*s), ""
	for _, u := range []string{"K", "M", "G"} {
		if n%1024 == 0 && n > 0 {
			n, unit = n/1024, u
		}
	}
	return strconv.Itoa(n) + unit
}

// Type is what flags are listed with.
func (s *size) Type() string { return "size" }
