// SPDX-License-Identifier: Apache-2.0

// Package inputfile reads files and standard input in such a way that a context can end the reading, even while the reading
// waits for data from a pipe.
package inputfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// ErrInterrupted is the error of a reading that its context ended.
var ErrInterrupted = errors.New("interrupted")

// File is a file that is read until it ends or until its context is done.
type File struct {
	*os.File
	ctx context.Context
}

// Read opens a file, or standard input if the name is -, and calls use with it. If use returns an error, Read adds the name of
// the file to the error. If the file is a named pipe, opening it waits for a writer.
func Read(ctx context.Context, name string, use func(*File) error) error {
	in, opened := &File{ctx: ctx}, make(chan error, 1)
	go func() {
		var err error
		if in.File = os.Stdin; name != "-" {
			in.File, err = os.Open(name)
		}
		opened <- err
	}()
	select {
	case <-ctx.Done():
		return ErrInterrupted
	case err := <-opened:
		if err != nil {
			return err
		}
	}
	defer in.Close()
	context.AfterFunc(ctx, func() { _ = in.SetReadDeadline(time.Unix(1, 0)) }) // the error is ignored, because only pipes have deadlines
	err := use(in)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ErrInterrupted
	}
	return fmt.Errorf("%s: %w", Name(name), err)
}

// Name returns the name of a file as messages show it.
func Name(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// Read reads from the file.
func (in *File) Read(p []byte) (int, error) {
	n, err := in.File.Read(p)
	if in.ctx.Err() != nil {
		return 0, ErrInterrupted
	}
	return n, err
}
