// SPDX-License-Identifier: Apache-2.0

// Package oracle solves a game by looking at every position that can arise: slow, obvious and right.
//
// The other searches are tested against it. It is also a player of very small games.
//
// # Basics
//
//	r, err := oracle.Solve(p, 1_000_000)
//	fmt.Println(r.Score.Distance()) // 7 1: won in 7 plies by the side to move
//
// # Caveats
//
// A position is remembered by its Key, so a game must never come back to a position that it has left. No game of this
// family does. Memory grows with the positions: tic-tac-toe has 5478 of them, and Connect Four on 4 x 4 has 161029.
package oracle

import (
	"context"
	"errors"
	"fmt"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// ErrTooBig is returned by Solve when there are more positions than it may look at.
var ErrTooBig = errors.New("too many positions")

// Value is what a move is worth to the side to move: 0 for a draw, otherwise a win in the fewest plies or a
// loss in the most.
type Value struct {
	Move  game.Move
	Score eval.Score
}

// Result is the solution of a position.
type Result struct {
	Best      Value   // the first best move in move order
	Moves     []Value // every legal move, in move order
	Positions int     // different positions met, with the first one and the finished ones
}

// Of returns the score of m, and whether m is among the moves.
func (r Result) Of(m game.Move) (eval.Score, bool) {
	for _, v := range r.Moves {
		if v.Move == m {
			return v.Score, true
		}
	}
	return 0, false
}

// Solve returns the solution of p, which it leaves as it was. It returns game.ErrOver when p is over, and an error that wraps
// ErrTooBig when there are more than maxPositions positions.
func Solve(p game.Position, maxPositions int) (Result, error) {
	if p.Outcome() != game.Ongoing {
		return Result{}, game.ErrOver
	}
	s := newSolver(p, maxPositions, search.NewBudget(context.Background(), search.Limits{}))
	values := s.solve(p.AppendMoves(nil), func([]Value) {})
	if s.stopped {
		return Result{}, fmt.Errorf("%s has more than %d positions from here: %w", p.Game(), maxPositions, ErrTooBig)
	}
	// The root itself is counted, though nothing leads back to it.
	return Result{Best: best(values), Moves: values, Positions: len(s.memo) + 1}, nil
}

// best returns the first of the greatest values.
func best(values []Value) Value {
	b := values[0]
	for _, v := range values[1:] {
		if v.Score > b.Score {
			b = v
		}
	}
	return b
}

// solver walks the whole tree below p.
type solver struct {
	p game.Position
	// memo holds the value of each position for its side to move, with distances from there. Finished games are in it to be
	// counted.
	memo    map[uint64]eval.Score
	max     int
	budget  *search.Budget
	stopped bool
	moves   []game.Move // of all positions from the root to this one
}

func newSolver(p game.Position, maxPositions int, b *search.Budget) *solver {
	return &solver{p: p, memo: map[uint64]eval.Score{}, max: maxPositions, budget: b}
}

// solve returns the values of these moves of the root, and calls found with those so far whenever one is known. When the
// solver is stopped some are missing.
func (s *solver) solve(moves []game.Move, found func([]Value)) []Value {
	var values []Value
	for _, m := range moves {
		v := s.after(m)
		if s.stopped {
			break
		}
		values = append(values, Value{m, v})
		found(values)
	}
	return values
}

// value returns what the position, which is ongoing, is worth to the side to move.
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

// after returns what m is worth to the side that makes it.
func (s *solver) after(m game.Move) eval.Score {
	if s.stopped {
		return 0
	}
	mover := s.p.Turn()
	s.p.Play(m)
	s.stopped = s.budget.Step()
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

// remember keeps the value of the position. Where there is no room it stops the solver.
func (s *solver) remember(v eval.Score) {
	if len(s.memo) >= s.max {
		s.stopped = true
	}
	if !s.stopped {
		s.memo[s.p.Key()] = v
	}
}

// farther returns the score of the same result one ply later.
func farther(v eval.Score) eval.Score {
	switch _, sign := v.Distance(); sign {
	case 1:
		return v - 1
	case -1:
		return v + 1
	}
	return v
}
