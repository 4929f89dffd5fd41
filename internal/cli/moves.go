// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/game"
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
		Long: `List the legal moves of a position, and those of them that lose at once because a rule forbids them
to the side to move.`,
		Example: `  krow moves connect4 --moves 4455
  krow moves renju --stones "h8 h9 g7 f7/a1 a2 a3 a4"`,
		Args:              exactly("GAME"),
		ValidArgsFunction: complete(completeGames),
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
