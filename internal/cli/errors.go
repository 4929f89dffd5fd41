// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/krow-lab/krow/internal/spec"
)

// misuse is an error of whoever typed the command: exit 2.
type misuse struct {
	err  error
	hint string
}

func (m *misuse) Error() string { return m.err.Error() }
func (m *misuse) Unwrap() error { return m.err }

func misusef(hint, format string, args ...any) error {
	return &misuse{fmt.Errorf(format, args...), hint}
}

// errInterrupted is told when Ctrl-C ended what cannot be half done.
var errInterrupted = errors.New("interrupted")

// together returns errors as one, in one line; without any it is nil.
func together(errs ...error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) == 0 {
		return nil
	}
	return several(errs)
}

type several []error

func (s several) Unwrap() []error { return s }

func (s several) Error() string {
	texts := make([]string, len(s))
	for i, err := range s {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// status returns the exit status for an error.
func status(err error) int {
	var m *misuse
	var s *spec.Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &m), errors.As(err, &s):
		return 2
	}
	return 1
}

// report prints an error in one line, and its hint in another; of nil it prints nothing.
func report(w io.Writer, err error) {
	if err == nil {
		return
	}
	fmt.Fprintf(w, "krow: %s\n", oneLine(err.Error()))
	if h := hintOf(err); h != "" {
		fmt.Fprintf(w, "krow: hint: %s\n", oneLine(h))
	}
}

func hintOf(err error) string {
	var m *misuse
	if errors.As(err, &m) && m.hint != "" {
		return m.hint
	}
	var s *spec.Error
	if errors.As(err, &s) {
		return s.Hint
	}
	return ""
}

// longest is how much of an error is shown, its beginning and its end: it may quote a whole file.
const longest = 400

func oneLine(s string) string { return spec.OneLine(s, longest) }

// exactly returns a check that the command has these arguments.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		hint := "usage: " + cmd.UseLine()
		switch {
		case len(args) < len(names):
			return misusef(hint, "%s needs %s", cmd.CommandPath(), names[len(args)])
		case len(args) > len(names):
			return misusef(hint, "%q is one argument too many", args[len(names)])
		}
		return nil
	}
}

// flagError says in one line what is wrong with a flag, and names the nearest one that exists.
func flagError(cmd *cobra.Command, err error) error {
	hint := fmt.Sprintf("see %s --help", cmd.CommandPath())
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := e.GetSpecifiedName()
		if e.GetSpecifiedShortnames() != "" {
			return misusef(hint, "unknown flag -%s", name)
		}
		if h := spec.Hint(name, flagNames(cmd)); h != "" {
			hint = h
		}
		return misusef(hint, "unknown flag --%s", name)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return misusef(hint, "--%s needs %s", e.GetFlag().Name, wanted(e.GetFlag()))
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if errors.Is(err, errTwice) {
			return misusef(hint, "--%s is given twice", e.GetFlag().Name)
		}
		return misusef(hint, "--%s needs %s, not %q", e.GetFlag().Name, wanted(e.GetFlag()), e.GetValue())
	}
	return misusef(hint, "%w", err)
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// wanted says what a flag takes.
func wanted(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true or false"
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number from 0 to 18446744073709551615"
	case "duration":
		return "a time such as 500ms or 2s"
	case "size":
		return "a size up to 1024G such as 64M"
	case "path":
		return "the name of a file or directory"
	}
	return "a value"
}

var errTwice = errors.New("given twice")

// single is the value of a flag that may be given once: of two, one would be passed over in silence.
type single struct {
	pflag.Value
	set bool
}

// Set keeps text, the first time.
func (s *single) Set(text string) error {
	if s.set {
		return errTwice
	}
	s.set = true
	return s.Value.Set(text)
}
