// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/spec"
)

func newList() *cobra.Command {
	kinds := catalog.Kinds()
	var name string
	cmd := &cobra.Command{
		Use:   "list [" + strings.Join(kinds, "|") + "]",
		Short: "List what has a name: games, players, heuristics, learners, targets",
		Long: `List what has a name. Each is written as every command takes it, with what may follow the name in
brackets. A heuristic takes its arguments in parentheses: alphabeta:eval=generic(weights=FILE). With --game,
list players lists opponents for that game, the weakest first.`,
		Example: "  krow list games\n  krow list players --game gomoku",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exactly("KIND")(cmd, args)
			}
			return nil
		},
		ValidArgsFunction: complete(fixed(kinds...)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if catalog.List(args[0]) == nil {
					return unknownKind(args[0], kinds)
				}
				kinds = args
			}
			if name == "" {
				return list(cmd.OutOrStdout(), kinds, asJSON(cmd))
			}
			if !slices.Equal(kinds, []string{"players"}) {
				return misusef("krow list players --game "+name, "--game is for players")
			}
			return listOpponents(cmd.OutOrStdout(), name, asJSON(cmd))
		},
	}
	cmd.Flags().StringVar(&name, "game", "", "list the opponents for this game, the weakest first")
	completeFlag(cmd, "game", completeGames)
	return cmd
}

// listOpponents lists the graded players of a game.
func listOpponents(w io.Writer, name string, json bool) error {
	g, err := catalog.Game(name)
	if err != nil {
		return err
	}
	for _, o := range catalog.Opponents(g) {
		if !json {
			listItem(w, catalog.Item{Usage: o.Player, Doc: o.Doc})
		} else if err := printJSON(w, o); err != nil {
			return err
		}
	}
	return nil
}

func unknownKind(name string, kinds []string) error {
	hint := spec.Hint(name, kinds)
	if hint == "" {
		hint = "there are " + strings.Join(kinds, ", ")
	}
	return misusef(hint, "unknown kind %q", name)
}

func list(w io.Writer, kinds []string, json bool) error {
	for i, kind := range kinds {
		if !json && len(kinds) > 1 {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintln(w, kind)
		}
		for _, e := range catalog.List(kind) {
			if !json {
				listItem(w, e)
				continue
			}
			if err := printJSON(w, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// The columns of a listing: usage, and what it is.
const (
	docColumn  = 26
	lineLength = 78
)

// listItem prints what an item is beside its usage, or below it where that is long.
//
//	connect6[:S]            six in a row, two stones a turn after the first
//	ultimate[:draw=plain|boards][,won=closed|open]
//	                        tic-tac-toe on nine boards of tic-tac-toe
func listItem(w io.Writer, e catalog.Item) {
	lines := wrapUsage(e.Usage, lineLength-4)
	if len(lines) == 1 && len(lines[0]) <= docColumn-4 {
		fmt.Fprintf(w, "  %-*s%s\n", docColumn-2, lines[0], e.Doc)
		return
	}
	fmt.Fprintf(w, "  %s\n", strings.Join(lines, "\n    "))
	fmt.Fprintf(w, "%*s%s\n", docColumn, "", e.Doc)
}

// wrapUsage cuts a usage between its arguments into lines of at most so many bytes, if it can.
func wrapUsage(usage string, most int) []string {
	var lines []string
	line := ""
	for _, part := range strings.SplitAfter(usage, "]") {
		if line != "" && len(line)+len(part) > most {
			lines = append(lines, line)
			line = ""
		}
		line += part
	}
	return append(lines, line)
}
