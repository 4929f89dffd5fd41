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
		return misusef(hint, "--%s needs %s", e.GetFlag().Name, wantedOf(e.GetFlag()))
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if errors.Is(err, errTwice) {
			return misusef(hint, "--%s is given twice", e.GetFlag().Name)
		}
		return misusef(hint, "--%s needs %s, not %q", e.GetFlag().Name, wantedOf(e.GetFlag()), e.GetValue())
	}
	return misusef(hint, "%w", err)
}

// checkRequired refuses a command without a flag that it requires.
func checkRequired(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if err == nil && !f.Changed && f.Annotations[cobra.BashCompOneRequiredFlag] != nil {
			err = misusef("see "+cmd.CommandPath()+" --help", "%s needs --%s", cmd.CommandPath(), f.Name)
		}
	})
	return err
}

// A flagKind is what help calls the value of a flag, and what an error says is wanted.
type flagKind struct{ placeholder, wanted string }

// flagKinds are the kinds by the type of a flag.
var flagKinds = map[string]flagKind{
	"bool":     {"bool", "true or false"}, // cobra shows no placeholder for a bool
	"int":      {"N", "a whole number"},
	"uint64":   {"N", "a whole number from 0 to 18446744073709551615"},
	"float64":  {"X", "a number"},
	"duration": {"TIME", "a time such as 500ms or 2s"},
	"size":     {"SIZE", "a size up to 1024G such as 64M"},
	"path":     {"FILE", "the name of a file or directory"},
}

// placeholders are what help calls the values of flags that are texts, where that is not the name of the flag.
var placeholders = map[string]string{
	"acme": "HOST", "addr": "ADDRESS", "against": "PLAYER", "author": "NAME", "behind-proxy": "ADDRESS", "ca": "FILE",
	"clock": "TIME+TIME", "cluster": "ADDRESS", "collection": "NAME", "creds": "FILE", "data": "FOLDER", "db": "FILE", "dir": "FOLDER",
	"file": "FILE", "first": "PLAYER", "format": "NAME", "from": "NAME", "guests": "RIGHT", "hours": "HOURS", "kit": "LANGUAGE",
	"join": "URL", "league": "NAME", "listen": "ADDRESS", "nats": "URL", "net": "FILE", "of": "MEMBER", "opening": "RULE",
	"openings": "FILE", "out": "FILE", "password-file": "FILE", "second": "PLAYER", "sprt": "ELO0,ELO1",
	"tls-ca": "FILE", "tls-cert": "FILE", "tls-key": "FILE", "to": "NAME", "token-file": "FILE", "worker": "NAME",
}

var errTwice = errors.New("given twice")

// single is the value of a flag that may be given once. Without it the last one would win in silence.
type single struct {
	pflag.Value
	name string
	set  bool
}

// Type returns the placeholder of the value, which help shows.
func (s *single) Type() string {
	if k, ok := flagKinds[s.Value.Type()]; ok {
		return k.placeholder
	}
	return cmp.Or(placeholders[s.name], strings.ToUpper(s.name))
}

// wantedOf says what a flag needs.
func wantedOf(f *pflag.Flag) string {
	if s, ok := f.Value.(*single); ok {
		return cmp.Or(flagKinds[s.Value.Type()].wanted, "a value")
	}
	return "a value"
}

// Set keeps text, the first time.
func (s *single) Set(text string) error {
	if s.set {
		return errTwice
	}
	s.set = true
	return s.Value.Set(text)
}
