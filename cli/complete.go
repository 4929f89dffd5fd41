// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/research/experiments"
)

// completeArgument completes an argument of a command according to its placeholder in the usage line.
func completeArgument(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	names := strings.Fields(cmd.Use)[1:]
	at := len(args)
	if n := len(names); n > 0 && strings.Contains(names[n-1], "...") {
		at = min(at, n-1)
	}
	if at >= len(names) {
		return noCompletion(cmd, args, word)
	}
	return completionOf(strings.TrimSuffix(strings.Trim(names[at], "[]"), "..."))(cmd, args, word)
}

// completeByPlaceholder completes the value of a flag according to the placeholder in its help, unless the flag has a
// completion already.
func completeByPlaceholder(cmd *cobra.Command, f *pflag.Flag) {
	if _, known := cmd.GetFlagCompletionFunc(f.Name); !known && f.Value.Type() != "bool" {
		name, _ := pflag.UnquoteUsage(f)
		completeFlag(cmd, f.Name, completionOf(name))
	}
}

// completionOf returns the completion for a placeholder, such as GAME, of an argument or flag.
func completionOf(name string) cobra.CompletionFunc {
	switch name {
	case "GAME":
		return completeItems("games")
	case "PLAYER":
		return completePlayers(isMachine)
	case "LEARNER":
		return completeItems("learners")
	case "EXPERIMENT":
		return fixed(experiments.Names()...)
	case "FILE", "FOLDER", "PROGRAM":
		return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		}
	}
	if strings.Contains(name, "|") {
		return fixed(strings.Split(name, "|")...)
	}
	return noCompletion
}

func completeFlag(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // an error in this package: the flag does not exist, or it already has a completion
	}
}

func fixed(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

func noCompletion(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func completeItems(kind string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
		for _, e := range krow.List(kind) {
			all = append(all, cobra.CompletionWithDesc(e.Name, e.Doc))
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

// completePlayers completes the names of players. It offers the players that can play the game in the first argument of the
// command line and that the function fits accepts.
func completePlayers(fits func(player.Player) bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
		if len(args) > 0 {
			if g, err := krow.Game(args[0]); err == nil {
				for _, e := range krow.List("players") {
					if p, err := krow.Player(g, e.Name, 1); err == nil && fits(p) {
						all = append(all, cobra.CompletionWithDesc(e.Name, e.Doc))
					}
				}
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

func anyone(player.Player) bool      { return true }
func isMachine(p player.Player) bool { return !player.IsHuman(p) }
func isAnalyst(p player.Player) bool { _, ok := p.(player.Analyst); return ok }
