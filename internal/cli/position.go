// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// positionFlags are the flags that say which position of a game is meant.
type positionFlags struct{ moves, stones, turn, captures string }

func (f *positionFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.moves, "moves", "", `moves from the start, such as "h8 h9" or 4455`)
	flags.StringVar(&f.stones, "stones", "", `stones of the first side, a slash, of the second: "h8 i9/h9"`)
	flags.StringVar(&f.turn, "turn", "", "side to move with --stones: first or second (default from the counts)")
	flags.StringVar(&f.captures, "captures", "", "pairs captured by each side with --stones, such as 1,0 (pente)")
	completeFlag(cmd, "turn", fixed("first", "second"))
	for _, name := range []string{"moves", "stones", "captures"} {
		completeFlag(cmd, name, nothing)
	}
}

// position returns the position that the flags describe: the stones, if any, then the moves.
func (f *positionFlags) position(g game.Game) (game.Position, error) {
	p := g.Start()
	switch {
	case f.stones != "":
		var err error
		p, err = notation.ParseStones(g, f.stones, notation.StonesOptions{Turn: f.turn, Captures: f.captures})
		if err != nil {
			return nil, &misuse{err, stonesHint(err)}
		}
	case f.turn != "" || f.captures != "":
		return nil, misusef("", "--turn and --captures need --stones")
	}
	if err := notation.Play(p, f.moves); err != nil {
		return nil, &misuse{err: err}
	}
	return p, nil
}

func stonesHint(err error) string {
	switch {
	case errors.Is(err, notation.ErrTurn):
		return "give --turn first or second"
	case errors.Is(err, notation.ErrStones):
		return "give its moves with --moves"
	}
	return ""
}

// load returns the game that text names and the position of the flags.
func (f *positionFlags) load(text string) (game.Game, game.Position, error) {
	g, err := catalog.Game(text)
	if err != nil {
		return nil, nil, err
	}
	p, err := f.position(g)
	return g, p, err
}
