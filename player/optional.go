// SPDX-License-Identifier: Apache-2.0

package player

import (
	"context"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/search"
)

// The interfaces in this file are optional: some players have them, and callers assert them by name. io.Closer and search.Timed
// are optional too.
//
//	Analyst             Searching, limited, proven, bots, UGI engines
//	Scaler              Searching, limited, proven
//	Rememberer          bots, bots of other machines
//	Patient             bots of other machines
//	Starter, Clocked    Gomocup brains, UGI engines; Clocked also bots of other machines

// Analyst is a Player that can return a search's analysis: scores and lines in addition to its move.
type Analyst interface {
	Player
	// Analyze searches p as Move does, and calls report for each improved answer.
	Analyze(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error)
}

// Rememberer is a Player that may keep results of its thinking during a game: it plays better if one instance is asked for all its
// moves and closed only when the game ends.
type Rememberer interface {
	Player
	Remembers() bool
}

// Patient is a Player that thinks on another machine. It may take until its clock runs out or, in games without clocks, for the
// returned time.
type Patient interface {
	Player
	Patience() time.Duration
}

// Starter is a Player that needs time before its first move. Start is called once before the clock runs; its errors mean the same
// as those of Move.
type Starter interface {
	Player
	Start() error
}

// Clocked is a Player that plans its time by itself in a game with clocks, such as a program with a clock of its own.
type Clocked interface {
	Player
	// SetClock sets the player's clock. It is called before Start and before each question; the time limit of a question is then
	// the most that its answer may take.
	SetClock(c clock.Clock)
}

// Scaler is a Player that names the scale of its scores: see UsualScale.
type Scaler interface{ Scale() float64 }
