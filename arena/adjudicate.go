// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"fmt"
	"math"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
)

// Adjudication ends games before the rules do. Its zero value ends none.
type Adjudication struct {
	MaxPlies int `json:"max_plies,omitempty"` // the game is a draw after this number of plies, including the opening; 0 means no maximum
	// A player loses if both players, in Resign.Moves moves in a row, give that player a chance to win of at most Resign.Percent.
	// The game is a draw if both, in Draw.Moves moves in a row, give a chance from 50 - Draw.Percent to 50 + Draw.Percent. This
	// needs the scores of both players, so both must be a player.Scorer.
	Resign Agreement `json:"resign,omitzero"`
	Draw   Agreement `json:"draw,omitzero"`
}

// Agreement states in how many moves in a row both players must agree on the outcome. Percent is the maximum distance of
// their chances to win from that outcome: from 0 or 100 percent, or from 50 for a draw. If Moves is 0, no agreement ends a game.
type Agreement struct {
	Moves   int     `json:"moves"`
	Percent float64 `json:"percent"`
}

// String returns the text that ParseAgreement reads.
func (a Agreement) String() string { return fmt.Sprintf("%d,%g", a.Moves, a.Percent) }

// ParseAgreement reads an agreement such as 4,2.5: four moves in a row, at most 2.5 percent.
func ParseAgreement(text string) (a Agreement, err error) {
	if n, err := fmt.Sscanf(text, "%d,%g", &a.Moves, &a.Percent); n < 2 || err != nil || a.Moves < 1 || !(a.Percent >= 0 && a.Percent < 50) {
		return a, fmt.Errorf("%q is not a number of moves and a percentage below 50", text)
	}
	return a, nil
}

// referee adjudicates one game.
type referee struct {
	Adjudication
	agreed [3][2]int // by outcome in verdicts and by side: the number of moves in a row with which the side has agreed to the outcome
}

var verdicts = [3]game.Outcome{game.FirstWins, game.SecondWins, game.Draw}

// add notes the score of the move that side has just played.
func (r *referee) add(side game.Side, pl player.Player) {
	chance, known := 0.0, false
	if s, ok := pl.(player.Scorer); ok {
		if info, ok := s.Last(); ok {
			chance, known = 100*player.Chance(player.Scale(pl), info), true
		}
	}
	for i, o := range verdicts {
		agrees := math.Abs(chance-50) <= r.Draw.Percent
		switch o {
		case game.WinFor(side):
			agrees = chance >= 100-r.Resign.Percent
		case game.WinFor(side.Other()):
			agrees = chance <= r.Resign.Percent
		}
		if agrees && known {
			r.agreed[i][side]++
		} else {
			r.agreed[i][side] = 0
		}
	}
}

// decide adjudicates the game g, which has reached the position p, and reports whether it has ended the game.
func (r *referee) decide(p game.Position, g *record.Game) bool {
	for i, of := range r.agreed {
		needed := r.Resign.Moves
		if verdicts[i] == game.Draw {
			needed = r.Draw.Moves
		}
		if needed > 0 && min(of[0], of[1]) >= needed {
			g.Outcome, g.Reason = verdicts[i], record.ReasonAdjudicated+"both players agree"
			return true
		}
	}
	if r.MaxPlies > 0 && p.Ply() >= r.MaxPlies {
		g.Outcome, g.Reason = game.Draw, record.ReasonAdjudicated+"maximum plies"
		return true
	}
	return false
}
