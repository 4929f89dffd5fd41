// SPDX-License-Identifier: Apache-2.0

// Package eval defines the interface of heuristics, which value positions and moves. The packages below this one contain the
// heuristics.
//
// # Caveats
//
// The published heuristics weigh own and enemy threats differently, so Evaluate(p, s) is not -Evaluate(p, s.Other()). A search
// therefore calls Evaluate in every position with the side that is to move at the root.
package eval

import "github.com/krow-lab/krow/game"

// Score is a value in thousandths of the evaluator's unit. Thousandths are needed because some published parameters are
// fractions. A score beyond ±WinBound means that the game is won or lost: see Distance for the number of plies. No sum of
// parameters reaches WinBound.
type Score int64

// The scale of scores.
const (
	Unit     Score = 1000
	WinScore Score = 1 << 53 // score of a position in which the game is already won
	WinBound Score = 1 << 52
	Infinity Score = 1 << 54 // greater than any score

	// Won is the score of a game that is won in an unknown number of plies, and -Won is the score of a game that is lost in an
	// unknown number of plies. A win with a known distance has a greater score.
	Won = WinBound + 1
)

// Unknown is the distance of the score Won.
const Unknown = -1

// Win returns the score of a game that is won in the given number of plies.
func Win(plies int) Score { return WinScore - Score(plies) }

// Loss returns the score of a game that is lost in the given number of plies.
func Loss(plies int) Score { return Score(plies) - WinScore }

// Distance returns the number of plies, or Unknown, to a win (sign +1) or a loss (sign -1). The sign is 0 if the game is not
// decided.
func (s Score) Distance() (plies, sign int) {
	switch {
	case s == Won:
		return Unknown, 1
	case s == -Won:
		return Unknown, -1
	case s > WinBound:
		return int(WinScore - s), 1
	case s < -WinBound:
		return int(WinScore + s), -1
	}
	return 0, 0
}

// Opinion returns s limited to ±WinBound, because the value of a heuristic never proves a win or loss, even in a finished game.
func (s Score) Opinion() Score { return min(max(s, -WinBound), WinBound) }

// Units returns the score in the evaluator's unit.
func (s Score) Units() float64 { return float64(s) / float64(Unit) }

// Outcome returns the score for s of a game that has ended. The parameter plies is the number of plies from the root to the
// end.
func Outcome(o game.Outcome, s game.Side, plies int) Score {
	switch w, won := o.Winner(); {
	case !won:
		return 0
	case w == s:
		return Win(plies)
	}
	return Loss(plies)
}

// Evaluator values positions. Only one goroutine may use it.
type Evaluator interface {
	// Evaluate returns the value of p for s. The game may be over. Evaluate leaves p as it found it.
	Evaluate(p game.Position, s game.Side) Score
}

// None values every position at 0, so that a search distinguishes only finished games.
type None struct{}

// Evaluate returns 0.
func (None) Evaluate(game.Position, game.Side) Score { return 0 }
