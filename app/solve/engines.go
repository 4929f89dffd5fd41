// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/mnk"
	"github.com/krow-lab/krow/engine/ultimate/prover"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
)

// engine is the port of an exact solver, whose functions end with ctx. Those it lacks, from certify on, are nil.
type engine struct {
	weak  bool // it proves no distances
	apart bool // moves are too many to solve each
	rests bool // while it reports, with several threads too
	turns bool // it is two solvers

	// solve proves bounds of p, which is ongoing. It calls report, unless nil, for each better bound and now and then.
	solve func(ctx context.Context, p game.Position, report func(Solution)) Solution
	// line returns moves that keep the value v of p, to the end where that is known, or none if no move is proved.
	line  func(ctx context.Context, p game.Position, v Solution) []game.Move
	clear func()

	certify func(ctx context.Context, p game.Position, w io.Writer) error
	// save writes what is known, and load reads it for p, in a new engine of the same game and size of table.
	save func(w io.Writer) error
	load func(p game.Position, r io.Reader) error
	book func(*connect4.Book)
}

func engineOf(g game.Game, o Options) (e engine, err error) {
	make := solvers[family(g)]
	if make == nil {
		return e, fmt.Errorf("%s has %w", g, ErrNone)
	}
	return make(g, o)
}

var solvers = map[string]func(game.Game, Options) (engine, error){
	"connect4": newConnect4, "mnk": newMNK, "tictactoe": newMNK, "ultimate": newUltimate,
	"gomoku": newRows, "standard": newRows, "caro": newRows,
}

// provers are the games of which values are proved where a proof is found, and not everywhere.
var provers = map[string]bool{"gomoku": true, "standard": true, "caro": true}

func family(g game.Game) string {
	name, _, _ := strings.Cut(g.String(), ":")
	return name
}

func newConnect4(g game.Game, o Options) (engine, error) {
	s, err := connect4.NewSolver(g, connect4.Options{Weak: o.Weak, Threads: o.Threads, Hash: o.Hash})
	if err != nil {
		return engine{}, fmt.Errorf("solve %s: %w", g, err)
	}
	var root connect4.Position // where report was wanted last
	var known connect4.Result  // of root
	solution := func(q connect4.Position, r connect4.Result) Solution {
		return Solution{Scored: true, Lower: r.Lower, Upper: r.Upper, plies: q.Plies(r.Lower), Nodes: r.Nodes}
	}
	return engine{
		clear: s.Clear,
		solve: func(ctx context.Context, p game.Position, report func(Solution)) Solution {
			q := s.FromGame(p)
			if report == nil {
				return solution(q, s.Solve(ctx, q))
			}
			if root != q {
				root, known = q, connect4.Unknown()
			}
			before := known.Nodes
			defer func() { s.Report = nil }() // the searches for moves, lines and certificates are not reported
			s.Report = func(r connect4.Result) {
				r.Nodes += before
				known = r
				report(solution(q, r))
			}
			known = s.SolveWithin(ctx, q, known)
			return solution(q, known)
		},
		line: func(ctx context.Context, p game.Position, v Solution) []game.Move {
			q := s.FromGame(p)
			if v.Lower == v.Upper {
				return moves(s.Line(ctx, q, v.Lower))
			}
			if m := s.Best(ctx, q, map[string]int{"win": 1, "loss": -q.Left()}[v.Value]); m >= 0 {
				return []game.Move{game.Move(m)}
			}
			return nil
		},
		certify: s.Certify,
		save: func(w io.Writer) error {
			if err := json.NewEncoder(w).Encode(rootBounds{known.Lower, known.Upper, known.Nodes}); err != nil {
				return err
			}
			return s.Save(w)
		},
		load: func(p game.Position, r io.Reader) error {
			k, err := readBounds(r, len(p.(game.Board).Cells()))
			if err != nil {
				return err
			}
			root, known = s.FromGame(p), connect4.Result{Lower: k.Lower, Upper: k.Upper, Nodes: k.Nodes}
			return s.Load(r)
		},
		book: func(b *connect4.Book) { s.Book = b },
	}, nil
}

// rootBounds is a line of JSON before the table of Connect Four.
type rootBounds struct {
	Lower int    `json:"lower"`
	Upper int    `json:"upper"`
	Nodes uint64 `json:"nodes"`
}

// readBounds reads rootBounds, byte by byte since the table follows.
func readBounds(r io.Reader, cells int) (k rootBounds, err error) {
	var line []byte
	for b := []byte{0}; b[0] != '\n'; line = append(line, b[0]) {
		if _, err := r.Read(b); err != nil || len(line) > 1<<10 {
			return k, errors.New("no first line")
		}
	}
	err = json.Unmarshal(line, &k)
	if err == nil && (k.Lower > k.Upper || k.Lower < -cells || k.Upper > cells) { // equal: the certificate was not finished
		err = errors.New("these are no bounds")
	}
	return k, err
}

func newMNK(g game.Game, o Options) (engine, error) {
	if p, ok := g.Start().(game.Board); ok && len(p.Cells()) > mnk.MaxCells {
		return newZones(g, o)
	}
	s, err := mnk.New(g, mnk.Options{Hash: o.Hash, Threads: o.Threads})
	if err != nil {
		return engine{}, err
	}
	solution := func(a mnk.Answer) Solution {
		v := Solution{Lower: a.Low, Upper: a.High, Nodes: a.Nodes}
		if a.Stuck {
			v.stuck = "one side cannot break every line of the other, and more is not tried on this board"
		}
		if a.Proof > 0 || a.Disproof > 0 {
			v.Progress = fmt.Sprintf("%d of %d moves fail, proof %d, disproof %d", a.Failed, a.Moves, a.Proof, a.Disproof)
		}
		return v
	}
	solve := func(ctx context.Context, p game.Position) mnk.Answer {
		a, _ := s.Solve(ctx, p, search.Limits{}) // no error: p is ongoing
		return a
	}
	return engine{
		weak:  true,
		rests: true,
		clear: s.Clear,
		solve: func(ctx context.Context, p game.Position, report func(Solution)) Solution {
			defer func() { s.Report = nil }()
			if report != nil {
				s.Report = func(a mnk.Answer) { report(solution(a)) }
			}
			return solution(solve(ctx, p))
		},
		line: func(ctx context.Context, p game.Position, v Solution) []game.Move {
			if v.Value == "loss" { // whatever is played
				return p.AppendMoves(nil)[:1]
			}
			if a := solve(ctx, p); a.Best != game.NoMove {
				return []game.Move{a.Best}
			}
			return nil
		},
		certify: func(ctx context.Context, p game.Position, w io.Writer) error {
			return s.Certify(ctx, p, search.Limits{}, w)
		},
		save: s.Save,
		load: func(_ game.Position, r io.Reader) error { return s.Load(r) },
	}, nil
}

func newUltimate(g game.Game, o Options) (engine, error) {
	if err := oneThread(g, o); err != nil {
		return engine{}, err
	}
	s := prover.New(prover.Options{Hash: o.Hash})
	board := func(p game.Position) ultimate.Board { return p.(*ultimate.Position).Board() }
	solution := func(a prover.Answer) Solution { return Solution{Lower: a.Low, Upper: a.High, Nodes: a.Nodes} }
	return engine{
		weak:  true,
		clear: s.Clear,
		solve: func(ctx context.Context, p game.Position, report func(Solution)) Solution {
			defer func() { s.Report = nil }()
			if report != nil {
				s.Report = func(a prover.Answer) { report(solution(a)) }
			}
			return solution(s.Solve(ctx, board(p), search.Limits{}))
		},
		line: func(ctx context.Context, p game.Position, _ Solution) []game.Move {
			return moves(s.Line(ctx, board(p)))
		},
		certify: func(ctx context.Context, p game.Position, w io.Writer) error { return s.Certify(ctx, board(p), w) },
	}, nil
}

// zoneSolution returns what a prover of wins says.
func zoneSolution(a gomoku.ZoneAnswer) Solution {
	v := Solution{Lower: -1, Upper: 1, Nodes: a.Nodes}
	switch {
	case a.Value != 0:
		v.Lower, v.Upper = a.Value, a.Value
	case a.Full:
		v.stuck = "the memory is used up"
	case a.Over:
		v.stuck = "no move is left to try"
	}
	if v.Progress = fmt.Sprintf("%d positions, %d trees, proof %d, disproof %d", a.Positions, a.Trees, a.Proof, a.Disproof); a.Answers > 0 {
		v.Progress = fmt.Sprintf("%d of %d answers to the first move", a.Proved, a.Answers)
	}
	return v
}

func newZones(g game.Game, o Options) (engine, error) {
	s, err := gomoku.NewZoneProver(g, o.Hash, o.Threads)
	if err != nil {
		return engine{}, err
	}
	return zoneEngine(s), nil
}

func zoneEngine(s *gomoku.ZoneProver) engine {
	return engine{
		weak:  true,
		rests: true,
		apart: true,
		clear: s.Clear,
		solve: func(ctx context.Context, p game.Position, report func(Solution)) Solution {
			defer func() { s.Report = nil }()
			if report != nil {
				s.Report = func(a gomoku.ZoneAnswer) { report(zoneSolution(a)) }
			}
			return zoneSolution(s.Solve(ctx, p, search.Limits{}))
		},
		line:    func(_ context.Context, p game.Position, _ Solution) []game.Move { return s.Line(p) },
		certify: func(_ context.Context, p game.Position, w io.Writer) error { return s.Certify(p, w) },
		save:    s.Save,
		load:    s.Load,
	}
}

// oneThread returns an error for options of more threads than one.
func oneThread(g game.Game, o Options) error {
	if o.Threads > 1 {
		return fmt.Errorf("%s is solved by one thread, not %d", g, o.Threads)
	}
	return nil
}

func moves[T int | uint8](line []T) []game.Move {
	all := make([]game.Move, len(line))
	for i, m := range line {
		all[i] = game.Move(m)
	}
	return all
}
