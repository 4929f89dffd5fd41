// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/search"
)

// limitFlags bound a search, or each move of a player.
type limitFlags struct {
	time  time.Duration
	nodes uint64
	depth int
}

func (f *limitFlags) add(cmd *cobra.Command, what string) {
	cmd.Flags().DurationVar(&f.time, "time", 0, "time "+what+", such as 500ms or 2s")
	cmd.Flags().Uint64Var(&f.nodes, "nodes", 0, "nodes "+what)
	cmd.Flags().IntVar(&f.depth, "depth", 0, "depth "+what+", in plies")
	cmd.Flags().Lookup("time").DefValue = "" // no limit, and not "0s"
	for _, name := range []string{"time", "nodes", "depth"} {
		completeFlag(cmd, name, nothing)
	}
}

// limits returns the limits; those that are zero, as without the flag, bound nothing.
func (f *limitFlags) limits() (search.Limits, error) {
	switch {
	case f.time < 0:
		return search.Limits{}, misusef("", "--time cannot be negative: %v", f.time)
	case f.depth < 0:
		return search.Limits{}, misusef("", "--depth cannot be negative: %d", f.depth)
	}
	return search.Limits{Time: f.time, Nodes: f.nodes, Depth: f.depth}, nil
}
