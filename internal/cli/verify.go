// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/proof"
)

type verifyJSON struct {
	Columns   int    `json:"columns"`
	Rows      int    `json:"rows"`
	K         int    `json:"k"`
	Gravity   bool   `json:"gravity"`
	Cells     string `json:"cells"`
	Turn      string `json:"turn"`
	Value     string `json:"value"`
	Positions uint64 `json:"positions"`
	Bytes     int64  `json:"bytes"`
}

func newVerify() *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a certificate of a solved value",
		Long: `Check a certificate, which krow solve --certificate wrote. The checker knows the rules and no engine: it plays
the moves of the certificate against every answer. A file that is damaged, or proves less than it states, is
refused.`,
		Example: `  krow verify mnk-6-5-4.proof`,
		Args:    exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := openInput(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			if i, err := f.file.Stat(); err == nil && !i.Mode().IsRegular() {
				return fmt.Errorf("%s: this is no regular file, and a certificate is read twice", args[0])
			}
			r, err := proof.Verify(cmd.Context(), f)
			if cmd.Context().Err() != nil {
				return errInterrupted
			}
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			c := r.Claim
			if asJSON(cmd) {
				return printJSON(cmd.OutOrStdout(), verifyJSON{
					c.Columns, c.Rows, c.K, c.Gravity, c.Cells, c.Turn, c.Value, r.Positions, r.Bytes,
				})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\nverified: %d positions, %d bytes\n", claimText(c), r.Positions, r.Bytes)
			return err
		},
	}
}

// claimText returns a claim in words.
func claimText(c proof.Claim) string {
	name := fmt.Sprintf("%s, %s, %d in a row", amount(c.Columns, "column", "columns"), amount(c.Rows, "row", "rows"), c.K)
	if c.Gravity {
		name += ", falling stones"
	}
	return fmt.Sprintf("%s: a %s for the %s side, which is to move", name, c.Value, c.Turn)
}
