// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/server/match"
)

// maxWithin bounds --within: any score of a heuristic is within it.
const maxWithin = 1e9

var openingFormats = []string{"moves", "offset", "json"}

type openingsCommand struct {
	game, player, format, out string
	count, plies              int
	seed, nodes               uint64
	within                    float64
}

func newOpenings() *cobra.Command {
	var o openingsCommand
	cmd := &cobra.Command{
		Use:   "openings [GAME]",
		Short: "Find openings that give both sides the same chances",
		Long: `Find openings for matches. All stones but the last are drawn, near each other and the middle. The last one is
put where a player sees the most even game, and a search of --nodes confirms it. No opening is another one turned or
mirrored. krow match --openings reads the formats moves, a list of moves on each line, and offset, that of Gomocup:
x,y of each move, right and down from the centre.`,
		Example: `  krow openings --count 12 --out openings.txt
  krow openings renju --count 12 --seed 2026 --plies 6
  krow openings standard:20 --nodes 100000 --format offset`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.game = cmp.Or(strings.Join(args, ""), "gomoku")
			return o.run(cmd)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.count, "count", 10, "number of openings")
	f.IntVar(&o.plies, "plies", 5, "moves of each")
	f.Uint64Var(&o.seed, "seed", 1, "seed of what is drawn")
	f.Uint64Var(&o.nodes, "nodes", 20_000, "nodes of the search that confirms an opening, and of those that find it")
	f.Float64Var(&o.within, "within", 0.25, "how far from even an opening may be, in the player's unit")
	f.StringVar(&o.player, "player", "best", "player that says what is even")
	f.StringVar(&o.format, "format", "moves", "moves, offset or json")
	f.StringVar(&o.out, "out", "", "file to write, when all are found")
	completeFlag(cmd, "player", nothing)
	completeFlag(cmd, "format", fixed(openingFormats...))
	return cmd
}

func (o *openingsCommand) check(cmd *cobra.Command) error {
	if asJSON(cmd) {
		o.format = "json"
	}
	switch {
	case o.count < 1:
		return misusef("", "--count must be at least 1, not %d", o.count)
	case o.plies < 1:
		return misusef("", "--plies must be at least 1, not %d", o.plies)
	case o.nodes < 1:
		return misusef("", "--nodes must be at least 1")
	case !(o.within >= 0 && o.within <= maxWithin):
		return misusef("", "--within must be from 0 to %g, not %g", maxWithin, o.within)
	case !slices.Contains(openingFormats, o.format):
		return misusef(spec.Hint(o.format, openingFormats), "--format needs moves, offset or json, not %q", o.format)
	}
	return checkOut(o.out)
}

func (o *openingsCommand) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	g, err := krow.Game(o.game)
	if err != nil {
		return err
	}
	if o.format == "offset" {
		if _, err := notation.FormatOffsets(g, nil); err != nil {
			return misusef("", "%w", err)
		}
	}
	w := cmd.OutOrStdout()
	var file bytes.Buffer
	if o.out != "" {
		w = &file
	}
	all := match.Openings{Game: g, Player: o.player, Count: o.count, Plies: o.plies, Seed: o.seed, Nodes: o.nodes, Within: o.within}
	begun := false
	err = all.Find(cmd.Context(), func(found opening.Opening) error {
		if o.format == "moves" && !begun {
			begun = true
			fmt.Fprintf(w, "# %s\n", all)
		}
		return o.print(w, g, found)
	})
	switch {
	case errors.Is(err, match.ErrMute):
		return misusef("best is one that does", "%w", err)
	case errors.Is(err, context.Canceled):
		return errInterrupted
	case err == nil && o.out != "":
		return atomicfile.Write(o.out, file.Bytes())
	}
	return err
}

type openingJSON struct {
	Game  string  `json:"game"`
	Moves string  `json:"moves"`
	Plies int     `json:"plies"`
	Score float64 `json:"score"` // for the side to move
	Nodes uint64  `json:"nodes"` // of the search that gave the score
	Seed  uint64  `json:"seed"`
	Drawn int     `json:"drawn"` // index of the draw that produced it
}

func (o *openingsCommand) print(w io.Writer, g game.Game, found opening.Opening) error {
	text, err := notation.FormatMoves(g, found.Moves), error(nil)
	switch o.format {
	case "json":
		return printJSON(w, openingJSON{g.String(), text, len(found.Moves), found.Score.Units(), o.nodes, o.seed, found.Drawn})
	case "offset":
		text, err = notation.FormatOffsets(g, found.Moves)
	}
	if err == nil {
		_, err = fmt.Fprintln(w, text)
	}
	return err
}
