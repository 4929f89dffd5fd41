// SPDX-License-Identifier: Apache-2.0

// Package cli implements the command krow, with one file for each subcommand.
//
// Results go to stdout, progress and errors to stderr. The packages below this one never print.
//
// # Exit status
//
//	0  done; for analyze also if Ctrl-C ended the search, because it still prints a result
//	1  failed: an error with a file, a player or standard output
//	2  misused: the command line is invalid, so no work was begun
//
// If a signal ends the work before it is done, the status is 128 and the number of the signal: 130 after Ctrl-C.
//
// An error is printed as one line that begins with "krow:"; a hint may follow on a second line. With --json stdout holds only
// JSON objects, one on each line.
package cli

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/buildinfo"
	"github.com/krow-lab/krow/player/subprocess"
)

// Main runs the command that os.Args names and returns its exit status.
func Main() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var caught atomic.Int32 // number of the signal that has ended the work; 0: none
	stop := func(s os.Signal) {
		if n, ok := s.(syscall.Signal); ok {
			caught.CompareAndSwap(0, int32(n))
		}
		cancel()
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		waitTwice(signals, stop)
		atomicfile.Abandon()
		subprocess.KillAll()
		os.Exit(128 + int(caught.Load()))
	}()
	if !signal.Ignored(syscall.SIGHUP) { // do not catch the signal if it is ignored, as in programs that nohup starts
		gone := make(chan os.Signal, 1)
		signal.Notify(gone, syscall.SIGHUP)
		go func() {
			s := <-gone // further signals are ignored, because both the system and the shell send one when a terminal closes
			stop(s)
		}()
	}

	out := &output{File: os.Stdout}
	root, begun := newRoot()
	root.SetOut(out)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = out.err
	} else if !*begun {
		hint := "see " + cmd.CommandPath() + " --help"
		if !cmd.HasSubCommands() {
			hint = cmd.UseLine() + ": " + hint
		}
		err = misusef(hint, "%w", err)
	}
	report(os.Stderr, err)
	subprocess.KillAll() // a player whose program exceeded its time does not stop the program, so it may still run
	if n := caught.Load(); n != 0 && status(err) == 1 {
		return 128 + int(n)
	}
	return status(err)
}

// finishCommand completes the definitions of cmd and of its subcommands. The usage line of a command determines the number of
// its arguments and their shell completion. The placeholders of its flags determine the shell completion of the flags. begun is
// set when a command starts to run.
func finishCommand(cmd *cobra.Command, begun *bool) {
	for _, sub := range cmd.Commands() {
		finishCommand(sub, begun)
	}
	if cmd.HasParent() && cmd.Args == nil {
		cmd.Args, cmd.ValidArgsFunction = argumentCount(cmd.Use), completeArgument
	}
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			*begun = true
			return run(cmd, args)
		}
	}
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[cobra.BashCompOneRequiredFlag] != nil {
			f.Usage += " (required)"
		}
		completeByPlaceholder(cmd, f)
	})
}

// unbroken is a hyphen at which wrapText does not break a line.
const unbroken = "\u2011"

// wrapText breaks the paragraphs of a long description into lines of at most 80 columns. It keeps indented paragraphs.
func wrapText(text string) string {
	all := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range all {
		if !strings.Contains("\n"+p, "\n\t") {
			words := strings.ReplaceAll(strings.Join(strings.Fields(p), " "), "-", unbroken)
			all[i] = strings.ReplaceAll(lipgloss.Wrap(words, 80, ""), unbroken, "-")
		}
	}
	return strings.Join(all, "\n\n")
}

// argumentCount returns a check of the number of arguments, which it reads from the usage line: NAME, NAME... for one or
// more, [NAME] for an optional one.
func argumentCount(use string) cobra.PositionalArgs {
	names := strings.Fields(use)[1:]
	least := len(names) - strings.Count(use, "[")
	if strings.Contains(use, "...") {
		return cobra.MinimumNArgs(least)
	}
	if least == len(names) {
		return cobra.ExactArgs(least)
	}
	return cobra.RangeArgs(least, len(names))
}

// aboutKrow is the title of the group of commands that do not concern games.
const aboutKrow = "About krow"

// newRoot returns the command krow, and a pointer to a variable that becomes true when a subcommand has begun to run.
func newRoot() (root *cobra.Command, begun *bool) {
	root = &cobra.Command{
		Use:           "krow",
		Version:       buildinfo.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Short:         "Play, analyse and measure k-in-a-row games",
		Long: `Krow plays, analyses and measures the k-in-a-row family: m,n,k games, tic-tac-toe, gomoku, renju,
caro, pente, Connect Four, Connect6, atari-go and ultimate tic-tac-toe.`,
		Example: `  krow list games
  krow play gomoku
  krow analyze connect4 --moves 4455 --time 1s
  krow match tictactoe random rules --games 100`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().Bool("json", false, "print JSON, one object on each line")
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Play", []*cobra.Command{newPlay(), newServe()}},
		{"Analyse positions and games", []*cobra.Command{newAnalyze(), newReview(), newConvert(), newMoves(), newList()}},
		{"Compare players", []*cobra.Command{newMatch(), newOpenings()}},
		{"Solve", []*cobra.Command{newSolve(), newVerify()}},
		{"Learn", []*cobra.Command{newLearn()}},
		{"Work with other programs", []*cobra.Command{newBot(), newCheck(), newGomocup(), newUGI()}},
		{"Use other machines", []*cobra.Command{newWork(), newKeys()}},
		{"Host a club", []*cobra.Command{newClub(), newBackup(), newRestore()}},
		{"Develop krow", []*cobra.Command{newBench(), newPerft(), newExperiment()}},
		{aboutKrow, []*cobra.Command{newVersion(), newLicenses(), newMan()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID(aboutKrow)
	root.SetCompletionCommandGroupID(aboutKrow)
	cobra.AddTemplateFunc("wrapText", wrapText)
	root.SetHelpTemplate(strings.ReplaceAll(root.HelpTemplate(), "(or .Long .Short)", "(wrapText (or .Long .Short))"))
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	begun = new(bool)
	finishCommand(root, begun)
	return root, begun
}

// newGroup makes a command that only contains subcommands. Without a subcommand it prints its help.
func newGroup(cmd *cobra.Command, below ...*cobra.Command) *cobra.Command {
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(below...)
	return cmd
}

// waitTwice waits for two signals. At the first signal it calls the function first, and at the second signal it returns. A
// signal that comes within 200 milliseconds after the first signal is ignored.
func waitTwice(signals <-chan os.Signal, first func(os.Signal)) {
	s := <-signals
	at := time.Now()
	first(s)
	for again := false; !again; again = time.Since(at) >= 200*time.Millisecond {
		<-signals
	}
}
