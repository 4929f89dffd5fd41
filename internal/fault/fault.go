// SPDX-License-Identifier: Apache-2.0

// Package fault has errors whose kind and text are meant for the users of an application.
//
// # Basics
//
//	var ErrTurn = fault.New("not-your-turn", "it is not a person's turn")
//
//	return fault.Errorf("%w: the game has %d moves, not %d", ErrChanged, got, want)
//
// The command line and the server find the fault in an error with [errors.AsType] and show only its text, because the rest of the
// error may name files of the server or say what is wrong with a forgery.
package fault

import (
	"errors"
	"fmt"
)

// Error is an error whose text the caller may read.
type Error struct {
	Code string // kind of the problem, as docs/reference/api lists them
	Text string
	What string // the spec, move or field that is wrong, if one is

	cause error
}

// New returns an error of a kind, which tests compare with [errors.Is].
func New(code, text string) error { return &Error{Code: code, Text: text} }

// Errorf is fmt.Errorf for an error that wraps a fault. The caller may read the whole text.
func Errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	e, ok := errors.AsType[*Error](err)
	if !ok {
		panic("fault: no fault in " + err.Error())
	}
	return &Error{e.Code, err.Error(), e.What, err}
}

// As makes err, which the caller may read, an error of a kind. An error that contains a fault stays as it is, and so does nil.
func As(code string, err error) error {
	if _, ok := errors.AsType[*Error](err); ok || err == nil {
		return err
	}
	return About(code, "", err)
}

// About makes err an error of a kind about what, such as a spec or a move.
func About(code, what string, err error) *Error { return &Error{code, err.Error(), what, err} }

func (e *Error) Error() string { return e.Text }

// Unwrap returns the error from which Errorf or As made this one.
func (e *Error) Unwrap() error { return e.cause }
