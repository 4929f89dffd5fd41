// SPDX-License-Identifier: Apache-2.0

package request

import (
	"time"

	"github.com/krow-lab/krow/app/diagram"
)

// Summary describes a game in a list of games.
type Summary struct {
	ID      string    `json:"id"`
	Game    string    `json:"game"`
	First   string    `json:"first" doc:"spec of the player"`
	Second  string    `json:"second" doc:"spec of the player"`
	Plies   int       `json:"plies"`
	Outcome string    `json:"outcome" enum:"ongoing,first wins,second wins,draw,aborted"`
	Reason  string    `json:"reason,omitempty"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`

	Visibility string `json:"visibility" enum:"private,link,public"`
}

// Game is a game played at the board of the page, in progress or finished.
type Game struct {
	Summary
	Start    string        `json:"start,omitempty" doc:"position that was set up, as links have it"`
	Moves    []string      `json:"moves" nullable:"false"`
	Board    diagram.Board `json:"board"`
	Thinking bool          `json:"thinking" doc:"whether a computer player is choosing its move"`
	Clock    *ClockView    `json:"clock,omitempty"`
}

// ClockView is a clock at the moment of the request.
type ClockView struct {
	Clock
	Left    []int64 `json:"left" nullable:"false" doc:"milliseconds left for the first and the second side"`
	Running bool    `json:"running" doc:"whether the clock of the side to move is running"`
}
