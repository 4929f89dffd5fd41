// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"

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
		RunE:    func(cmd *cobra.Command, args []string) error { return verify(cmd, args[0]) },
	}
}

func verify(cmd *cobra.Command, name string) error {
	var r proof.Result
	err := readFile(cmd.Context(), name, func(f *input) (err error) {
		if i, err := f.Stat(); err == nil && !i.Mode().IsRegular() {
			return errors.New("this is no regular file, and a certificate is read twice")
		}
		r, err = proof.Verify(cmd.Context(), f)
		return err
	})
	if err != nil {
		return err
	}
	c, falls := r.Claim, ""
	if c.Gravity {
		falls = ", falling stones"
	}
	return answer(cmd, verifyJSON{c.Columns, c.Rows, c.K, c.Gravity, c.Cells, c.Turn, c.Value, r.Positions, r.Bytes},
		"%s, %s, %d in a row%s: a %s for the %s side, which is to move\nverified: %d positions, %d bytes\n",
		amount(c.Columns, "column", "columns"), amount(c.Rows, "row", "rows"), c.K, falls, c.Value, c.Turn, r.Positions, r.Bytes)
}
