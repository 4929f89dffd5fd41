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

// Analyst is a Player that can tell what it thinks.
type Analyst interface {
	Player
	// Analyze searches p as Move does, and calls report for each improved answer.
	Analyze(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error)
}

// Rememberer is a Player that may remember what it thought in its game: it plays better if it is asked for all its moves, and is
// closed only when the game ends.
type Rememberer interface {
	Player
	Remembers() bool
}

// Patient is a Player that does not think on this machine. It may take until its clock is out, or this long where there is none.
type Patient interface {
	Player
	Patience() time.Duration
}

// Starter is a Player that needs time before its first move. Start is called once before the clock runs; an error means
// what one of Move means.
type Starter interface {
	Player
	Start() error
}

// Clocked is a Player that plans its time by itself in a game with clocks, such as a program with a clock of its own.
type Clocked interface {
	Player
	// SetClock tells the player's clock, before Start and each question, whose limit of time is then the most it may
	// take.
	SetClock(c clock.Clock)
}

// Scaler is a Player that names the scale of its scores: see UsualScale.
type Scaler interface{ Scale() float64 }
