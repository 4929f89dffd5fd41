// SPDX-License-Identifier: Apache-2.0

package request

import (
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/player/opening"
)

// Clock contains the times of each side in seconds. At most one of Turn and Seconds is set; if both are 0, there is no clock.
type Clock struct {
	Seconds   int `json:"seconds,omitempty" minimum:"0" maximum:"36000" doc:"seconds of each side for the whole game"`
	Increment int `json:"increment,omitempty" minimum:"0" maximum:"600" doc:"seconds added for each move"`
	Turn      int `json:"turn,omitempty" minimum:"0" maximum:"1209600" doc:"seconds for each move; a day is 86400"`
}

// The classes of speed, by the time that a clock gives a side for 40 moves. Each game has separate ratings in
// each class.
const (
	Bullet         = "bullet"         // under 3 minutes
	Blitz          = "blitz"          // under 8 minutes
	Rapid          = "rapid"          // under 25 minutes
	Classical      = "classical"      // 25 minutes or more
	Correspondence = "correspondence" // a day or more for a move, or no clock
)

// usualMoves is the number of moves of a side for which Speed computes the time.
const usualMoves = 40

// Speed returns the class of a clock, by the time that a side has for 40 moves.
func (c Clock) Speed() string {
	const minute, day = 60, 24 * 60 * 60
	total := c.Seconds + usualMoves*c.Increment
	if c.Turn > 0 {
		total = usualMoves * c.Turn
	}
	switch {
	case total == 0 || c.Turn >= day:
		return Correspondence
	case total < 3*minute:
		return Bullet
	case total < 8*minute:
		return Blitz
	case total < 25*minute:
		return Rapid
	}
	return Classical
}

// GameTerms say what is to be played: a game, its clock, and the rules that people agree on. In a game against a computer player
// nobody agrees on a rating, an opening rule or a delay.
type GameTerms struct {
	Game   string `json:"game" maxLength:"100" example:"gomoku"`
	Start  string `json:"start,omitempty" maxLength:"8000" doc:"position that was set up, as links have it"`
	Clock  Clock  `json:"clock,omitzero"`
	Rated  bool   `json:"rated,omitempty"`
	Colour string `json:"colour,omitempty" enum:"random,first,second" doc:"side of the challenger"`
	Rule   string `json:"rule,omitempty" enum:"swap,swap2,taraguchi10,soosyrv8" doc:"opening rule"`
	Delay  int    `json:"delay,omitempty" minimum:"0" maximum:"3600" doc:"seconds after which spectators see a move"`
}

var errTerms = fault.New("bad-terms", "no game is played by these terms")

// Check returns an error if people cannot play a game by the terms t, and sets t.Game to the full name of the game.
func (t *GameTerms) Check() error {
	b, err := PositionOf(t.Game, t.Start, "")
	if err != nil {
		return err
	}
	t.Game = b.Game().String()
	switch {
	case b.Outcome() != game.Ongoing:
		return fault.Errorf("%w: the game is over in this position", errTerms)
	case t.Rule != "" && t.Start != "":
		return fault.Errorf("%w: an opening rule needs an empty board", errTerms)
	case t.Rated && (t.Start != "" || t.Clock == Clock{}):
		return fault.Errorf("%w: a rated game needs an empty board and clocks", errTerms)
	case t.Colour != "" && !slices.Contains([]string{"random", "first", "second"}, t.Colour):
		return fault.Errorf("%w: the colour must be random, first or second", errTerms)
	}
	if t.Rule != "" {
		if _, err := opening.NewSession(t.Rule, b); err != nil {
			return fault.Errorf("%w: %w", errTerms, err)
		}
	}
	return t.Clock.checkTimes()
}

// CheckAlone returns an error if a person cannot play a game against a computer player by the terms t.
func (t *GameTerms) CheckAlone() error {
	if t.Rated || t.Colour != "" || t.Rule != "" || t.Delay != 0 {
		return fault.Errorf("%w: two people agree on a rating, a colour, an opening rule or a delay by a challenge", errTerms)
	}
	return t.Clock.checkTimes()
}

// checkTimes returns an error if no game can be played with the times of c.
func (c Clock) checkTimes() error {
	switch {
	case c.Turn > 0 && (c.Seconds > 0 || c.Increment > 0):
		return fault.Errorf("%w: a clock can be for each move or for the whole game, not for both", errTerms)
	case c.Turn > 0 && c.Turn < 3, c.Seconds > 0 && c.Seconds < 10, c.Increment > 0 && c.Seconds == 0:
		return fault.Errorf("%w: a side needs at least 10 seconds for the game or 3 seconds for each move", errTerms)
	}
	return nil
}
