// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/server/match"
)

// maxWithin is the maximum value of --within. It is greater than every score that a heuristic
// returns.
const maxWithin = 1e9

type openingsCommand struct {
	game, player, format string
	out                  outFlag
	count, plies         int
	seed, nodes          uint64
	within               float64
}

func newOpenings() *cobra.Command {
	var o openingsCommand
	cmd := &cobra.Command{
		Use:   "openings [GAME]",
		Short: "Find balanced openings for matches",
		Long: `Find openings for matches. All stones except the last are placed at random, near the centre and near each
other. The last stone is placed where the player finds the position most even; a search of --nodes nodes must confirm that
it is even. No two openings are equal by symmetry. There are two formats, and krow match --openings reads both. The format
moves has a list of moves on each line. The format offset, which Gomocup uses, has x,y for each move: the distances from
the centre to the right and down.`,
		Example: `  krow openings --count 12 --out openings.txt
  krow openings renju --count 12 --seed 2026 --plies 6
  krow openings standard:20 --nodes 100000 --format offset`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.game = cmp.Or(strings.Join(args, ""), "gomoku")
			return o.findOpenings(cmd)
		},
	}
	f := cmd.Flags()
	addNumber(cmd, &o.count, "count", 10, 1, 0, "number of openings")
	addNumber(cmd, &o.plies, "plies", 5, 1, 0, "moves of each opening")
	f.Uint64Var(&o.seed, "seed", 1, "seed of all random numbers")
	addNumber(cmd, &o.nodes, "nodes", 20_000, 1, 0, "nodes of the searches that find and confirm an opening")
	addNumber(cmd, &o.within, "within", 0.25, 0, maxWithin, "greatest score that counts as even, for either side, in the player's unit")
	f.StringVar(&o.player, "player", "best", "`PLAYER` that decides whether an opening is even")
	o.format = "moves"
	addChoice(cmd, &o.format, "format", "`FORMAT`: moves or offset", "moves", "offset")
	o.out.add(cmd, "out", "`FILE` to write after all openings are found (default standard output)")
	return cmd
}

func (o *openingsCommand) findOpenings(cmd *cobra.Command) error {
	if asJSON(cmd) {
		o.format = "json"
	}
	if err := o.out.checkFile(); err != nil {
		return err
	}
	g, err := krow.Game(o.game)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	var file bytes.Buffer
	if !o.out.stdout() {
		w = &file
	}
	all := match.Openings{Game: g, Player: o.player, Count: o.count, Plies: o.plies, Seed: o.seed, Nodes: o.nodes, Within: o.within}
	err = all.Write(cmd.Context(), w, o.format)
	switch {
	case errors.Is(err, match.ErrMute):
		return misusef("best is one that does", "%w", err)
	case errors.Is(err, context.Canceled):
		return errInterrupted
	case err == nil && !o.out.stdout():
		return o.out.write(cmd, file.Bytes())
	}
	return err
}
