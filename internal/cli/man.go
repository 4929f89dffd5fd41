// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Long:    "Print the manual page, in the format of man(7). It is made of what each command says of itself.",
		Example: "  krow man > /usr/local/share/man/man1/krow.1\n  krow man | man -l -",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), manual(cmd.Root()))
			return err
		},
	}
}

// manual returns the manual page of root, undated, so that the same program prints the same page.
func manual(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH KROW 1 \"\" \"krow %s\"\n", Version)
	fmt.Fprintf(&b, ".SH NAME\nkrow \\- %s\n", roff(lowerFirst(root.Short)))
	b.WriteString(".SH SYNOPSIS\n.B krow\n.I COMMAND\n[\\fIarguments\\fR] [\\fIflags\\fR]\n")
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roff(root.Long))
	b.WriteString(".SH COMMANDS\n")
	for _, c := range leaves(root) {
		fmt.Fprintf(&b, ".SS \"%s\"\n%s\n", roff(c.UseLine()), roff(c.Long))
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" {
				fmt.Fprintf(&b, ".TP\n%s\n%s\n", manFlag(f), roff(f.Usage))
			}
		})
		fmt.Fprintf(&b, ".PP\n.EX\n%s\n.EE\n", roff(c.Example))
	}
	b.WriteString(".SH OPTIONS\n")
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { fmt.Fprintf(&b, ".TP\n%s\n%s\n", manFlag(f), roff(f.Usage)) })
	b.WriteString(".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nfailed\n.TP\n2\nmisused: nothing was begun\n")
	return b.String()
}

// leaves returns the commands below root that do something, each before those below it.
func leaves(root *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, c := range root.Commands() {
		if takes := strings.Contains(c.Use, " "); takes || !c.HasSubCommands() {
			all = append(all, c)
		}
		all = append(all, leaves(c)...)
	}
	return all
}

// manFlag returns a flag and its default, where that is something.
func manFlag(f *pflag.Flag) string {
	s := `\fB` + roff("--"+f.Name) + `\fR`
	if f.Value.Type() == "bool" {
		return s
	}
	s += ` \fI` + valueName(f) + `\fR`
	switch f.DefValue {
	case "", "0", "0s":
		return s
	}
	return s + " (default " + roff(f.DefValue) + ")"
}

func valueName(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "uint64":
		return "N"
	case "duration":
		return "TIME"
	}
	return strings.ToUpper(f.Name)
}

// roff returns text as man(7) wants it: no line is a request, and dashes can be copied.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
