// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/server/runs"
)

func newLearnExport() *cobra.Command {
	var db databaseFlag
	var out outFlag
	var member int
	cmd := &cobra.Command{
		Use:   "export RUN",
		Short: "Write the weights of a run to a file",
		Long: `Write the weights that a run has learned to a file, and print the player that loads them. For a genetic run choose
a member; member 1 is the best.`,
		Example: "  krow learn export 1 --member 2 --out second.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(checkWeights(&out, &db), out.checkFile()); err != nil {
				return err
			}
			return db.lookAt(args[0], func(r *runs.Run) error { return exportLearned(cmd, r, member, out.name) })
		},
	}
	db.add(cmd)
	out.add(cmd, "out", "`FILE` for the weights")
	_ = cmd.MarkFlagRequired("out")
	addNumber(cmd, &member, "member", 0, 1, 0, "number of the member; 1 is the best")
	return cmd
}

type exportedJSON struct {
	Final  bool   `json:"final"`
	Run    int64  `json:"run"`
	Member int    `json:"member,omitempty"`
	Out    string `json:"out"`
	Player string `json:"player"` // spec of a player that loads the file of weights
}

func exportLearned(cmd *cobra.Command, r *runs.Run, member int, out string) error {
	l, err := r.At(0)
	if err != nil {
		return err
	}
	if err := l.Save(out, member); err != nil {
		return err
	}
	player, err := l.Spec(out)
	if err != nil {
		return err
	}
	return printAnswer(cmd, exportedJSON{true, r.ID, member, out, player}, "wrote %s   player %s\n", out, player)
}
