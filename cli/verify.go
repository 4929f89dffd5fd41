// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/proof"
)

type verifyJSON struct {
	File string `json:"file"`
	proof.Claim
	solve.Verified
}

type verifyCommand struct {
	positions uint64
	memory    size
	longest   bool
}

func newVerify() *cobra.Command {
	o := &verifyCommand{positions: 1_000_000_000, memory: 4 << 30}
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check certificates of solved values",
		Long: `Check certificates made by krow solve --certificate, and print their claims: the position, its value, and the facts
on which the value depends. The checker knows only the rules, and uses no engine. It plays the moves in the certificate
against every answer. A file that is damaged, or that proves less than it claims, is refused.

Checking even a short file may take long; --max-positions and --max-memory limit the work.`,
		Example: `  krow verify mnk-6-5-4.proof`,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.verifyFiles(cmd, args) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.longest, "longest", false, "print the longest line of a certificate with zones: how long the losing side can hold out")
	f.Uint64Var(&o.positions, "max-positions", o.positions, "refuse a proof with more positions than this; 0 for no limit")
	f.Var(&o.memory, "max-memory", "refuse a proof that needs more memory than this; 0 for no limit")
	return cmd
}

// verifyFiles checks each file, also after one that is refused.
func (o *verifyCommand) verifyFiles(cmd *cobra.Command, names []string) error {
	refused := 0
	for _, name := range names {
		if len(names) > 1 && !asJSON(cmd) {
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n", name)
		}
		err := o.verifyFile(cmd, name)
		if len(names) == 1 || cmd.Context().Err() != nil {
			return err
		}
		if err != nil {
			report(cmd.ErrOrStderr(), err)
			refused++
		}
	}
	if refused > 0 {
		return fmt.Errorf("%d of %d files are refused", refused, len(names))
	}
	return nil
}

func (o *verifyCommand) verifyFile(cmd *cobra.Command, name string) error {
	line := newStatusLine(cmd.ErrOrStderr())
	start := time.Now()
	limits := proof.Limits{Entered: o.positions, Memory: uint64(o.memory), Tell: func(entered uint64) {
		line.showWhenDue("%s positions   %.0f s", humanize.Count(entered), time.Since(start).Seconds())
	}}
	v, err := solve.VerifyFile(cmd.Context(), name, limits, o.longest)
	line.clear()
	switch {
	case errors.Is(err, proof.ErrWork):
		return fmt.Errorf("%w: --max-positions is %d", err, o.positions)
	case errors.Is(err, proof.ErrMemory):
		return fmt.Errorf("%w: --max-memory is %s", err, &o.memory)
	case err != nil:
		return err
	}
	return printAnswer(cmd, verifyJSON{name, v.Claim, v}, "%s\n", v)
}
