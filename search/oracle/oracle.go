// SPDX-License-Identifier: Apache-2.0

// Package oracle solves a game by searching every position that can occur. It is slow, but simple and therefore reliable.
//
// Tests compare other searches with the results of this package.
//
// # Basics
//
//	r, err := oracle.Solve(p, 1_000_000)
//	fmt.Println(r.Score.Distance()) // 7 1: won in 7 plies by the side to move
//
// # Caveats
//
// The value of a position is stored under its Key, and repetitions are not detected, so no position may occur twice in a
// game. This is true of all games of krow. Memory grows with the number of positions: tic-tac-toe has 5478, and Connect Four
// on 4 x 4 has 161029.
package oracle

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

// ErrTooBig is returned by Solve if there are more positions than allowed.
var ErrTooBig = errors.New("too many positions")

// Value is a move and its score for the side to move. The score is 0 for a draw. The score of a win is for the fastest
// forced win, and the score of a loss is for the slowest loss.
type Value struct {
	Move  game.Move
	Score eval.Score
}

func byScore(a, b Value) int { return cmp.Compare(a.Score, b.Score) }

// Result is the solution of a position.
type Result struct {
	Best      Value   // the best move; among equal moves, the one with the lowest number
	Moves     []Value // every legal move, in increasing order
	Positions int     // number of different positions that can occur, including the solved position and finished games
}

// Of returns the score of m, and reports whether m is in r.Moves.
func (r Result) Of(m game.Move) (eval.Score, bool) {
	i := slices.IndexFunc(r.Moves, func(v Value) bool { return v.Move == m })
	if i < 0 {
		return 0, false
	}
	return r.Moves[i].Score, true
}

// Solve returns the solution of p, and leaves p unchanged. It returns game.ErrOver if the game is over, and an error that wraps
// ErrTooBig if there are more than maxPositions positions.
func Solve(p game.Position, maxPositions int) (Result, error) {
	if p.Outcome() != game.Ongoing {
		return Result{}, game.ErrOver
	}
	s := solver{p: p, memo: map[uint64]eval.Score{}, max: maxPositions}
	var values []Value
	for _, m := range p.AppendMoves(nil) {
		values = append(values, Value{m, s.after(m)})
	}
	if s.stopped {
		return Result{}, fmt.Errorf("%s has more than %d positions from here: %w", p.Game(), maxPositions, ErrTooBig)
	}
	// One is added for the root, which is not in the memo because no move leads to it.
	return Result{Best: slices.MaxFunc(values, byScore), Moves: values, Positions: len(s.memo) + 1}, nil
}

type solver struct {
	p game.Position
	// memo contains the value of each position for its side to move, with the distance counted from that position. It also contains
	// finished games, so that they are counted.
	memo    map[uint64]eval.Score
	max     int
	stopped bool
	moves   []game.Move // the moves of all positions from the root to the current one
}

// value returns the value of the position, in which the game is not over, for the side to move.
func (s *solver) value() eval.Score {
	if v, ok := s.memo[s.p.Key()]; ok {
		return v
	}
	start := len(s.moves)
	s.moves = s.p.AppendMoves(s.moves)
	v := -eval.Infinity
	for _, m := range s.moves[start:] {
		v = max(v, s.after(m))
	}
	s.moves = s.moves[:start]
	s.remember(v)
	return v
}

func (s *solver) after(m game.Move) eval.Score {
	if s.stopped {
		return 0
	}
	mover := s.p.Turn()
	s.p.Play(m)
	v := eval.Score(0)
	if o := s.p.Outcome(); o != game.Ongoing {
		v = eval.Outcome(o, mover, 0)
		s.remember(0)
	} else if v = s.value(); s.p.Turn() != mover {
		v = -v
	}
	s.p.Undo()
	return farther(v)
}

// remember stores the value of the position. If the memo is full, it stops the solver.
func (s *solver) remember(v eval.Score) {
	if len(s.memo) >= s.max {
		s.stopped = true
	}
	if !s.stopped {
		s.memo[s.p.Key()] = v
	}
}

// farther converts the score of a position to the score of the position one ply before it: the result is the same, and its
// distance is one ply greater.
func farther(v eval.Score) eval.Score {
	switch _, sign := v.Distance(); sign {
	case 1:
		return v - 1
	case -1:
		return v + 1
	}
	return v
}
