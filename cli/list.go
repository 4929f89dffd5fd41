// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/internal/spec"
)

func newList() *cobra.Command {
	kinds := krow.Kinds()
	cmd := &cobra.Command{
		Use:   "list [" + strings.Join(kinds, "|") + "] [GAME]",
		Short: "List games, players, heuristics, learners and targets",
		Long: `List the names of games, players, heuristics, learners and targets that the commands accept. A target is a
set of parameters that a learner tunes. Optional arguments
are in brackets. The arguments of a heuristic are in parentheses: alphabeta:eval=generic(weights=FILE). krow list players
GAME lists the levels of the game from the weakest to the strongest, and then the other players.`,
		Example: "  krow list games\n  krow list players gomoku",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if krow.List(args[0]) == nil {
					return misusef(cmp.Or(spec.Hint(args[0], kinds), "there are "+strings.Join(kinds, ", ")), "unknown kind %q", args[0])
				}
				kinds = args[:1]
			}
			if len(args) < 2 {
				return list(cmd.OutOrStdout(), kinds, asJSON(cmd))
			}
			if !slices.Equal(kinds, []string{"players"}) {
				return misusef("krow list players "+args[1], "only players are listed for a game")
			}
			return listOpponents(cmd.OutOrStdout(), args[1], asJSON(cmd))
		},
	}
	return cmd
}

func listOpponents(w io.Writer, name string, json bool) error {
	g, err := krow.Game(name)
	if err != nil {
		return err
	}
	return printRows(w, json, "", krow.Opponents(g), func(o krow.Opponent) string {
		doc := o.Doc
		if o.System != "" {
			doc += fmt.Sprintf(" (system %s: %s)", o.System, o.By)
		}
		return listItem(o.Player, doc)
	})
}

func list(w io.Writer, kinds []string, json bool) error {
	for i, kind := range kinds {
		header := ""
		if len(kinds) > 1 {
			header = strings.Repeat("\n", min(i, 1)) + kind
		}
		err := printRows(w, json, header, krow.List(kind), func(e krow.Item) string { return listItem(e.Usage, e.Doc) })
		if err != nil {
			return err
		}
	}
	return nil
}

// listItem returns the usage of an item and its description. The description is next to a short usage and below a long usage.
//
//	atarigo[:S]             the first side to capture stones wins
//	ultimate[:draw=plain|boards][,won=closed|open]
//	                        tic-tac-toe on nine boards of tic-tac-toe
func listItem(usage, doc string) string {
	const docColumn, width = 26, 78
	doc = strings.ReplaceAll(ansi.Wordwrap(doc, 94-docColumn, ""), "\n", "\n"+strings.Repeat(" ", docColumn))
	lines := spec.WrapUsage(usage, width-4)
	if len(lines) == 1 && len(usage) <= docColumn-4 {
		return fmt.Sprintf("  %-*s%s", docColumn-2, usage, doc)
	}
	return fmt.Sprintf("  %s\n%*s%s", strings.Join(lines, "\n    "), docColumn, "", doc)
}
