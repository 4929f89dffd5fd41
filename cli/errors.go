// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/internal/spec"
)

// misusef returns the error of a command that makes no sense as it was typed: exit 2.
func misusef(hint, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &spec.Error{Msg: err.Error(), Hint: cmp.Or(hint, hintOf(err))}
}

// misuse is an error that means that a command makes no sense, and a hint, if there is one.
type misuse struct {
	is   error
	hint string
}

// misused returns err as that of a command that makes no sense, if it is one of all, without the words in front about the file
// of the store.
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

// together returns errors as one, in one line, or nil where there is none.
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

// longest is how many characters of an error are shown: it may quote a whole file.
const longest = 400

func oneLine(s string) string { return humanize.OneLine(s, longest) }

// group makes cmd a command that does nothing without one of those below it.
func group(cmd *cobra.Command, below ...*cobra.Command) *cobra.Command {
	var names []string
	for _, c := range below {
		names = append(names, c.Name())
	}
	last := len(names) - 1
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return misusef("there are "+strings.Join(names[:last], ", ")+" and "+names[last], "%s needs to know what to do", cmd.CommandPath())
	}
	cmd.AddCommand(below...)
	return cmd
}

// checkArguments checks the arguments by the line of use: NAME, NAME... for one or more, [NAME] for an optional one.
func checkArguments(cmd *cobra.Command, args []string) error {
	hint, names := "usage: "+cmd.UseLine(), strings.Fields(cmd.Use)[1:]
	switch n := len(args); {
	case n < len(names) && names[n][0] != '[':
		return misusef(hint, "%s needs %s", cmd.CommandPath(), strings.TrimSuffix(names[n], "..."))
	case n > len(names) && len(names) == 0 && cmd.HasAvailableSubCommands():
		return unknownCommand(cmd, args[0])
	case n > len(names) && !strings.Contains(cmd.Use, "..."):
		return misusef(hint, "%q is one argument too many", args[len(names)])
	}
	return nil
}

// flagError says in one line what is wrong with a flag, and names the nearest one that exists.
func flagError(cmd *cobra.Command, err error) error {
	if cmd.HasAvailableSubCommands() && cmd.Flags().NArg() > 0 && len(strings.Fields(cmd.Use)) == 1 {
		return unknownCommand(cmd, cmd.Flags().Arg(0))
	}
	hint := fmt.Sprintf("see %s --help", cmd.CommandPath())
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := e.GetSpecifiedName()
		if e.GetSpecifiedShortnames() != "" {
			return misusef(hint, "unknown flag -%s", name)
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		return misusef(cmp.Or(spec.Hint(name, names), hint), "unknown flag --%s", name)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return misusef(hint, "--%s needs %s", e.GetFlag().Name, valueOf(e.GetFlag()).wanted)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if errors.Is(err, errTwice) {
			return misusef(hint, "--%s is given twice", e.GetFlag().Name)
		}
		return misusef(hint, "--%s needs %s, not %q", e.GetFlag().Name, valueOf(e.GetFlag()).wanted, e.GetValue())
	}
	return misusef(hint, "%w", err)
}

type flagValue struct{ name, wanted string }

var flagValues = map[string]flagValue{
	"bool":     {"", "true or false"},
	"int":      {"N", "a whole number"},
	"uint64":   {"N", "a whole number from 0 to 18446744073709551615"},
	"duration": {"TIME", "a time such as 500ms or 2s"},
	"size":     {"SIZE", "a size up to 1024G such as 64M"},
	"path":     {"PATH", "the name of a file or directory"},
}

func valueOf(f *pflag.Flag) flagValue {
	if v, ok := flagValues[f.Value.Type()]; ok {
		return v
	}
	return flagValue{strings.ToUpper(f.Name), "a value"}
}

var errTwice = errors.New("given twice")

// single is the value of a flag that may be given once. Without it the last one would win in silence.
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
