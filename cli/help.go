// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND...]",
		Short:   "Say how a command is used",
		Long:    "Say how a command is used, as its flag --help does.",
		Example: "  krow help analyze\n  krow help learn curve",
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var all []cobra.Completion
			if above, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 {
				for _, c := range shown(above) {
					all = append(all, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return all, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c, rest, _ := cmd.Root().Find(args)
			switch {
			case len(rest) == 0:
			case c.HasAvailableSubCommands():
				return unknownCommand(c, rest[0])
			default:
				return misusef("usage: "+cmd.UseLine(), "%q is one argument too many", rest[0])
			}
			c.InitDefaultHelpFlag()
			c.InitDefaultVersionFlag()
			return c.Help()
		},
	}
}

// shown returns the commands below cmd that its help lists.
func shown(cmd *cobra.Command) (all []*cobra.Command) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			all = append(all, c)
		}
	}
	return all
}

const (
	narrowest = 40
	widest    = 100
)

// helpWidth returns the width that COLUMNS says, else that of the terminal behind w, else 80.
func helpWidth(w io.Writer) int {
	n, _ := strconv.Atoi(os.Getenv("COLUMNS"))
	if n <= 0 {
		n = cmp.Or(terminalWidth(w), 80)
	}
	return min(max(n, narrowest), widest)
}

// helpText returns how cmd is used, in lines of that width at most where their words allow it.
func helpText(cmd *cobra.Command, width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n", wrap(cmd.Long, width, 0, 0, ""))
	if takesArguments(cmd) {
		fmt.Fprintf(&b, "  %s\n", wrap(cmd.UseLine(), width, 2, 6, ""))
	}
	if cmd.HasSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND [flags]\n", cmd.CommandPath())
	}
	fmt.Fprint(&b, "\nExamples:\n")
	for line := range strings.Lines(cmd.Example) {
		fmt.Fprintf(&b, "  %s\n", wrap(line, width, 2, 6, ` \`))
	}
	groups := cmd.Groups()
	if len(groups) == 0 && cmd.HasSubCommands() {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	names := leastNames
	for _, c := range shown(cmd) {
		names = max(names, len(c.Name()))
	}
	for _, g := range groups {
		fmt.Fprintf(&b, "\n%s\n", g.Title)
		for _, c := range shown(cmd) {
			if c.GroupID == g.ID {
				row(&b, c.Name(), names, c.Short, width)
			}
		}
	}
	var flags []*pflag.Flag
	longest := 0
	add := func(f *pflag.Flag) {
		if !f.Hidden {
			flags, longest = append(flags, f), max(longest, len(flagName(f)))
		}
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	fmt.Fprint(&b, "\nFlags:\n")
	for _, f := range flags {
		row(&b, flagName(f), longest, flagUsage(f), width)
	}
	if cmd.HasSubCommands() {
		fmt.Fprintf(&b, "\n%s COMMAND --help says more.\n", cmd.CommandPath())
	}
	return b.String()
}

// takesArguments says whether cmd does something itself, and not only the commands below it.
func takesArguments(cmd *cobra.Command) bool {
	return !cmd.HasSubCommands() || strings.Contains(cmd.Use, " ")
}

// leastNames is the least width of the names of commands.
const leastNames = len("completion")

func row(b *strings.Builder, name string, nameWidth int, text string, width int) {
	fmt.Fprintf(b, "  %-*s  %s\n", nameWidth, name, wrap(text, width, nameWidth+4, nameWidth+4, ""))
}

// wrap breaks text at a width between words, but not in quotes nor after a flag. Lines after the first are indented, and
// end stands at the end of all but the last.
func wrap(text string, width, column, indent int, end string) string {
	var parts []string
	together, quoted := false, false
	for _, word := range strings.Fields(text) {
		if together {
			parts[len(parts)-1] += " " + word
		} else {
			parts = append(parts, word)
		}
		quoted = quoted != (strings.Count(word, `"`)%2 == 1)
		together = quoted || strings.HasPrefix(word, "--")
	}
	out, at := "", column
	for i, part := range parts {
		n, room := len([]rune(part)), width-len(end)
		if i == len(parts)-1 {
			room = width
		}
		switch {
		case i == 0:
		case at+1+n > room:
			out, at = out+end+"\n"+strings.Repeat(" ", indent), indent
		default:
			out, at = out+" ", at+1
		}
		out, at = out+part, at+n
	}
	return out
}

func flagName(f *pflag.Flag) string {
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	return strings.TrimSpace(name + " " + valueOf(f).name)
}

// flagUsage says what a flag does, and its default where that is something.
func flagUsage(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
		return f.Usage
	}
	return f.Usage + " (default " + f.DefValue + ")"
}

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Long:    "Print the manual page, in the format of man(7). It is made of what each command says of itself.",
		Example: "  krow man > /usr/local/share/man/man1/krow.1\n  krow man | man -l -",
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), manual(cmd.Root()))
			return err
		},
	}
}

// manual returns the manual page of root. It has no date, so that the same program prints the same page.
func manual(root *cobra.Command) string {
	var b strings.Builder
	flag := func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		name := `\fB` + roff("--"+f.Name) + `\fR`
		if v := valueOf(f).name; v != "" {
			name += ` \fI` + v + `\fR`
		}
		fmt.Fprintf(&b, ".TP\n%s\n%s\n", name, roff(flagUsage(f)))
	}
	fmt.Fprintf(&b, ".TH KROW 1 \"\" \"krow %s\"\n", Version)
	fmt.Fprintf(&b, ".SH NAME\nkrow \\- %s\n", roff(strings.ToLower(root.Short[:1])+root.Short[1:]))
	b.WriteString(".SH SYNOPSIS\n.B krow\n.I COMMAND\n[\\fIarguments\\fR] [\\fIflags\\fR]\n")
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roff(root.Long))
	b.WriteString(".SH COMMANDS\n")
	for _, c := range leaves(root) {
		fmt.Fprintf(&b, ".SS \"%s\"\n%s\n", roff(c.UseLine()), roff(c.Long))
		c.LocalNonPersistentFlags().VisitAll(flag)
		fmt.Fprintf(&b, ".PP\n.EX\n%s\n.EE\n", roff(c.Example))
	}
	b.WriteString(".SH OPTIONS\n")
	root.PersistentFlags().VisitAll(flag)
	b.WriteString(".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nfailed\n.TP\n2\nmisused: nothing was begun\n")
	return b.String()
}

// leaves returns the commands below root that do something, each before those below it.
func leaves(root *cobra.Command) (all []*cobra.Command) {
	for _, c := range shown(root) {
		if takesArguments(c) {
			all = append(all, c)
		}
		all = append(all, leaves(c)...)
	}
	return all
}

// roff returns text as man(7) wants it: no line is a request, and dashes can be copied.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace("\n" + text)
	return text[1:]
}
