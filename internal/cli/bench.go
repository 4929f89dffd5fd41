// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

type benchmark struct{ game, moves, player string }

// benchmarks make the signature: every search of the laboratory on a few positions. A change that must not change play
// leaves each count of nodes as it is.
var benchmarks = []benchmark{
	{"tictactoe", "", "minimax:depth=7,eval=none"},
	{"tictactoe", "b2", "alphabeta:depth=8,eval=none"},
	{"connect4", "", "alphabeta:depth=9"},
	{"connect4", "444366", "alphabeta:depth=9,eval=lines"},
	{"connect4", "4455", "mcts:sims=5000,seed=1"},
	{"mnk:7,7,4", "d4 d5", "alphabeta:depth=4,eval=brute"},
	{"mnk:7,7,4", "d4 d5 e5", "alphabeta:depth=4,eval=chua,hash=0,pvs=off"},
	{"gomoku", "h8 h9 i9 g7", "alphabeta:depth=3,eval=brute"},
	{"gomoku", "h8 h9 i9 g7", "mics:nodes=3000,deepening=off"},
	{"renju", "h8 h9 i9 g7", "alphabeta:depth=2,eval=mics"},
	{"pente:13", "g7 g8 h8 f6", "alphabeta:depth=3,eval=brute"},
	{"connect6:13", "g7 g8 h8", "alphabeta:depth=2,eval=lines"},
	{"ultimate", "55 51 15", "minimax:depth=4,eval=indicators"},
	{"ultimate", "55 51 15", "mcts:sims=2000,seed=1"},
	{"atarigo", "e5 d5 d4", "alphabeta:depth=3"},
	{"mnk:70,70,10", "ai35 aj36", "mics:nodes=100,deepening=off"},
	{"gomoku", "h8 h9 i9 g7", "gomoku:depth=8"},
	{"renju", "h8 h9 i9 g7", "gomoku:depth=7"},
	{"caro", "h8 h9 i9 g7", "gomoku:depth=7"},
	{"mnk:7,7,4", "d4 d5", "gomoku:depth=6"},
}

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
		Short: "Search fixed positions and print the signature",
		Long: `Search fixed positions to fixed depths in one thread. The last line is the signature, the nodes of
all searches: the same signature means that a change did not change play.`,
		Example: "  krow bench\n  krow bench --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return bench(cmd) },
	}
}

func bench(cmd *cobra.Command) error {
	total, start := uint64(0), time.Now()
	for _, b := range benchmarks {
		best, info, err := b.search(cmd.Context())
		if err != nil {
			return err
		}
		total += info.Nodes
		if err := answer(cmd, benchJSON{b.game, b.moves, b.player, best, info.Nodes, info.Time.Milliseconds()},
			"%-12s %-44s %9d nodes  %s\n", b.game, b.player, info.Nodes, best); err != nil {
			return err
		}
	}
	d := time.Since(start)
	if !asJSON(cmd) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%.1f s, %s\n", d.Seconds(), rate(total, d))
	}
	return answer(cmd, signatureJSON{true, total, d.Milliseconds()}, "Bench: %d\n", total)
}

// signature returns the signature of this build.
func signature(ctx context.Context) (total uint64, err error) {
	for _, b := range benchmarks {
		_, info, err := b.search(ctx)
		if err != nil {
			return 0, err
		}
		total += info.Nodes
	}
	return total, nil
}

// search searches the position. An interrupted search is an error: its nodes mean nothing.
func (b benchmark) search(ctx context.Context) (best string, info search.Info, err error) {
	g, p, err := (&positionFlags{moves: b.moves}).load(b.game)
	if err != nil {
		return "", info, err
	}
	pl, err := catalog.Player(g, b.player, 1)
	if err != nil {
		return "", info, err
	}
	if info, err = pl.(player.Analyst).Analyze(ctx, p, search.Limits{}, nil); err != nil {
		return "", info, err
	}
	if ctx.Err() != nil {
		return "", info, errInterrupted
	}
	return g.Format(info.PV[0]), info, nil
}
