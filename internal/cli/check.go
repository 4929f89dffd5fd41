// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/gomocup"
)

// checkJSON is a check as --json prints it.
type checkJSON struct {
	Check     string `json:"check"`
	Mandatory bool   `json:"mandatory"`
	OK        bool   `json:"ok"`
	Error     string `json:"error,omitempty"`
}

func newCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check PATH [ARG...]",
		Short: "Tell whether a program keeps the Gomocup protocol",
		Long: `Start a brain of the Gomocup protocol, again for each check, and say what it does of what the protocol asks.
Checks of what a brain may leave out are marked optional. Exit status 1 when a mandatory one fails; when the
first one does, there are no others.`,
		Example: `  krow check ./pbrain-krow
  krow check -- ./brain --config fast.toml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misusef("usage: "+cmd.UseLine(), "krow check needs PATH")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return check(cmd, args[0], args[1:]) },
	}
	return cmd
}

func check(cmd *cobra.Command, name string, args []string) error {
	path, err := exec.LookPath(name)
	if err != nil {
		return err
	}
	w, json := cmd.OutOrStdout(), asJSON(cmd)
	var failed, run int
	var printed error
	err = gomocup.Check(cmd.Context(), path, args, func(f gomocup.Finding) {
		run++
		if f.Err != nil && f.Mandatory {
			failed++
		}
		if e := printCheck(w, f, json); printed == nil {
			printed = e
		}
	})
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%w after %d checks", errInterrupted, run)
	case err != nil:
		return err
	case failed > 0 && run == 1:
		return fmt.Errorf("%s does not begin a game, and the other checks were not run", name)
	case failed > 0:
		return fmt.Errorf("%s fails %d mandatory checks of the protocol", name, failed)
	}
	return printed
}

// printCheck prints a line for a check.
func printCheck(w io.Writer, f gomocup.Finding, json bool) error {
	if json {
		j := checkJSON{Check: f.Name, Mandatory: f.Mandatory, OK: f.Err == nil}
		if f.Err != nil {
			j.Error = f.Err.Error()
		}
		return printJSON(w, j)
	}
	kind := ""
	if !f.Mandatory {
		kind = " (optional)"
	}
	if f.Err != nil {
		_, err := fmt.Fprintf(w, "failed  %s%s: %s\n", f.Name, kind, oneLine(f.Err.Error()))
		return err
	}
	_, err := fmt.Fprintf(w, "ok      %s%s\n", f.Name, kind)
	return err
}
