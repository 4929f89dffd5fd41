// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/server/cluster"
)

func newKeys() *cobra.Command {
	var worker string
	cmd := &cobra.Command{
		Use:   "keys NAME",
		Short: "Make the keys of the organiser and of a worker",
		Long: `Write new files of keys for a server to which workers connect. NAME.organiser contains the keys for commands with
--cluster or --nats: keep this file secret. The file is written only if it does not exist. NAME.worker contains the keys of one machine, which can
only take units and return results under its name; --worker chooses another name than worker. Each machine needs its own
file. The keys are valid at once, also during a run.`,
		Example: "  krow keys lab\n  krow keys lab --worker attic",
		RunE: func(cmd *cobra.Command, args []string) error {
			organiser, file, err := cluster.WriteKeys(args[0], worker)
			if errors.Is(err, fs.ErrExist) {
				return misusef("keys are not replaced; --worker names another machine", "%w", err)
			} else if err != nil {
				return err
			}
			return printAnswer(cmd, map[string]string{"organiser": organiser, "worker": file}, "%s\n%s\n", organiser, file)
		},
	}
	cmd.Flags().StringVar(&worker, "worker", "worker", "`NAME` of the machine")
	return cmd
}
