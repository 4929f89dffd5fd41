// SPDX-License-Identifier: Apache-2.0

// Package solve proves what positions are worth, for games that have an exact solver: Connect Four, m,n,k games and
// late positions of ultimate tic-tac-toe.
//
// # Basics
//
//	s, err := solve.New(g, solve.Options{Hash: 64 << 20})
//	v, err := s.Solve(ctx, p, nil)         // win, draw or loss for the side to move
//	line, err := s.Line(ctx, p, v)         // best play from p
//	err = s.Certify(ctx, p, w)             // the proof, which proof.Verify checks
//	err = s.Save(p, w)                     // unfinished work; ReadUnfinished and Resume go on with it
//
// # Caveats
//
// The table is kept from one position to the next: a position that was cut short goes on faster the second time. A
// Solver is for one goroutine. An error of Solve says why the work ended and what is proved so far.
package solve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/krow-lab/krow/game"
)

// ErrNone is returned by New for a game that no solver knows.
var ErrNone = errors.New("no exact solver yet")

// Options say how a Solver works.
type Options struct {
	Weak    bool // prove win, draw or loss, and no distances
	Threads int  // that share the table; 0 means 1
	Hash    int  // bytes of the table
}

// engine is the port of an exact solver. Each method does what it can until ctx is done.
type engine interface {
	// solve proves what p, which is ongoing, is worth, and calls report, unless it is nil, for each better bound
	// and now and then.
	solve(ctx context.Context, p game.Position, report func(Solution)) Solution
	// line returns moves that begin with one that keeps the value v of p: best play to the end where that is
	// known. It is empty when no move is proved.
	line(ctx context.Context, p game.Position, v Solution) []game.Move
	// clear forgets everything.
	clear()
}

// certifier is an engine that can write down the proof of a value.
type certifier interface {
	certify(ctx context.Context, p game.Position, w io.Writer) error
}

// resumer is an engine that can go on where another one stopped. save writes what it knows, above all of the position
// solved last; load, in a new engine of the same game and size of table, reads that for p.
type resumer interface {
	save(w io.Writer) error
	load(p game.Position, r io.Reader) error
}

// Solution is what is proved of a position, for the side to move.
type Solution struct {
	Value  string // win, draw, loss, or "" where not even that is known
	Solved bool   // all that was asked for is proved
	Score  *int   // where it is proved and was asked for
	Plies  *int   // to the end with best play, with Score
	Bounds string // what is proved where the value is not solved, in words
	Nodes  uint64

	Progress string // towards the next bound, in words; empty where the engine cannot tell

	exact        bool // score and plies are proved, whether they were asked for or not
	score, plies int
}

// String returns what is proved in words.
func (v Solution) String() string {
	switch {
	case v.Score != nil:
		return fmt.Sprintf("%s in %s, score %+d", v.Value, amount(*v.Plies, "ply", "plies"), *v.Score)
	case v.Solved:
		return v.Value
	}
	return v.Bounds
}

// minus returns the value for the other side, one ply earlier.
func (v Solution) minus() Solution {
	v.Value = map[string]string{"win": "loss", "loss": "win", "draw": "draw"}[v.Value]
	v.score, v.plies = -v.score, v.plies+1
	return v
}

// Solver proves values of positions of one game. Use New.
type Solver struct {
	// Keep, unless it is nil, is called every so often while Solve works, at moments when Save may be called: with
	// several threads only when a bound is new, since at other times the threads write to the table.
	Keep func()

	o      Options
	engine engine
}

// New returns a solver of g, with its table. The error is ErrNone for a game without a solver, and else says what of
// the options does not suit the game.
func New(g game.Game, o Options) (*Solver, error) {
	o.Threads = max(o.Threads, 1)
	for _, f := range engines {
		e, weak, err := f(g, o)
		if err != nil {
			return nil, err
		}
		if e != nil {
			o.Weak = o.Weak || weak
			return &Solver{o: o, engine: e}, nil
		}
	}
	return nil, fmt.Errorf("%s has %w", g, ErrNone)
}

// Certifies says whether Certify can be called.
func (s *Solver) Certifies() bool { _, ok := s.engine.(certifier); return ok }

// Resumes says whether Save and Resume can be called.
func (s *Solver) Resumes() bool { _, ok := s.engine.(resumer); return ok }

// Clear forgets everything.
func (s *Solver) Clear() { s.engine.clear() }

// Solve proves what p is worth, and calls report, unless it is nil, for each better bound and now and then. When ctx
// ends the work the error says what is proved so far, and so does the value.
func (s *Solver) Solve(ctx context.Context, p game.Position, report func(Solution)) (Solution, error) {
	if err := ongoing(p); err != nil {
		return Solution{}, err
	}
	hear := report
	if report != nil {
		known := ""
		hear = func(v Solution) {
			v = s.asked(v)
			if report(v); s.Keep != nil && (s.o.Threads == 1 || known != "" && v.Bounds != known) {
				s.Keep()
			}
			known = v.Bounds
		}
	}
	v := s.asked(s.engine.solve(ctx, p, hear))
	if !v.Solved {
		return v, proved(ctx, v)
	}
	return v, nil
}

// ongoing returns an error for a position of a game that is over.
func ongoing(p game.Position) error {
	if o := p.Outcome(); o != game.Ongoing {
		return fmt.Errorf("the game is over: %s", o)
	}
	return nil
}

// asked fills in the fields that depend on what was asked for.
func (s *Solver) asked(v Solution) Solution {
	v.Solved = v.exact || s.o.Weak && v.Value != ""
	if v.exact && !s.o.Weak {
		v.Score, v.Plies = &v.score, &v.plies
	}
	return v
}

// Move is what a move is worth, for the side that makes it. Of one that ends the game there is no score.
type Move struct {
	Move game.Move
	Solution
}

// Moves solves each move of p.
func (s *Solver) Moves(ctx context.Context, p game.Position) iter.Seq2[Move, error] {
	return func(yield func(Move, error) bool) {
		for _, m := range p.AppendMoves(nil) {
			v, err := s.move(ctx, p, m)
			if err != nil {
				err = fmt.Errorf("move %s: %w", p.Game().Format(m), err)
			}
			if !yield(Move{m, v}, err) || err != nil {
				return
			}
		}
	}
}

func (s *Solver) move(ctx context.Context, p game.Position, m game.Move) (Solution, error) {
	p.Play(m)
	defer p.Undo()
	if o := p.Outcome(); o != game.Ongoing {
		one := 1
		return Solution{Value: map[bool]string{true: "draw", false: "win"}[o == game.Draw], Solved: true, Plies: &one}, nil
	}
	v, err := s.Solve(ctx, p, nil)
	return s.asked(v.minus()), err
}

// Line returns moves that begin with one that keeps the value v of p, which is solved: best play to the end where
// that is known.
func (s *Solver) Line(ctx context.Context, p game.Position, v Solution) ([]game.Move, error) {
	line := s.engine.line(ctx, p, v)
	if len(line) == 0 {
		return nil, proved(ctx, v)
	}
	return line, nil
}

// Certify writes the certificate of p's value.
func (s *Solver) Certify(ctx context.Context, p game.Position, w io.Writer) error {
	err := s.engine.(certifier).certify(ctx, p, w)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%s: the certificate is not finished", ended(ctx))
	}
	return err
}

// proved says what ended ctx before all of p was proved, and what is.
func proved(ctx context.Context, v Solution) error {
	return fmt.Errorf("%s: proved so far: %s", ended(ctx), v)
}

// ended says what ended ctx.
func ended(ctx context.Context) string {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return "the time is up"
	}
	return "interrupted"
}

// amount writes how many there are of something: 1 ply, 2 plies.
func amount(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
