// SPDX-License-Identifier: Apache-2.0

package player

import (
	"context"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/search"
)

// The interfaces in this file are optional: some players implement them, and callers test for them by type assertion. io.Closer
// and search.Timed are also optional.
//
//	Analyst             Searching, limited, proven, bots, UGI engines
//	Scaler              Searching, limited, proven, UGI engines
//	Scorer              Searching, UGI engines
//	Rememberer          bots, bots of other machines
//	Patient             bots of other machines
//	Starter, Clocked    Gomocup brains, UGI engines; Clocked also bots of other machines

// Analyst is a Player that can return a search's analysis: scores and lines in addition to its move.
type Analyst interface {
	Player
	// Analyze searches p as Move does, and calls report for each improved answer.
	Analyze(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error)
}

// Rememberer is a Player that may keep results of its thinking during a game: it plays better if one instance makes all moves of a
// game and is closed only when the game ends.
type Rememberer interface {
	Player
	Remembers() bool
}

// Patient is a Player that thinks on another machine. It may think until its clock runs out or, in games without clocks, for the
// time that Patience returns.
type Patient interface {
	Player
	Patience() time.Duration
}

// Starter is a Player that needs time before its first move. Start is called once before the clock runs. The errors of Start
// have the same meaning as the errors of Move.
type Starter interface {
	Player
	Start() error
}

// Clocked is a Player that manages its time itself in a game with clocks.
type Clocked interface {
	Player
	// SetClock sets the player's clock. It is called before Start and before each request for a move. From the clock the player
	// decides how long it thinks. The time limit of a request is only the maximum.
	SetClock(c clock.Clock)
}

// Scorer is a Player that knows the score of its moves.
type Scorer interface {
	Player
	// Last returns the analysis of the last move, and false if it has no score.
	Last() (search.Info, bool)
}

// Scaler is a Player that reports the scale of its scores: see UsualScale.
type Scaler interface{ Scale() float64 }
