// SPDX-License-Identifier: Apache-2.0

// Package solve proves what positions are worth, for games that have an exact solver: Connect Four, m,n,k games, late
// positions of ultimate tic-tac-toe, and wins in gomoku, exactly five and caro.
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
// The table is kept from one position to the next, so an interrupted position is solved faster the second time. A
// Solver is for one goroutine. An error of Solve names the cause of the end and the bounds that are proved.
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

// ErrNone is returned by New for a game that no solver knows.
var ErrNone = errors.New("no exact solver yet")

// Options say how a Solver works.
type Options struct {
	Weak    bool // prove win, draw or loss, and no distances
	Threads int  // that share the table; 0 means 1
	Hash    int  // bytes of the table
}

// HashFits reports whether the machine has the memory for the table.
func (o Options) HashFits() bool { return tt.Available(o.Hash) }

// Solution is the proved value of a position, for the side to move.
type Solution struct {
	Solved bool   `json:"solved" doc:"all that was asked for is proved"`
	Value  string `json:"value,omitempty" enum:"win,draw,loss" doc:"where it is proved"`
	Plies  *int   `json:"plies,omitempty" doc:"to the end with best play, where that is proved and was asked for"`
	Score  *int   `json:"score,omitempty" doc:"with plies: stones that the winner has left, plus one"`
	Scored bool   `json:"scored,omitempty" doc:"the bounds are scores; else a win is 1, a draw 0 and a loss -1"`
	Lower  int    `json:"lower" doc:"what it is worth at least"`
	Upper  int    `json:"upper" doc:"what it is worth at most"`
	Nodes  uint64 `json:"nodes" doc:"positions entered"`

	Progress string `json:"-"` // towards the next bound, in words; empty where the engine cannot tell

	plies int    // where the bounds meet
	stuck string // why nothing more can be proved, if that is so
}

// String describes the proved value in words.
func (v Solution) String() string {
	switch {
	case v.Score != nil:
		return fmt.Sprintf("%s in %s, score %+d", v.Value, humanize.Amount(*v.Plies, "ply", "plies"), *v.Score)
	case v.Solved:
		return v.Value
	}
	return cmp.Or(v.Bounds(), "nothing")
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

// complete sets the fields that follow from the bounds.
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
	// Keep, unless nil, is called now and then while Solve works, at moments when Save may be called. If several threads write to
	// the table without a pause, it is called only after a new bound.
	Keep func()

	g game.Game
	o Options
	e engine
}

// Knows reports whether there is a solver of g that finds the values of all its positions, given the time. New may
// still refuse its size. For some other games New knows a win prover.
func Knows(g game.Game) bool { return solvers[family(g)] != nil && !provers[family(g)] }

// New returns a solver of g. The error is ErrNone for a game without a solver, or says which option does not suit it.
func New(g game.Game, o Options) (*Solver, error) {
	o.Threads = max(o.Threads, 1)
	e, err := engineOf(g, o)
	if err != nil {
		return nil, err
	}
	o.Weak = o.Weak || e.about().weak
	return &Solver{g: g, o: o, e: e}, nil
}

// Resumes reports whether Save and Resume can be called.
func (s *Solver) Resumes() bool {
	_, ok := s.e.(resumer)
	return ok
}

// Compares reports whether the moves of a position can be solved one by one. Some games have too many moves.
func (s *Solver) Compares() bool { return !s.e.about().apart }

// TakesBook reports whether UseBook can be called.
func (s *Solver) TakesBook() bool {
	_, ok := s.e.(*connect4Engine)
	return ok
}

// errOver refuses a position that nobody moves in.
func errOver(o game.Outcome) error { return fmt.Errorf("the game is over: %s", o) }

// Solve proves what p is worth, and calls report, unless nil, for each better bound and now and then. When ctx ends the
// work the error and the solution say what is proved so far.
func (s *Solver) Solve(ctx context.Context, p game.Position, report func(Solution)) (Solution, error) {
	if o := p.Outcome(); o != game.Ongoing {
		return Solution{}, errOver(o)
	}
	hear := report
	if report != nil {
		known := Solution{Lower: 1, Upper: -1} // none
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

// Move proves what p is worth after m, for the side that makes the move. A move that ends the game has no score.
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

// Line returns moves that keep the value v of p, which is solved, to the end where that is known.
func (s *Solver) Line(ctx context.Context, p game.Position, v Solution) ([]game.Move, error) {
	line := s.e.line(ctx, p, v)
	if len(line) == 0 {
		return nil, soFar(ctx, v)
	}
	return line, nil
}

// Certify writes the certificate of p's value.
func (s *Solver) Certify(ctx context.Context, p game.Position, w io.Writer) error {
	err := s.e.certify(ctx, p, w)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%s: the certificate is not finished", ended(ctx))
	}
	return err
}

// soFar returns an error that names the cause of the end of ctx, and the bounds that are proved.
func soFar(ctx context.Context, v Solution) error {
	return fmt.Errorf("%s: proved so far: %s", ended(ctx), v)
}

func ended(ctx context.Context) string {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return "the time is up"
	}
	return "interrupted"
}
