// SPDX-License-Identifier: Apache-2.0

// Package cli is the command line: one file for each subcommand.
//
// Results go to stdout, progress and trouble to stderr; exit 0 done, 1 failed, 2 misused. It prints; the
// packages below it do not.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/internal/spec"
)

// Version is the version that krow tells of itself.
const Version = "0.1.0"

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

// Main runs the command that os.Args names and returns its exit code.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot()
	err := fang.Execute(ctx, root,
		fang.WithVersion(Version),
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}))
	if err == nil {
		return 0
	}
	report(os.Stderr, err)
	var m *misuse
	var s *spec.Error
	if errors.As(err, &m) || errors.As(err, &s) {
		return 2
	}
	return 1
}

// report prints an error in one line, and its hint in another.
func report(w io.Writer, err error) {
	msg := strings.Join(strings.Fields(err.Error()), " ")
	fmt.Fprintf(w, "krow: %s\n", msg)
	var m *misuse
	var s *spec.Error
	hint := ""
	switch {
	case errors.As(err, &m) && m.hint != "":
		hint = m.hint
	case errors.As(err, &s):
		hint = s.Hint
	}
	if hint != "" {
		fmt.Fprintf(w, "krow: hint: %s\n", hint)
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "krow COMMAND",
		Short: "Play, analyse and measure k-in-a-row games",
		Long: `Krow plays, analyses and measures the k-in-a-row family: m,n,k games, tic-tac-toe, gomoku, renju,
caro, pente, Connect Four, Connect6, atari-go and ultimate tic-tac-toe.`,
		Example: `  krow list games
  krow play gomoku
  krow analyze connect4 --moves 4455 --time 1s
  krow match tictactoe random rules --games 100`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return misusef(spec.Hint(args[0], commandNames(cmd)), "unknown command %q", args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().Bool("json", false, "print one JSON object a line")
	root.AddCommand(newList(), newPlay(), newAnalyze(), newMatch(), newMoves(), newPerft(), newBench())
	return root
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagError makes a misuse of pflag's errors, and names the nearest flag.
func flagError(cmd *cobra.Command, err error) error {
	hint := fmt.Sprintf("see %s --help", cmd.CommandPath())
	if name, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
		var known []string
		cmd.Flags().VisitAll(func(f *flagT) { known = append(known, f.Name) })
		if h := spec.Hint(name, known); h != "" {
			hint = h
		}
	}
	return &misuse{err, hint}
}

// exactly returns a check that the command has these arguments.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return misusef(fmt.Sprintf("usage: %s", cmd.UseLine()), "%s needs %s", cmd.CommandPath(), names[len(args)])
		case len(args) > len(names):
			return misusef(fmt.Sprintf("usage: %s", cmd.UseLine()), "%q is one argument too many", args[len(names)])
		}
		return nil
	}
}
