// SPDX-License-Identifier: Apache-2.0

package match

import (
	"context"
	"errors"
	"fmt"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// Openings are openings for matches that give both sides the same chances, as a player sees it.
type Openings struct {
	Game         game.Game
	Player       string // its spec
	Count, Plies int
	Seed, Nodes  uint64  // nodes of each search
	Within       float64 // how far from even an opening may be, in the player's unit
}

// ErrMute is wrapped by the error for a player that does not say what a position is worth.
var ErrMute = errors.New("does not say what a position is worth")

// String says where the openings come from.
func (o Openings) String() string {
	return fmt.Sprintf("%s: %d openings of %d plies, even within %g by %s at %d nodes, seed %d",
		o.Game, o.Count, o.Plies, o.Within, o.Player, o.Nodes, o.Seed)
}

// Find calls found for each opening. The same openings are found again.
func (o Openings) Find(ctx context.Context, found func(opening.Opening) error) error {
	p, err := krow.Player(o.Game, o.Player, o.Seed)
	if err != nil {
		return err
	}
	defer player.Close(p)
	judge, ok := p.(player.Analyst)
	if !ok {
		return fmt.Errorf("%s %w", o.Player, ErrMute)
	}
	return opening.Find(ctx, o.Game, opening.By(judge), opening.Wanted{
		Count: o.Count, Plies: o.Plies, Seed: o.Seed, Limits: search.Limits{Nodes: o.Nodes}, Within: eval.Score(o.Within * float64(eval.Unit)),
	}, found)
}
