// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/krow-lab/krow/internal/cpu"
)

// helpTemplate is cobra's template with lines as wide as the terminal, and the examples at the end.
const helpTemplate = `{{wrap .Long}}

Usage:{{if or (not .HasAvailableSubCommands) (ne .Use .Name)}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND [flags]{{end}}
{{- if .HasAvailableSubCommands}}{{$all := .Commands}}{{range $group := groups .}}

{{.Title}}{{range $all}}{{if and (eq .GroupID $group.ID) (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{end}}
{{- if or .HasAvailableLocalFlags .HasAvailableInheritedFlags}}

Flags:
{{flags .}}{{end}}
{{- if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}

{{.CommandPath}} COMMAND --help says more.{{end}}
`

// setHelp makes root print its help by cobra, with the template above.
func setHelp(root *cobra.Command) {
	width := 80
	cobra.AddTemplateFunc("wrap", func(text string) string { return wrapText(text, width) })
	cobra.AddTemplateFunc("flags", func(cmd *cobra.Command) string {
		all := pflag.NewFlagSet("", pflag.ContinueOnError)
		all.AddFlagSet(cmd.LocalFlags())
		all.AddFlagSet(cmd.InheritedFlags())
		return strings.TrimRight(all.FlagUsagesWrapped(width), "\n")
	})
	cobra.AddTemplateFunc("groups", func(cmd *cobra.Command) []*cobra.Group {
		if groups := cmd.Groups(); len(groups) > 0 {
			return groups
		}
		return []*cobra.Group{{Title: "Commands:"}}
	})
	root.SetHelpTemplate(helpTemplate)
	show := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		width = helpWidth(cmd.OutOrStdout())
		show(cmd, args)
	})
}

const (
	narrowest = 40
	widest    = 100
)

// helpWidth returns the width that COLUMNS says, else that of the terminal behind w, else 80.
func helpWidth(w any) int {
	n, _ := strconv.Atoi(os.Getenv("COLUMNS"))
	if n <= 0 {
		n = cmp.Or(terminalWidth(w), 80)
	}
	return min(max(n, narrowest), widest)
}

// wrapText breaks paragraphs between words. A paragraph that is indented stays as it is.
func wrapText(text string, width int) string {
	all := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range all {
		if !strings.ContainsAny(p[:1], " \t#") && !strings.Contains(p, "\n\t") {
			all[i] = wrapWords(strings.Fields(p), width)
		}
	}
	return strings.Join(all, "\n\n")
}

func wrapWords(words []string, width int) string {
	text, column := "", 0
	for _, w := range words {
		n := utf8.RuneCountInString(w)
		switch {
		case column == 0:
		case column+1+n > width:
			text, column = text+"\n", 0
		default:
			text, column = text+" ", column+1
		}
		text, column = text+w, column+n
	}
	return text
}

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write the manual pages",
		Long:    "Write a manual page for each command to a folder that exists.",
		Example: "  krow man /usr/local/share/man/man1",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Source: "krow " + Version, Date: new(time.Time)}, args[0])
		},
	}
}

type versionJSON struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Go      string `json:"go"`
	System  string `json:"system"`
	Kernels string `json:"kernels"`
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and the kernels in use",
		Long: `Print the version, the commit from which krow was built, the version of Go, the system, and which vector instructions
of this processor the networks use: go for none, avx2 or avx512-vnni.`,
		Example: "  krow version",
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := versionJSON{Version, "", runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, cpu.Best.String()}
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					switch {
					case s.Key == "vcs.revision":
						v.Commit = s.Value[:min(len(s.Value), 12)] + v.Commit
					case s.Key == "vcs.modified" && s.Value == "true":
						v.Commit += ", modified"
					}
				}
			}
			return answer(cmd, v, "krow %s\ncommit   %s\ngo       %s\nsystem   %s\nkernels  %s\n",
				v.Version, cmp.Or(v.Commit, "unknown"), v.Go, v.System, v.Kernels)
		},
	}
}

// shown returns the names of the commands below cmd that its help lists.
func shown(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// require marks flags of a command that must be given. checkRequired checks them.
func require(cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(fmt.Errorf("%s: %w", cmd.Use, err)) // no such flag
		}
	}
}
