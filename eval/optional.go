// SPDX-License-Identifier: Apache-2.0

package eval

import "github.com/krow-lab/krow/game"

// The interfaces in this file are optional. Only some evaluators implement them, and callers check for them with a type assertion:
//
//	Incremental     generic (and brute, chua, shevchenko), lines, mics, indicators.Path
//	MoveScorer      indicators, lines, mics
//	PathDependent   indicators.Path

// Incremental is an Evaluator that can follow the moves of a position, so that it need not scan the board each time. Reset makes
// it follow p. From then on the caller must call Play(m) just before every p.Play(m), and Undo just after every p.Undo.
// Evaluate(p, s) returns the same value as a new evaluator would, unless the evaluator is PathDependent.
type Incremental interface {
	Evaluator
	Reset(p game.Position)
	Play(m game.Move)
	Undo()
}

// MoveScorer values moves for the side to move; a better move has a greater value.
type MoveScorer interface {
	// ScoreMove returns the value of m, which must be legal in p. It leaves p unchanged.
	ScoreMove(p game.Position, m game.Move) Score
}

// PathDependent is an Evaluator whose values depend on the moves since Reset. A search must not store such values in a
// transposition table.
type PathDependent interface{ PathDependent() }
