// SPDX-License-Identifier: Apache-2.0

package match

import (
	"encoding/json"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/server/store"
)

// PlayedGame is a game of a match or a league, as the page shows it.
type PlayedGame struct {
	ID      int64     `json:"id" doc:"ID of a league's game; in a match its number, from 1"`
	Round   int       `json:"round,omitempty" doc:"round of a league"`
	First   string    `json:"first" doc:"player who moved first"`
	Second  string    `json:"second"`
	Opening int       `json:"opening" doc:"number of opening moves, which no player chose"`
	Moves   string    `json:"moves"`
	Outcome string    `json:"outcome"`
	Winner  string    `json:"winner,omitempty"`
	Reason  string    `json:"reason" doc:"win, draw, or why a player forfeited"`
	Forfeit bool      `json:"forfeit,omitempty"`
	Played  time.Time `json:"played,omitzero"`
	Drawn   []Drawn   `json:"drawn,omitempty" doc:"the drawings of bots, in the latest games of leagues"`
}

// Drawn contains the marks that a bot drew on the board while it thought about a move.
type Drawn struct {
	Ply   int        `json:"ply" doc:"number of moves before the move"`
	Marks []bot.Mark `json:"marks" nullable:"false"`
}

// View returns a stored game as the page shows it.
func View(g store.Game) PlayedGame {
	v := PlayedGame{
		ID: g.Number, Round: g.Round, First: g.First, Second: g.Second, Opening: g.Opening, Moves: g.Moves,
		Outcome: g.Outcome, Reason: g.Reason, Forfeit: record.Game{Reason: g.Reason}.Forfeited(), Played: g.Created.UTC(),
	}
	switch g.Outcome {
	case game.FirstWins.String():
		v.Winner = g.First
	case game.SecondWins.String():
		v.Winner = g.Second
	}
	if len(g.Extra) > 0 && json.Unmarshal(g.Extra, &v.Drawn) != nil {
		v.Drawn = nil // the stored drawings are damaged, so the game is shown without them
	}
	return v
}
