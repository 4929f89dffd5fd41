// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/game"
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

func newMoves() *cobra.Command {
	var at positionFlags
	cmd := &cobra.Command{
		Use:   "moves GAME",
		Short: "List the legal and the forbidden moves of a position",
		Long: `List the legal moves of a position, and those of them that lose at once because a rule forbids them
to the side to move.`,
		Example: `  krow moves connect4 --moves 4455
  krow moves renju --stones "h8 h9 g7 f7/a1 a2 a3 a4"`,
		Args: exactly("GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, p, err := at.load(args[0])
			if err != nil {
				return err
			}
			legal := p.AppendMoves(nil)
			out := movesJSON{Legal: formatMoves(g, legal), Forbidden: forbidden(p, legal), Outcome: p.Outcome().String()}
			if asJSON(cmd) {
				return printJSON(cmd.OutOrStdout(), out)
			}
			w := cmd.OutOrStdout()
			fmt.Fprintf(w, "%s\n", out.Outcome)
			fmt.Fprintf(w, "%d legal: %s\n", len(legal), strings.Join(out.Legal, " "))
			for _, f := range out.Forbidden {
				fmt.Fprintf(w, "forbidden: %s (%s)\n", f.Move, f.Reason)
			}
			return nil
		},
	}
	at.add(cmd)
	return cmd
}

func forbidden(p game.Position, legal []game.Move) []forbiddenJSON {
	list := []forbiddenJSON{}
	f, ok := p.(game.Forbidder)
	if !ok {
		return list
	}
	for _, m := range legal {
		if reason := f.Forbidden(m); reason != "" {
			list = append(list, forbiddenJSON{p.Game().Format(m), reason})
		}
	}
	return list
}
