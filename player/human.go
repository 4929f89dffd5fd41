// SPDX-License-Identifier: Apache-2.0

package player

import (
	"context"
	"errors"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Human is a person: whoever shows the board asks for the moves and never calls Move.
type Human struct{}

// Name returns "human".
func (Human) Name() string { return "human" }

// Move returns an error: nobody is sitting there.
func (Human) Move(context.Context, game.Position, search.Limits) (game.Move, error) {
	return game.NoMove, errors.New("a person cannot play here")
}
