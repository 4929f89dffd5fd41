// SPDX-License-Identifier: Apache-2.0

package request

import (
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
)

// Human is the spec that stands for a person.
const Human = "human"

// ReasonResigned is the reason of a game that ended by a resignation. Package record has the other reasons.
const ReasonResigned = "resigned"

// These errors are returned if a requested change of a game is not possible. The game is then unchanged.
var (
	ErrChanged     = fault.New("changed", "the game has changed meanwhile")
	ErrTurn        = fault.New("not-your-turn", "it is not a person's turn")
	ErrNoTakeback  = fault.New("no-takeback", "there is no move to take back")
	ErrClocked     = fault.New("no-takeback", "no move is taken back in a game with clocks")
	ErrNoResigning = fault.New("no-resigning", "the game is over, or no person plays it")
	ErrInTime      = fault.New("in-time", "nobody is out of time")
)

// TakeBack takes back at least one move of p, and then more moves until a person is to move. players contains the specs of both
// sides. It does not take back the first moves of the game, whose number is opening. It also works after the end of the game.
func TakeBack(p game.Position, players [2]string, opening int) error {
	moves := len(p.AppendHistory(nil))
	if moves <= opening {
		return ErrNoTakeback
	}
	for undone := false; moves > opening && !(undone && players[p.Turn()] == Human); undone = true {
		p.Undo()
		moves--
	}
	return nil
}

// Resigning returns the side that loses if a person resigns now: the side to move or, if a computer player is to move, the
// other side. The parameter ongoing is true while the game is in progress. The board b alone does not show this, because a game
// can also end for another reason, for example if a side runs out of time.
func Resigning(b game.Board, players [2]string, ongoing bool) (loser game.Side, err error) {
	loser = b.Turn()
	if players[loser] != Human {
		loser = loser.Other()
	}
	if !ongoing || players[loser] != Human {
		return loser, ErrNoResigning
	}
	return loser, nil
}
