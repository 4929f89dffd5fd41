// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/internal/buildinfo"
)

func newUGI() *cobra.Command {
	var text string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "ugi [GAME]",
		Short: "Speak the Universal Game Interface as an engine",
		Long: `Answer a referee of the Universal Game Interface (UGI) on standard input and output, about every game that krow
knows. GAME is gomoku by default; the referee can choose the game with the option Game and the player with the option Player;
docs/reference/ugi.md lists all commands. The player program:ugi:PATH is the other end.`,
		Example: `  krow ugi ultimate
  krow ugi connect4 --player mcts:sims=1000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := brainly(text); err != nil {
				return err
			}
			return krow.Engine(cmp.Or(strings.Join(args, ""), "gomoku"), text, buildinfo.Version(), seed).Run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&text, "player", "best", "`PLAYER` that answers: see krow list players")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of a random player")
	return cmd
}
