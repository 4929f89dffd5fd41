// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/internal/spec"
)

// misusef returns the error of an invalid command line, which ends krow with exit status 2.
func misusef(hint, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &spec.Error{Msg: err.Error(), Hint: cmp.Or(hint, hintOf(err))}
}

// misuse is the error of an invalid command line, with an optional hint.
type misuse struct {
	is   error
	hint string
}

// misused converts err to an error about misuse if err wraps one of the errors in the list all. It removes the name of the
// database from the beginning of the text.
func misused(err error, all []misuse) error {
	for _, m := range all {
		if !errors.Is(err, m.is) {
			continue
		}
		text := err.Error()
		if _, rest, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(text, "store ") {
			text = rest
		}
		return misusef(cmp.Or(m.hint, hintOf(err)), "%s", text)
	}
	return err
}

func hintOf(err error) string {
	if e, ok := errors.AsType[*spec.Error](err); ok {
		return e.Hint
	}
	return ""
}

// errInterrupted is the error of a command that Ctrl-C ended before it had a result.
var errInterrupted = errors.New("interrupted")

// together joins errors with semicolons. It returns nil if there is none.
func together(errs ...error) (all error) {
	for _, err := range errs {
		switch {
		case err == nil:
		case all == nil:
			all = err
		default:
			all = fmt.Errorf("%w; %w", all, err)
		}
	}
	return all
}

func status(err error) int {
	if err == nil {
		return 0
	}
	if _, ok := errors.AsType[*spec.Error](err); ok {
		return 2
	}
	return 1
}

// report prints an error on one line and its hint on another. It prints nothing for nil.
func report(w io.Writer, err error) {
	if err == nil {
		return
	}
	fmt.Fprintf(w, "krow: %s\n", oneLine(err.Error()))
	if h := hintOf(err); h != "" {
		fmt.Fprintf(w, "krow: hint: %s\n", oneLine(h))
	}
}

// longest is the maximum number of characters of an error that are printed. The limit is needed because an
// error may quote a complete file.
const longest = 400

func oneLine(s string) string { return humanize.OneLine(s, longest) }
