// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/spec"
)

func newList() *cobra.Command {
	kinds := catalog.Kinds()
	return &cobra.Command{
		Use:       "list [" + strings.Join(kinds, "|") + "]",
		Short:     "List what has a name: games, players, heuristics",
		Long:      "List what has a name. The usage is the spec string that every command accepts.",
		Example:   "  krow list games\n  krow list players --json",
		ValidArgs: kinds,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misusef("", "%q is one argument too many", args[1])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if catalog.List(args[0]) == nil {
					return spec.Unknown("kind", args[0], kinds)
				}
				kinds = args
			}
			tw := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, kind := range kinds {
				for _, e := range catalog.List(kind) {
					if asJSON(cmd) {
						if err := printJSON(cmd.OutOrStdout(), e); err != nil {
							return err
						}
						continue
					}
					fmt.Fprintf(tw, "%s\t%s\t%s\n", e.Kind, e.Usage, e.Doc)
				}
			}
			return tw.Flush()
		},
	}
}
