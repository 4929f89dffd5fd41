// SPDX-License-Identifier: Apache-2.0

package eval

import "github.com/krow-lab/krow/game"

// The interfaces in this file are optional: some evaluators have them, and callers assert them by name.
//
//	Incremental     generic (and brute, chua, shevchenko), lines, mics, indicators.Path
//	MoveScorer      indicators, lines, mics
//	PathDependent   indicators.Path

// Incremental is an Evaluator that follows a position instead of scanning it. Reset ties it to p. Then the caller must call
// Play(m) just before every p.Play(m), Undo just after every p.Undo, and Evaluate with that p. Values equal the values of a new
// evaluator, unless the evaluator is PathDependent.
type Incremental interface {
	Evaluator
	Reset(p game.Position)
	Play(m game.Move)
	Undo()
}

// MoveScorer values moves for the side to move, the greater the better.
type MoveScorer interface {
	// ScoreMove returns the worth of m, which is legal in p. It leaves p as it found it.
	ScoreMove(p game.Position, m game.Move) Score
}

// PathDependent is an Evaluator whose values depend on the moves since Reset, so that a transposition table must not keep them.
type PathDependent interface{ PathDependent() }
