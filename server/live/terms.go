// SPDX-License-Identifier: Apache-2.0

package live

import (
	"time"

	"github.com/krow-lab/krow/game/clock"
)

// Clock contains the times of each side in seconds. At most one of Turn and Seconds is set; if both are 0, there is no clock.
type Clock struct {
	Seconds   int `json:"seconds,omitempty" minimum:"0" maximum:"36000" doc:"seconds of each side for the whole game"`
	Increment int `json:"increment,omitempty" minimum:"0" maximum:"600" doc:"seconds added for each move"`
	Turn      int `json:"turn,omitempty" minimum:"0" maximum:"1209600" doc:"seconds for each move; a day is 86400"`
}

func (c Clock) control() clock.Control {
	seconds := func(n int) time.Duration { return time.Duration(n) * time.Second }
	return clock.Control{Match: seconds(c.Seconds), Increment: seconds(c.Increment), Turn: seconds(c.Turn), Reserve: reserve}
}

// GameTerms are the game, the clock and the rules that people agree on.
type GameTerms struct {
	Game   string `json:"game" maxLength:"100" example:"gomoku"`
	Start  string `json:"start,omitempty" maxLength:"8000" doc:"position that was set up, as links have it"`
	Clock  Clock  `json:"clock,omitzero"`
	Rated  bool   `json:"rated,omitempty"`
	Colour string `json:"colour,omitempty" enum:"random,first,second" doc:"side of the challenger"`
	Rule   string `json:"rule,omitempty" enum:"swap2,taraguchi10,soosyrv8" doc:"opening rule"`
	Delay  int    `json:"delay,omitempty" minimum:"0" maximum:"3600" doc:"seconds after which spectators see a move"`
}
