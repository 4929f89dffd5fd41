// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/notation"
)

type forbiddenJSON struct {
	Move   string `json:"move"`
	Reason string `json:"reason"`
}

type movesJSON struct {
	Legal     []string        `json:"legal"`
	Forbidden []forbiddenJSON `json:"forbidden"`
	Outcome   string          `json:"outcome"`
}

func newMovesJSON(p game.Position) movesJSON {
	legal := p.AppendMoves(nil)
	v := movesJSON{Legal: notation.MoveNames(p.Game(), legal), Forbidden: []forbiddenJSON{}, Outcome: p.Outcome().String()}
	for m, why := range game.Forbidden(p, legal) {
		v.Forbidden = append(v.Forbidden, forbiddenJSON{p.Game().Format(m), why})
	}
	return v
}

func newMoves() *cobra.Command {
	var at positionFlags
	cmd := &cobra.Command{
		Use:   "moves GAME",
		Short: "List the legal and the forbidden moves of a position",
		Long: `List the legal moves of a position. Then list the forbidden moves among them, which lose at once by a rule such as
renju's.`,
		Example: `  krow moves connect4 --moves 4455
  krow moves renju --stones "h8 h9 g7 f7/a1 a2 a3 a4"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, p, err := at.load(args[0])
			if err != nil {
				return err
			}
			out := newMovesJSON(p)
			if asJSON(cmd) {
				return printJSON(cmd.OutOrStdout(), out)
			}
			printMoves(cmd.OutOrStdout(), out)
			return nil
		},
	}
	at.add(cmd)
	return cmd
}

func printMoves(w io.Writer, m movesJSON) {
	fmt.Fprintln(w, m.Outcome)
	if len(m.Legal) > 0 {
		fmt.Fprintf(w, "%d legal: %s\n", len(m.Legal), strings.Join(m.Legal, " "))
	}
	for _, f := range m.Forbidden {
		fmt.Fprintf(w, "forbidden: %s (%s)\n", f.Move, f.Reason)
	}
}

type perftJSON struct {
	Depth int    `json:"depth"`
	Nodes uint64 `json:"nodes"`
}

func newPerft() *cobra.Command {
	var at positionFlags
	cmd := &cobra.Command{
		Use:   "perft GAME DEPTH",
		Short: "Count the sequences of DEPTH moves from a position",
		Long: `Count the sequences of exactly DEPTH moves from a position. Games that end earlier do not count. Forbidden moves
are also counted: such a move ends its game.`,
		Example: `  krow perft tictactoe 9
  krow perft connect4 4 --moves 4455`,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, p, err := at.load(args[0])
			if err != nil {
				return err
			}
			depth, err := strconv.Atoi(args[1])
			if err != nil || depth < 0 {
				return misusef("", "DEPTH must be a whole number from 0, not %q", args[1])
			}
			start := time.Now()
			nodes, err := perft(cmd.Context(), p, depth)
			if err != nil {
				return err
			}
			if d := time.Since(start); !asJSON(cmd) {
				fmt.Fprintf(cmd.ErrOrStderr(), "depth %d, %.1f s, %s\n", depth, d.Seconds(), humanize.Rate(nodes, d))
			}
			return printAnswer(cmd, perftJSON{depth, nodes}, "%d\n", nodes)
		},
	}
	at.add(cmd)
	return cmd
}

// perft returns the number of positions after depth plies. It counts in a separate goroutine, because the count cannot be
// stopped: after Ctrl-C perft returns at once, and the count continues until the process ends.
func perft(ctx context.Context, p game.Position, depth int) (uint64, error) {
	counted := make(chan uint64, 1)
	go func() { counted <- game.Perft(p, depth) }()
	select {
	case n := <-counted:
		return n, nil
	case <-ctx.Done():
		return 0, errInterrupted
	}
}
