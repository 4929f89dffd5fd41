// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"context"
	"fmt"
	"strings"

	"github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/ultimate/prover"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
)

// verdict is the proved value of a position for the side to move.
type verdict struct {
	sign  int  // 1 is a win, -1 a loss
	known bool // a sign of 0 is a draw; otherwise nothing was found within the nodes
	plies int  // to the end of a win or a loss; 0 where the solver proves no distances
	line  []game.Move
	fours bool // a win by fours alone
	nodes uint64
}

// wanted says which proof is looked for. An exact solver finds either.
type wanted int

const (
	either wanted = iota
	win
	loss
)

// oracle proves values. It belongs to one goroutine.
type oracle interface {
	// value returns the value of p that can be proved within a number of nodes. p must be ongoing.
	value(ctx context.Context, p game.Position, nodes uint64, want wanted) verdict
	// line returns moves that keep the value of p to the end of the game, as far as they are proved.
	line(ctx context.Context, p game.Position, v verdict) []game.Move
	// exact reports whether every value can be proved. Otherwise only wins by threats are.
	exact() bool
}

// newOracle returns a fresh oracle, so that its results depend on its questions alone.
func newOracle(g game.Game) (oracle, error) {
	switch name, _, _ := strings.Cut(g.String(), ":"); {
	case name == "ultimate":
		return &ultimateOracle{prover.New(prover.Options{Hash: 8 << 20})}, nil
	case connect4.Plays(g):
		s, err := connect4.NewSolver(g, connect4.Options{Hash: 4 << 20})
		return &columnOracle{s}, err
	}
	if !gomoku.Plays(g) {
		return nil, fmt.Errorf("there are puzzles of gomoku, standard, renju, caro, Connect Four and ultimate tic-tac-toe, not of %s", g)
	}
	p, err := gomoku.NewProver(g)
	return &rowOracle{p}, err
}

// rowOracle proves wins by threats in five in a row.
type rowOracle struct{ p *gomoku.Prover }

func (o *rowOracle) exact() bool { return false }

func (o *rowOracle) value(ctx context.Context, p game.Position, nodes uint64, want wanted) verdict {
	if want != loss {
		if w, ok := o.p.Win(ctx, p, nodes); ok {
			return verdict{1, true, w.Plies, w.Line, w.Fours, w.Nodes}
		}
	}
	if want != win {
		if l, ok := o.p.Loss(ctx, p, nodes); ok {
			return verdict{-1, true, l.Plies, l.Line, false, l.Nodes}
		}
	}
	return verdict{nodes: nodes}
}

func (o *rowOracle) line(_ context.Context, _ game.Position, v verdict) []game.Move { return v.line }

// columnOracle solves Connect Four.
type columnOracle struct{ s *connect4.Solver }

func (o *columnOracle) exact() bool { return true }

func (o *columnOracle) value(ctx context.Context, p game.Position, nodes uint64, _ wanted) verdict {
	q := o.s.FromGame(p)
	o.s.LimitNodes(nodes)
	r := o.s.Solve(ctx, q)
	if !r.Exact() {
		return verdict{nodes: r.Nodes}
	}
	sign, _ := r.Sign()
	return verdict{sign: sign, known: true, plies: q.Plies(r.Lower), nodes: r.Nodes}
}

func (o *columnOracle) line(ctx context.Context, p game.Position, _ verdict) []game.Move {
	q := o.s.FromGame(p)
	r := o.s.Solve(ctx, q)
	if !r.Exact() {
		return nil
	}
	var line []game.Move
	for _, c := range o.s.Line(ctx, q, r.Lower) {
		line = append(line, game.Move(c))
	}
	return line
}

// ultimateOracle proves late positions of ultimate tic-tac-toe.
type ultimateOracle struct{ p *prover.Prover }

func (o *ultimateOracle) exact() bool { return true }

func (o *ultimateOracle) value(ctx context.Context, p game.Position, nodes uint64, _ wanted) verdict {
	b := p.(*ultimate.Position).Board()
	a := o.p.Solve(ctx, b, search.Limits{Nodes: nodes})
	if !a.Solved() {
		return verdict{nodes: a.Nodes}
	}
	v := verdict{sign: a.Low, known: true, nodes: a.Nodes}
	if a.Best >= 0 {
		v.line = []game.Move{game.Move(a.Best)}
	}
	if a.Low != 0 {
		var line []uint8
		if v.plies, line, _ = o.p.Distance(ctx, b, a.Low > 0, search.Limits{Nodes: nodes}); v.plies > 0 {
			v.line = nil
			for _, m := range line {
				v.line = append(v.line, game.Move(m))
			}
		}
	}
	return v
}

func (o *ultimateOracle) line(ctx context.Context, p game.Position, v verdict) []game.Move {
	if v.plies > 0 {
		return v.line
	}
	var line []game.Move
	for _, m := range o.p.Line(ctx, p.(*ultimate.Position).Board()) {
		line = append(line, game.Move(m))
	}
	return line
}

// valueAfter returns the proved value for the side that plays m in p: the verdict on the position after m, negated.
func valueAfter(ctx context.Context, o oracle, p game.Position, m game.Move, nodes uint64, want wanted) verdict {
	me := p.Turn()
	p.Play(m)
	defer p.Undo()
	switch p.Outcome() {
	case game.Ongoing:
	case game.Draw:
		return verdict{known: true, plies: 1}
	case game.WinFor(me):
		return verdict{sign: 1, known: true, plies: 1}
	default:
		return verdict{sign: -1, known: true, plies: 1}
	}
	switch want { // of the side that moves now
	case win:
		want = loss
	case loss:
		want = win
	}
	v := o.value(ctx, p, nodes, want)
	v.sign = -v.sign
	if v.plies > 0 {
		v.plies++
	}
	return v
}
