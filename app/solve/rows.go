// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"context"
	"io"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/mnk"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// rows solves gomoku, standard gomoku and caro on boards that the m,n,k solver accepts. The m,n,k solver looks for draws.
// The gomoku solver, which zoneEngine also uses, looks for wins. The two solvers work alternately, and their node limits
// double after each round.
type rows struct {
	traits
	wins  *gomoku.Solver
	draws *mnk.Solver
	key   uint64 // key of the position of the last call of solve
	drawn bool   // whether the m,n,k solver has found the value of this position
	spent uint64 // number of nodes of the m,n,k solver since the last clear
}

// The node limits of the searches for wins and for draws in the first round. Both searches take about the same time, because
// the search for wins visits about four times as many nodes per second.
const winTurn, drawTurn = 1 << 16, 1 << 14

// newRows returns a solver of gomoku, standard gomoku and caro.
func newRows(g game.Game, o Options) (engine, error) {
	if p, ok := g.Start().(game.Board); !ok || len(p.Cells()) > mnk.MaxCells {
		return newZones(g, o)
	}
	wins, err := gomoku.NewSolver(g, o.Hash/2, o.Threads)
	if err != nil { // the gomoku solver does not support such a small or narrow board
		return newMNK(g, o)
	}
	wins.Short = o.Short
	draws, err := mnk.New(g, mnk.Options{Hash: o.Hash / 2, Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	return &rows{traits: traits{weak: true, rests: true, apart: true, version: turnsVersion}, wins: wins, draws: draws}, nil
}

func (r *rows) solve(ctx context.Context, p game.Position, report func(Solution)) Solution {
	defer func() { r.wins.Report, r.draws.Report = nil, nil }()
	r.key, r.drawn = p.Key(), false
	var v Solution     // bounds proved by either solver
	low, high := -1, 1 // bounds proved by the m,n,k solver
	join := func(w Solution) Solution {
		if w.Lower < w.Upper {
			w.Lower, w.Upper = low, high
		}
		w.Nodes += r.spent
		return w
	}
	if report != nil {
		r.wins.Report = func(a gomoku.Answer) { report(join(zoneSolution(a))) }
		r.draws.Report = func(mnk.Answer) { report(v) }
	}
	for turn := 0; ; turn++ {
		v = join(zoneSolution(r.wins.Solve(ctx, p, search.Limits{Nodes: winTurn << turn})))
		if v.Lower == v.Upper || ctx.Err() != nil {
			return v
		}
		a, _ := r.draws.Solve(ctx, p, search.Limits{Nodes: drawTurn << turn}) // there is no error, because p is ongoing
		r.spent += a.Nodes
		v.Nodes += a.Nodes
		if low, high = a.Low, a.High; low == high {
			v.Lower, v.Upper, r.drawn = low, high, true
			return v
		}
		v.Lower, v.Upper = low, high
		switch {
		case ctx.Err() != nil, a.Stuck && v.stuck != "":
			return v
		case a.Stuck:
			return join(zoneSolution(r.wins.Solve(ctx, p, search.Limits{})))
		}
	}
}

// byDraws reports whether p is the position that was solved last and the m,n,k solver, which looks for draws, found its
// value.
func (r *rows) byDraws(p game.Position) bool { return r.drawn && r.key == p.Key() }

func (r *rows) line(ctx context.Context, p game.Position, _ Solution) []game.Move {
	if !r.byDraws(p) {
		return r.wins.Line(p)
	}
	a, _ := r.draws.Solve(ctx, p, search.Limits{})
	return []game.Move{a.Best}
}

func (r *rows) certify(ctx context.Context, p game.Position, w io.Writer) error {
	if r.byDraws(p) {
		return r.draws.Certify(ctx, p, search.Limits{}, w)
	}
	return r.wins.Certify(ctx, p, w)
}

func (r *rows) clear() {
	r.drawn, r.spent = false, 0
	r.draws.Clear()
	r.wins.Clear()
}

func (r *rows) save(w io.Writer) error {
	if err := r.draws.Save(w); err != nil {
		return err
	}
	return r.wins.Save(w)
}

func (r *rows) load(p game.Position, in io.Reader, hash int) error {
	r.clear()
	if err := r.draws.Load(in, hash/2); err != nil {
		return err
	}
	return r.wins.Load(p, in)
}
