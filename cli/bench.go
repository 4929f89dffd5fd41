// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/bench"
	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/internal/humanize"
)

type benchJSON struct {
	Game   string `json:"game"`
	Moves  string `json:"moves"`
	Player string `json:"player"`
	Best   string `json:"best"`
	Nodes  uint64 `json:"nodes"`
	TimeMS int64  `json:"time_ms"`
}

type signatureJSON struct {
	Final     bool   `json:"final"`
	Signature uint64 `json:"signature"`
	TimeMS    int64  `json:"time_ms"`
}

func newBench() *cobra.Command {
	return &cobra.Command{
		Use:   "bench",
		Short: "Search fixed positions and print the number of nodes",
		Long: `Search fixed positions to fixed depths in one thread. The last line is the signature, which is the number of nodes
of all searches. If a change of the program keeps the signature, the engines still play the same moves. The line before the
signature names the vector instructions that the networks use on this processor: avx2, avx512-vnni, or go if they use none.`,
		Example: "  krow bench\n  krow bench --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runBench(cmd) },
	}
}

func runBench(cmd *cobra.Command) error {
	start := time.Now()
	total, err := bench.Run(cmd.Context(), func(r bench.Result) error {
		return printAnswer(cmd, benchJSON{r.Game, r.Moves, r.Player, r.Best, r.Nodes, r.Time.Milliseconds()},
			"%-12s %-44s %9d nodes  %s\n", r.Game, r.Player, r.Nodes, r.Best)
	})
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	d := time.Since(start)
	if !asJSON(cmd) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%.1f s, %s, kernels %s\n", d.Seconds(), humanize.Rate(total, d), cpu.Best)
	}
	return printAnswer(cmd, signatureJSON{true, total, d.Milliseconds()}, "Bench: %d\n", total)
}
