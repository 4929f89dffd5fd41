// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"os"

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
			f, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			if info, err := f.Stat(); err == nil && info.IsDir() {
				return fmt.Errorf("%s: this is a directory", args[0])
			}
			r, err := proof.Verify(cmd.Context(), f)
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
	name := fmt.Sprintf("%d columns, %d rows, %d in a row", c.Columns, c.Rows, c.K)
	if c.Gravity {
		name += ", falling stones"
	}
	return fmt.Sprintf("%s: a %s for the %s side, which is to move", name, c.Value, c.Turn)
}
