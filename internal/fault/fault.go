// SPDX-License-Identifier: Apache-2.0

// Package fault defines errors whose code and text are meant for the users of an application.
//
// # Basics
//
//	var ErrTurn = fault.New("not-your-turn", "it is not a person's turn")
//
//	return fault.Errorf("%w: the game has %d moves, not %d", ErrChanged, got, want)
//
// The command line and the server look for an [Error] in the chain of an error with [errors.AsType], and show only the text of
// the Error. The other texts in the chain may contain names of files of the server, or details that would help an attacker.
package fault

import (
	"errors"
	"fmt"
)

// Error is an error whose text the user may read.
type Error struct {
	Code string // kind of the problem; server/api/problems.go lists the codes
	Text string
	What string // the wrong spec, move or field, if there is one

	cause error
}

// New returns an error with this code. Callers compare it with [errors.Is].
func New(code, text string) error { return &Error{Code: code, Text: text} }

// Errorf does what fmt.Errorf does. One of the wrapped errors must be an [Error]; the result has its code. The user may read
// the whole text.
func Errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	e, ok := errors.AsType[*Error](err)
	if !ok {
		panic("fault: no fault in " + err.Error())
	}
	return &Error{e.Code, err.Error(), e.What, err}
}

// As adds this code to err; the user may read the text of err. If err is nil or already wraps an [Error], As returns err
// unchanged.
func As(code string, err error) error {
	if _, ok := errors.AsType[*Error](err); ok || err == nil {
		return err
	}
	return About(code, "", err)
}

// About returns an Error with this code and the text of err. what is the wrong spec, move or field.
func About(code, what string, err error) *Error { return &Error{code, err.Error(), what, err} }

func (e *Error) Error() string { return e.Text }

// Unwrap returns the error from which Errorf, As or About made e.
func (e *Error) Unwrap() error { return e.cause }
