// SPDX-License-Identifier: Apache-2.0

// Package cli is the command line: one file for each subcommand.
//
// Results go to stdout, progress and errors to stderr. The packages below this one never print.
//
// # Exit status
//
//	0  done; for analyze also when Ctrl-C ended the search, since it still answers
//	1  failed: a file, a player, standard output, or Ctrl-C in the middle of the work
//	2  misused: what was typed makes no sense, and nothing was begun
//
// An error is one line that begins with "krow:", and a second one where there is a hint. With --json stdout holds
// nothing but objects, one a line.
package cli

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player/subprocess"
)

// Version is the version of krow.
const Version = "0.1.0"

// Main runs the command that os.Args names and returns its exit status.
func Main() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		twice(signals, cancel)
		atomicfile.Abandon()
		subprocess.KillAll()
		os.Exit(1)
	}()
	if !signal.Ignored(syscall.SIGHUP) { // as nohup wants
		gone := make(chan os.Signal, 1)
		signal.Notify(gone, syscall.SIGHUP)
		go func() {
			<-gone // later ones are ignored: both the system and the shell tell that a terminal is gone
			cancel()
		}()
	}

	out := &output{File: os.Stdout}
	root := newRoot()
	root.SetOut(out)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = out.err
	}
	report(os.Stderr, err)
	subprocess.KillAll() // a player that was given up may still wait for its program
	return status(err)
}

// finish gives cmd and the commands below it what follows from their line of use and their flags: they check and
// complete their arguments, refuse flags that are given twice, and complete no number by files.
func finish(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		finish(sub)
	}
	if cmd.Args == nil {
		cmd.Args, cmd.ValidArgsFunction = checkArguments, completeArgument
	}
	each := func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "int", "uint64", "float64", "duration", "size":
			completeFlag(cmd, f.Name, nothing)
		case "stringArray": // a list, which is given one by one
			return
		}
		if f.Name == "game" {
			completeFlag(cmd, f.Name, completeItems("games"))
		}
		if f.DefValue == "0s" {
			f.DefValue = "" // no limit
		}
		if f.Annotations[cobra.BashCompOneRequiredFlag] != nil {
			f.Usage += " (required)"
		}
		f.Value = &single{Value: f.Value, name: f.Name}
	}
	cmd.LocalNonPersistentFlags().VisitAll(each)
	cmd.PersistentFlags().VisitAll(each)
}

// aboutKrow is the group of the commands that are not about games.
const aboutKrow = "About krow"

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "krow",
		Version:       Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Short:         "Play, analyse and measure k-in-a-row games",
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
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Play", []*cobra.Command{newPlay(), newPuzzles(), newServe()}},
		{"Look at positions and games", []*cobra.Command{newAnalyze(), newGames(), newConvert(), newMoves(), newList()}},
		{"Compare players", []*cobra.Command{newMatch(), newLeague(), newOpenings()}},
		{"Solve", []*cobra.Command{newSolve(), newVerify()}},
		{"Learn", []*cobra.Command{newLearn()}},
		{"Work with other programs", []*cobra.Command{newBot(), newCheck(), newGomocup(), newUGI()}},
		{"Use other machines", []*cobra.Command{newWork(), newCluster()}},
		{"Host a club", []*cobra.Command{newClub(), newBackup(), newRestore()}},
		{"Develop krow", []*cobra.Command{newBench(), newPerft(), newExperiment()}},
		{aboutKrow, []*cobra.Command{newVersion(), newMan()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID(aboutKrow)
	root.SetCompletionCommandGroupID(aboutKrow)
	root.PersistentPreRunE = checkRequired
	setHelp(root)
	root.SetFlagErrorFunc(flagError)
	finish(root)
	return root
}

// twice calls first at the first signal, and returns at the second. Signals that come together count as one.
func twice(signals <-chan os.Signal, first func()) {
	<-signals
	at := time.Now()
	first()
	for again := false; !again; again = time.Since(at) >= 200*time.Millisecond {
		<-signals
	}
}

func unknownCommand(above *cobra.Command, name string) error {
	if _, err := krow.Game(name); err == nil && !above.HasParent() {
		return misusef("krow play "+name+" plays it", "unknown command %q", name)
	}
	return misusef(cmp.Or(spec.Hint(name, shown(above)), "see "+above.CommandPath()+" --help"), "unknown command %q", name)
}
