// SPDX-License-Identifier: Apache-2.0

// Package connect4 solves Connect Four exactly: any number of columns and rows that fits, any k.
//
// # Basics
//
//	s, err := connect4.New(7, 6, 4, connect4.Options{})
//	p, err := s.Start().Play(3) // columns are counted from 0
//	r := s.Solve(ctx, p)
//	fmt.Println(r.Lower, r.Exact()) // -1 true: the side to move loses with the last stone
//
// # Scores
//
// The usual ones: a win is worth half of the cells, plus one, less the stones that the winner will have
// placed (rounded down where the cells are odd in number); a draw 0, a loss the winner's score, negative.
// A score is for the side to move. [Solver.Plies] turns it into a distance.
//
// # How
//
// Null windows, from the extremes to the middle, since short wins are cheap to find there; alpha-beta below.
// A position is looked at by its parent before it is entered: moves that are forced are played, the side that
// may answer every stone in its column bounds the score, and the table is asked; most positions are done
// with then, and never entered. A node is a position entered.
//
// # Caveats
//
// A Solver is for one goroutine. With one thread it is deterministic; with more, scores are the same and
// node counts and lines are not.
//
// CITE: Allis, A Knowledge-based Approach of Connect-Four, 1988 (claimeven and the other rules of replying).
// CITE: Tromp, The Fhourstones benchmark, 1996 (bit boards with a spare bit, work-based replacement).
// CITE: Pons, Solving Connect 4: how to build a perfect AI, 2019 (null windows by bisection, order by threats).
// CITE: Steininger, c4, 2025 (forced moves and claimeven at each node, 8-byte entries with work).
package connect4

//go:generate go run gen.go

import (
	"errors"
	"fmt"
)

// Options say what to solve and with what. The zero value is the usual solver.
type Options struct {
	Weak     bool // win, draw or loss only
	NoParity bool // without the bounds of parity.go: slower, for a check that does not rest on them
	Threads  int  // that share the table; 0 means 1
	Hash     int  // bytes of the table at most; 0 means 64 MiB
}

const defaultHash = 64 << 20

// ErrTooBig is returned by New for a board that does not fit into the solver's words.
var ErrTooBig = errors.New("board too big for the solver")

// Solver solves positions of one size of board.
type Solver struct {
	// Report, unless it is nil, is called by Solve whenever its bounds have become tighter, and every so often
	// with the nodes so far, of one thread. It must not use the Solver but for Save when the bounds are new.
	Report func(Result)

	// Book, unless it is nil, is asked before anything is searched. It is of the Solver's game.
	Book *Book

	g    wideGeometry
	core solverCore
}

// New returns a Solver with an empty table. k is at least 2.
func New(columns, rows, k int, o Options) (*Solver, error) {
	if columns < 1 || rows < 1 || k < 2 {
		return nil, fmt.Errorf("connect four on %d x %d with %d in a row: no such game to solve", columns, rows, k)
	}
	stride, ok := fits(columns, rows)
	if !ok {
		return nil, fmt.Errorf("%d x %d: %w, which holds %d bits", columns, rows, ErrTooBig, wideBoardBits)
	}
	if o.Hash <= 0 {
		o.Hash = defaultHash
	}
	s := &Solver{g: newWideGeometry(columns, rows, k)}
	if columns*int(stride) <= boardBits {
		s.core = newCore(columns, rows, k, o)
	} else {
		s.core = newWideCore(columns, rows, k, o)
	}
	return s, nil
}

// fits returns the stride of a board of that size, and whether it fits at all.
func fits(columns, rows int) (stride uint, ok bool) {
	if columns <= 8 && rows <= 7 {
		return 8, true
	}
	return uint(rows + 1), columns <= wideBoardBits && rows < wideBoardBits && columns*(rows+1) <= wideBoardBits
}

// Clear empties the table.
func (s *Solver) Clear() { s.core.clear() }

// Hash returns the size of the table in bytes.
func (s *Solver) Hash() int { return s.core.bytes() }

// Position is a state of the board. Positions that are equal compare equal.
type Position struct {
	g           *wideGeometry
	turn, other wideBoard
}

// Start returns the empty board.
func (s *Solver) Start() Position { return Position{g: &s.g} }

// SetUp returns the position whose cell (column, row), row 0 at the bottom, holds 1 for a stone of the side to
// move, 2 for one of the other side, or 0. The caller answers for it: no stone hangs in the air.
func (s *Solver) SetUp(stone func(column, row int) int) Position {
	p := s.Start()
	for c := range s.g.columns {
		for r := range s.g.rows {
			b := wideBit(c*int(s.g.stride) + r)
			switch stone(c, r) {
			case 1:
				p.turn = p.turn.or(b)
			case 2:
				p.other = p.other.or(b)
			}
		}
	}
	return p
}

// These errors are returned by Position.Play.
var (
	ErrOver   = errors.New("the game is over")
	ErrColumn = errors.New("no such column")
	ErrFull   = errors.New("the column is full")
)

// Play returns the position after a stone in a column, counted from 0.
func (p Position) Play(column int) (Position, error) {
	if column < 0 || column >= p.g.columns {
		return p, ErrColumn
	}
	m := p.g.playable(p.stones()).and(p.g.column[column])
	switch {
	case p.Over():
		return p, ErrOver
	case m.empty():
		return p, ErrFull
	}
	p.turn, p.other = p.other, p.turn.or(m)
	return p, nil
}

// Over says whether the last stone won or the board is full.
func (p Position) Over() bool { return p.won() || p.Left() == 0 }

func (p Position) won() bool { return p.g.hasLine(p.other) }

// Left returns how many cells are empty.
func (p Position) Left() int { return p.g.cells - p.stones().count() }

func (p Position) stones() wideBoard { return p.turn.or(p.other) }

// Legal says whether a stone fits into the column.
func (p Position) Legal(column int) bool {
	_, err := p.Play(column)
	return err == nil
}

// Plies returns how many stones are yet to come, best play on both sides, in a position of that score.
func (p Position) Plies(score int) int {
	left := p.Left()
	switch {
	case score > 0: // the winner's last stone makes the number odd
		return (left + 2 - 2*score - 1) | 1
	case score < 0:
		return (left + 2 + 2*score) &^ 1
	}
	return left
}
