// SPDX-License-Identifier: Apache-2.0

// Package solve proves the values of positions in games that have an exact solver: Connect Four, m,n,k games, late positions of
// ultimate tic-tac-toe, and wins in gomoku, standard gomoku, caro, renju, Connect6, pente and Atari-Go.
//
// # Basics
//
//	s, err := solve.New(g, solve.Options{Hash: 64 << 20})
//	v, err := s.Solve(ctx, p, nil)         // win, draw or loss for the side to move
//	line, err := s.Line(ctx, p, v)         // best play from p
//	err = s.Certify(ctx, p, w)             // the proof, which proof.Verify checks
//	err = s.Save(p, w)                     // unfinished work; ReadUnfinished and Resume continue it
//
// # Caveats
//
// A Solver keeps its table between calls, so after an interrupted call of Solve the next call for the same position is
// faster. Only one goroutine may use a Solver. If Solve is interrupted, its error contains the reason and the bounds that
// are proved so far.
package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/search/tt"
)

// Options are the settings of a Solver.
type Options struct {
	Weak    bool // prove only a win, a draw or a loss, without the number of moves to the end
	Threads int  // number of threads that share the table; 0 means 1
	Hash    int  // size of the table in bytes
	Plans   bool // write certificates of Connect Four with plans
	Short   bool // write certificates with zones whose longest line is as short as can be found
}

// HashFits reports whether the machine has enough memory for the table.
func (o Options) HashFits() bool { return tt.Available(o.Hash) }

// Solution is the proved value of a position, for the side to move.
type Solution struct {
	Solved bool   `json:"solved" doc:"whether everything that was requested is proved"`
	Value  string `json:"value,omitempty" enum:"win,draw,loss" doc:"the value, if it is proved"`
	Plies  *int   `json:"plies,omitempty" doc:"number of plies to the end with best play, if it was requested and is proved"`
	Score  *int   `json:"score,omitempty" doc:"set together with plies: number of stones that the winner has left, plus one"`
	Scored bool   `json:"scored,omitempty" doc:"whether the bounds are scores; if not, a win is 1, a draw 0 and a loss -1"`
	Lower  int    `json:"lower" doc:"lower bound of the value"`
	Upper  int    `json:"upper" doc:"upper bound of the value"`
	Nodes  uint64 `json:"nodes" doc:"number of positions searched"`

	Progress string `json:"-"` // progress towards the next bound in words; empty if unknown

	part  string // the proved part of the position, in words, if no bound is proved
	plies int    // number of plies to the end; only valid if the bounds are equal
	stuck string // reason why the engine can prove nothing more, or ""
}

// String describes the proved value in words.
func (v Solution) String() string {
	switch {
	case v.Score != nil:
		return fmt.Sprintf("%s in %s, score %+d", v.Value, humanize.Amount(*v.Plies, "ply", "plies"), *v.Score)
	case v.Solved:
		return v.Value
	}
	return cmp.Or(v.Bounds(), v.part, "nothing")
}

// Bounds returns the bounds in words, or "" if nothing is proved.
func (v Solution) Bounds() string {
	switch {
	case v.Scored:
		return fmt.Sprintf("score %+d to %+d", v.Lower, v.Upper)
	case v.Lower == v.Upper:
		return v.Value
	case v.Lower == 0:
		return "at least a draw"
	case v.Upper == 0:
		return "at most a draw"
	}
	return ""
}

// complete sets the fields that can be computed from the bounds.
func (v Solution) complete(weak bool) Solution {
	switch {
	case v.Lower > 0:
		v.Value = "win"
	case v.Upper < 0:
		v.Value = "loss"
	case v.Lower == 0 && v.Upper == 0:
		v.Value = "draw"
	}
	exact := v.Lower == v.Upper
	v.Solved = exact || weak && v.Value != ""
	if exact && v.Scored && !weak {
		v.Score, v.Plies = &v.Lower, &v.plies
	}
	return v
}

// Solver proves values of positions of one game. Use New.
type Solver struct {
	// Keep, unless nil, is called from time to time during Solve, at moments when Save may be called. Save needs a table to which
	// no thread writes. If the solver uses several threads that never pause, the threads stop writing only when a new bound is
	// proved, so Keep is called only then.
	Keep func()

	g game.Game
	o Options
	e engine
}

// Knows reports whether krow has a solver that can solve every position of games like g (the same rules with any size of the
// board), given enough time. Even if Knows returns true, New returns an error if the board of g is too large. For some games
// for which Knows returns false, New returns a solver that only proves wins.
func Knows(g game.Game) bool { return solvers[family(g)] != nil && !provers[family(g)] }

// New returns a solver of g. The error names the option or size that the solver does not support.
func New(g game.Game, o Options) (*Solver, error) {
	o.Threads = max(o.Threads, 1)
	e, err := engineOf(g, o)
	if err != nil {
		return nil, err
	}
	o.Weak = o.Weak || e.about().weak
	return &Solver{g: g, o: o, e: e}, nil
}

// Resumes reports whether the Solver supports Save and Resume.
func (s *Solver) Resumes() bool {
	_, ok := s.e.(resumer)
	return ok
}

// Compares reports whether the solver can solve the position after each legal move, for a comparison of the moves. In some
// games a position has too many moves for that.
func (s *Solver) Compares() bool { return !s.e.about().apart }

// TakesBook reports whether the Solver supports UseBook.
func (s *Solver) TakesBook() bool {
	_, ok := s.e.(*connect4Engine)
	return ok
}

// errOver returns the error for a position in which the game is over.
func errOver(o game.Outcome) error { return fmt.Errorf("the game is over: %s", o) }

// Solve proves the value of p. Unless report is nil, Solve calls it for each better bound and from time to time. If ctx ends
// the work, the solution and the error contain the bounds proved by then.
func (s *Solver) Solve(ctx context.Context, p game.Position, report func(Solution)) (Solution, error) {
	if o := p.Outcome(); o != game.Ongoing {
		return Solution{}, errOver(o)
	}
	hear := report
	if report != nil {
		known := Solution{Lower: 1, Upper: -1} // no bound is known
		hear = func(v Solution) {
			report(v.complete(s.o.Weak))
			better := known.Lower <= known.Upper && (v.Lower != known.Lower || v.Upper != known.Upper)
			if known = v; s.Keep != nil && (s.o.Threads == 1 || s.e.about().rests || better) {
				s.Keep()
			}
		}
	}
	v := s.e.solve(ctx, p, hear).complete(s.o.Weak)
	if !v.Solved && v.stuck != "" {
		return v, fmt.Errorf("%s: proved so far: %s", v.stuck, v)
	}
	if !v.Solved {
		return v, soFar(ctx, v)
	}
	return v, nil
}

// Move proves the value of the move m in p for the side that makes it. A move that ends the game has no score.
func (s *Solver) Move(ctx context.Context, p game.Position, m game.Move) (Solution, error) {
	p.Play(m)
	defer p.Undo()
	if o := p.Outcome(); o != game.Ongoing {
		one := 1
		return Solution{Value: map[bool]string{true: "draw", false: "win"}[o == game.Draw], Solved: true, Plies: &one}, nil
	}
	v, err := s.Solve(ctx, p, nil)
	if err != nil {
		err = fmt.Errorf("move %s: %w", p.Game().Format(m), err)
	}
	other := Solution{Lower: -v.Upper, Upper: -v.Lower, Scored: v.Scored, plies: v.plies + 1, Nodes: v.Nodes}
	return other.complete(s.o.Weak), err
}

// Line returns a sequence of best moves for both sides from the solved position p, whose value is v. The sequence ends with the
// game, or earlier where the known moves end.
func (s *Solver) Line(ctx context.Context, p game.Position, v Solution) ([]game.Move, error) {
	line := s.e.line(ctx, p, v)
	if len(line) == 0 {
		return nil, soFar(ctx, v)
	}
	return line, nil
}

// Certify writes the certificate that proves the value of p.
func (s *Solver) Certify(ctx context.Context, p game.Position, w io.Writer) error {
	err := s.e.certify(ctx, p, w)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%s: the certificate is not finished", ended(ctx))
	}
	return err
}

// soFar returns an error that contains the reason why ctx is done, and the bounds of v.
func soFar(ctx context.Context, v Solution) error {
	return fmt.Errorf("%s: proved so far: %s", ended(ctx), v)
}

func ended(ctx context.Context) string {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return "the time is up"
	}
	return "interrupted"
}
