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

// Openings describes a search for openings in which both sides have equal chances in the judgement of a given
// player.
type Openings struct {
	Game         game.Game
	Player       string // spec of the player that judges
	Count, Plies int
	Seed, Nodes  uint64  // Nodes is the number of nodes of each search
	Within       float64 // maximum absolute score of an opening, in units: a score divided by eval.Unit
}

// ErrMute is wrapped by the error for a player that cannot give a score for a position.
var ErrMute = errors.New("does not report the value of a position")

// String describes the search, for the head of a file of openings.
func (o Openings) String() string {
	return fmt.Sprintf("%s: %d openings of %d plies, even within %g by %s at %d nodes, seed %d",
		o.Game, o.Count, o.Plies, o.Within, o.Player, o.Nodes, o.Seed)
}

// Find calls found with each opening. Equal settings find the same openings.
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
