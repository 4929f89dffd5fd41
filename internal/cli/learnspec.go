// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/learn"
)

// identity is what a run of learning follows from. The store has it as the settings of the run.
type identity struct {
	Learner string `json:"learner"` // its spec
	Game    string `json:"game"`
	Seed    uint64 `json:"seed"`
}

func (id identity) String() string { return fmt.Sprintf("%s %s seed=%d", id.Learner, id.Game, id.Seed) }

// learner returns the learner of the identity, before its first step. Its spec may say more than the identity's.
func (id identity) learner(text string) (learn.Learner, error) {
	g, err := catalog.Game(id.Game)
	if err != nil {
		return nil, err
	}
	return catalog.Learner(g, text, id.Seed)
}

// shorthands are the flags that become arguments of the learner, and part of what the run is. How many games
// are played at once is not: --jobs may differ when a run goes on.
var shorthands = []string{"episodes", "generations", "games", "target"}

// learnerSpec returns the spec of the learner with these flags, where they were given, as its arguments.
func learnerSpec(cmd *cobra.Command, text string, flags ...string) string {
	var args []string
	for _, name := range flags {
		if f := cmd.Flag(name); f.Changed {
			args = append(args, name+"="+spec.Nested(f.Value.String()))
		}
	}
	return spec.With(text, args...)
}
