// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/spec"
)

func newGomocup() *cobra.Command {
	var text string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "gomocup",
		Short: "Be a brain of the Gomocup protocol",
		Long: `Answer a manager of the Gomocup (Piskvork) protocol on standard input and output. The board is made by
START or RECTSTART, and INFO rule says which game it is; docs/reference/gomocup.md lists all commands.
pbrain-krow is the same as a program of its own, which managers take as it is.`,
		Example: `  krow gomocup
  krow gomocup --player mics:nodes=20000`,
		Args:              exactly(),
		ValidArgsFunction: complete(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := brainly(text); err != nil {
				return err
			}
			return catalog.Brain(text, Version, seed).Run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&text, "player", "best", "player that answers; see krow list players")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of a player that draws lots, and of openings for swap2")
	completeFlag(cmd, "player", nothing)
	return cmd
}

// brainly returns an error where a spec names no player that could be a brain, whatever the game will be.
func brainly(text string) error {
	s, err := spec.Parse(text)
	if err != nil {
		return err
	}
	var known []string
	for _, i := range catalog.List("players") {
		known = append(known, i.Name)
	}
	switch {
	case !slices.Contains(known, s.Name):
		return spec.Unknown("player", s.Name, known)
	case s.Name == "human":
		return misusef("use krow play", "a person is no brain")
	}
	return nil
}
