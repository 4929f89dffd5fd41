// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/internal/buildinfo"
	"github.com/krow-lab/krow/player/gomocup"
)

// engineCommand completes a command that speaks an engine protocol on standard input and output. It adds the flags --player
// and --seed and the function RunE, which calls run. The flag --player names the player that chooses the moves.
func engineCommand(cmd *cobra.Command, run func(cmd *cobra.Command, args []string, player string, seed uint64) error) *cobra.Command {
	var text string
	var seed uint64
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := krow.CheckBrain(text); err != nil {
			return err
		}
		return run(cmd, args, text, seed)
	}
	cmd.Flags().StringVar(&text, "player", "best", "`PLAYER` that answers: see krow list players")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of a random player, and of openings for swap2")
	return cmd
}

func newGomocup() *cobra.Command {
	return engineCommand(&cobra.Command{
		Use:   "gomocup",
		Short: "Speak the Gomocup protocol as an engine",
		Long: `Play as a Gomocup (Piskvork) brain: answer a game manager on standard input and output. The commands START and
RECTSTART set the size of the board, and INFO rule sets the game; docs/reference/gomocup.md lists all commands. The program
pbrain-krow does the same without arguments, as managers require.`,
		Example: `  krow gomocup
  krow gomocup --player mics:nodes=20000`,
	}, func(cmd *cobra.Command, _ []string, player string, seed uint64) error {
		return krow.Brain(player, buildinfo.Version(), seed).Run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
	})
}

func newUGI() *cobra.Command {
	return engineCommand(&cobra.Command{
		Use:   "ugi [GAME]",
		Short: "Speak the Universal Game Interface as an engine",
		Long: `Play as a UGI engine (Universal Game Interface): answer a referee on standard input and output. All games of krow
are supported. GAME is gomoku by default. The referee can choose another game with the option Game, and a player with the
option Player; docs/reference/ugi.md lists all commands. The player program:ugi:PATH lets krow play with such an engine.`,
		Example: `  krow ugi ultimate
  krow ugi connect4 --player mcts:sims=1000`,
	}, func(cmd *cobra.Command, args []string, player string, seed uint64) error {
		return krow.Engine(cmp.Or(strings.Join(args, ""), "gomoku"), player, buildinfo.Version(), seed).Run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
	})
}

type checkJSON struct {
	Check     string `json:"check"`
	Mandatory bool   `json:"mandatory"`
	OK        bool   `json:"ok"`
	Error     string `json:"error,omitempty"`
}

func newCheck() *cobra.Command {
	var margin time.Duration
	cmd := &cobra.Command{
		Use:   "check PROGRAM [ARG...]",
		Short: "Check that a program follows the Gomocup protocol",
		Long: `Check a Gomocup brain: start it once for each check, and print the results. Checks of features that a brain need
not have are marked as optional. The exit status is 1 if a mandatory check fails. If the first check fails, the other checks
are skipped.`,
		Example: `  krow check ./pbrain-krow
  krow check -- ./brain --config fast.toml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.TrimPrefix(args[0], "program:")
			if strings.HasPrefix(name, "ugi:") {
				return misusef("krow match GAME program:"+name+" random --games 4 says why an engine forfeits", "krow check is for Gomocup brains, not for UGI engines")
			}
			return checkProgram(cmd, name, args[1:], margin)
		},
	}
	cmd.Flags().DurationVar(&margin, "margin", gomocup.CheckMargin, "extra time before an answer counts as late")
	return cmd
}

func checkProgram(cmd *cobra.Command, name string, args []string, margin time.Duration) error {
	path, err := exec.LookPath(name)
	if err != nil {
		return err
	}
	var failed, run int
	var printed error
	err = gomocup.Check(cmd.Context(), path, args, margin, func(f gomocup.Finding) {
		run++
		if f.Err != nil && f.Mandatory {
			failed++
		}
		if err := printFinding(cmd, f); printed == nil {
			printed = err
		}
	})
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%w after %d checks", errInterrupted, run)
	case err != nil:
		return err
	case failed > 0 && run == 1:
		return fmt.Errorf("%s does not begin a game, so the other checks were skipped", name)
	case failed > 0:
		return fmt.Errorf("%s failed %d mandatory checks of the protocol", name, failed)
	}
	return printed
}

func printFinding(cmd *cobra.Command, f gomocup.Finding) error {
	result, kind, text := "ok    ", "", ""
	if !f.Mandatory {
		kind = " (optional)"
	}
	if f.Err != nil {
		result, text = "failed", f.Err.Error()
	}
	return printAnswer(cmd, checkJSON{f.Name, f.Mandatory, f.Err == nil, text},
		"%s  %s%s%s\n", result, f.Name, kind, strings.TrimSuffix(": "+oneLine(text), ": "))
}
