// SPDX-License-Identifier: Apache-2.0

// Package cli is the command line: one file for each subcommand.
//
// Results go to stdout, progress and trouble to stderr. It prints; the packages below it do not.
//
// # Exit status
//
//	0  done; for analyze also when Ctrl-C ended the search, since it still answers
//	1  failed: a file, a player, standard output, or Ctrl-C in the middle of the work
//	2  misused: what was typed cannot be meant, and nothing was begun
//
// Trouble is one line that begins with "krow:", and a second one where there is a hint. With --json stdout
// holds nothing but objects, one a line.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/internal/wholefile"
)

// Version is the version that krow tells of itself.
const Version = "0.1.0"

// Main runs the command that os.Args names and returns its exit status.
func Main() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		// Whoever does not want to wait for the command to wind up interrupts it again, and ends it. Signals that come
		// together are one wish.
		for first := time.Now(); time.Since(first) < 200*time.Millisecond; {
			<-signals
		}
		wholefile.Abandon()
		os.Exit(1)
	}()
	if !signal.Ignored(syscall.SIGHUP) { // as nohup wants
		gone := make(chan os.Signal, 1)
		signal.Notify(gone, syscall.SIGHUP)
		go func() {
			<-gone // from here on it is ignored: of a terminal that is gone both the system and the shell tell
			cancel()
		}()
	}

	spec.OnOld(func(old, now string) { fmt.Fprintf(os.Stderr, "krow: hint: %s is written %s now\n", old, now) })
	out := &output{File: os.Stdout}
	err := execute(ctx, newRoot(), os.Args[1:], out)
	if err == nil {
		err = out.err
	}
	report(os.Stderr, err)
	return status(err)
}

// execute runs a command line. Errors go around fang, which would ask the terminal for its colours before it
// handed one over, and wait for seconds where nobody answers.
func execute(ctx context.Context, root *cobra.Command, args []string, out io.Writer) error {
	var failed error
	root.SetArgs(args)
	root.SetOut(out)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		failed = flagError(cmd, err)
		return nil
	})
	catch(root, &failed)
	err := fang.Execute(ctx, root, fang.WithVersion(Version), fang.WithoutManpage(), fang.WithoutCompletions(),
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}))
	if failed != nil {
		return failed
	}
	return err
}

// catch makes cmd and the commands below it leave their errors in failed, and refuse flags given twice.
func catch(cmd *cobra.Command, failed *error) {
	for _, sub := range cmd.Commands() {
		catch(sub, failed)
	}
	once := func(f *pflag.Flag) {
		if f.Value.Type() != "stringArray" { // a list, which is given one by one
			f.Value = &single{Value: f.Value}
		}
	}
	cmd.LocalNonPersistentFlags().VisitAll(once)
	cmd.PersistentFlags().VisitAll(once)
	check, run := cmd.Args, cmd.RunE
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *failed = check(cmd, args); *failed == nil {
			*failed = run(cmd, args)
		}
		return nil
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "krow",
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
			return unknownCommand(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().Bool("json", false, "print one JSON object a line")
	root.AddCommand(newList(), newPlay(), newAnalyze(), newMatch(), newOpenings(), newSolve(), newVerify(), newValues(), newBook(), newMoves(), newPerft(), newBench(), newPuzzles(), newLearn(), newColony(), newStudy(), newCompletion(), newMan(), newGomocup(), newConvert(), newCheck(), newServe())
	help := newHelp()
	root.SetHelpCommand(help)
	root.AddCommand(help)
	return root
}

func unknownCommand(root *cobra.Command, name string) error {
	hint := spec.Hint(name, commandNames(root))
	if _, err := catalog.Game(name); err == nil {
		hint = "krow play " + name + " plays it"
	}
	if hint == "" {
		hint = "see krow --help"
	}
	return misusef(hint, "unknown command %q", name)
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return names
}
