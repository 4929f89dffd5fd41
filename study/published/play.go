// SPDX-License-Identifier: Apache-2.0

package published

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search/alphabeta"
)

// Terminal says what a finished game is worth to the searches.
type Terminal uint8

// The readings of a finished game.
const (
	Eval  Terminal = iota // what the heuristic says of it, as the texts write
	Exact                 // won, lost or drawn, with its distance
)

// String returns "eval" or "exact".
func (t Terminal) String() string { return [...]string{"eval", "exact"}[t&1] }

// search returns what the search calls t.
func (t Terminal) search() alphabeta.Terminal {
	return [...]alphabeta.Terminal{Eval: alphabeta.Eval, Exact: alphabeta.Exact}[t&1]
}

// Update returns the parameters that the player goes on with after a move of its own: w were those that chose
// it, p is the position after it, which may be over. It leaves p as it found it, and makes new vectors
// where they change.
type Update func(w generic.Weights, p game.Position) (generic.Weights, error)

// Variant is how the experiment is read. Its zero value is what the texts write.
type Variant struct {
	Terminal Terminal
	// Update is nil where the player keeps its learned parameters ("frozen"). Otherwise they are those that
	// each game begins with, and the player learns on after each move of its own ("online").
	Update Update
}

// String returns the variant's name, such as "eval,frozen".
func (v Variant) String() string {
	if v.Update != nil {
		return v.Terminal.String() + ",online"
	}
	return v.Terminal.String() + ",frozen"
}

// Effort is what one side's moves took. Times are not in it, since no two runs agree in them: see [Time].
type Effort struct {
	Moves int    `json:"moves"`
	Nodes uint64 `json:"nodes"`
}

// Result is a game played for a cell.
type Result struct {
	Verdict  Verdict  `json:"verdict"` // for the player
	Moves    []string `json:"moves"`   // in the game's notation
	Player   Effort   `json:"player"`
	Opponent Effort   `json:"opponent"`
}

// Plies returns the length of the game.
func (r Result) Plies() int { return len(r.Moves) }

// Play plays the game of a cell, the player with the learned weights. Same arguments, same game. A ctx that is
// done is an error.
func Play(ctx context.Context, c Cell, learned generic.Weights, v Variant) (Result, error) {
	r, err := play(ctx, c, learned, v)
	if err != nil {
		return Result{}, fmt.Errorf("table %s, %s: %w", c.Table, c.Game, err)
	}
	return r, nil
}

func play(ctx context.Context, c Cell, learned generic.Weights, v Variant) (r Result, err error) {
	g, err := c.game()
	if err != nil {
		return r, err
	}
	player, opponent, err := seats(g, c, learned, v)
	if err != nil {
		return r, err
	}
	p := g.Start()
	for p.Outcome() == game.Ongoing {
		mover := opponent
		if p.Turn() == c.seat() {
			mover = player
		}
		m, err := mover.play(ctx, p)
		if err != nil {
			return r, fmt.Errorf("ply %d: %w", len(r.Moves)+1, err)
		}
		r.Moves = append(r.Moves, g.Format(m))
	}
	r.Verdict = verdict(p.Outcome(), c.seat())
	r.Player, r.Opponent = player.Effort, opponent.Effort
	return r, nil
}

// seats returns the two sides of a cell.
func seats(g game.Game, c Cell, learned generic.Weights, v Variant) (player, opponent *side, err error) {
	w, err := weightsOf(c.Player, c.K, learned)
	if err != nil {
		return nil, nil, err
	}
	if player, err = newSide(g, w, v); err != nil {
		return nil, nil, err
	}
	player.update = v.Update
	if w, err = weightsOf(c.Opponent, c.K, learned); err != nil {
		return nil, nil, err
	}
	opponent, err = newSide(g, w, v)
	return player, opponent, err
}

// seat returns where the player sits.
func (c Cell) seat() game.Side {
	if c.MovesFirst {
		return game.First
	}
	return game.Second
}

func verdict(o game.Outcome, s game.Side) Verdict {
	switch w, won := o.Winner(); {
	case !won:
		return Draw
	case w == s:
		return Win
	}
	return Loss
}
