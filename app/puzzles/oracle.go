// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"context"
	"fmt"
	"strings"

	"github.com/krow-lab/krow/engine/atarigo"
	"github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/engine/connect6"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/pente"
	"github.com/krow-lab/krow/engine/ultimate/prover"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
)

// Verdict is the proved value of a position for the side to move.
type Verdict struct {
	Sign  int  // 1 for a win of the side to move, -1 for a loss
	Known bool // whether Sign is proved: a proved 0 is a draw
	Plies int  // number of plies to the end of a win or a loss; 0 if the solver proves no distances
	Line  []game.Move
	Fours bool // whether the win needs no other threats than fours
	Nodes uint64
}

// Wanted selects the kind of proof to search for. An exact solver ignores it.
type Wanted int

// The kinds of proofs.
const (
	Either Wanted = iota
	Win
	Loss
)

// Oracle proves values of positions. Only one goroutine may use it.
type Oracle interface {
	// Value returns the value of p, if it can be proved within the given number of nodes. p must be ongoing.
	Value(ctx context.Context, p game.Position, nodes uint64, want Wanted) Verdict
	// Line returns a sequence of best moves for both sides from p, whose value is v. The sequence ends with the game, or
	// earlier where the proof ends.
	Line(ctx context.Context, p game.Position, v Verdict) []game.Move
	// Exact reports whether the oracle can prove every value, given enough nodes. Otherwise the oracle proves only wins by
	// threats.
	Exact() bool
}

// NewOracle returns an oracle for g with empty tables, so that its results depend only on the calls of its methods.
func NewOracle(g game.Game) (Oracle, error) {
	switch name, _, _ := strings.Cut(g.String(), ":"); {
	case name == "ultimate":
		return &ultimateOracle{prover.New(prover.Options{Hash: 8 << 20})}, nil
	case connect4.Plays(g):
		s, err := connect4.NewSolver(g, connect4.Options{Hash: 4 << 20})
		return &columnOracle{s}, err
	}
	if pente.Plays(g) {
		s, err := pente.New(g, pente.Options{Hash: 4 << 20})
		return &sequenceOracle{s, false}, err
	}
	if connect6.Plays(g) {
		s, err := connect6.New(g, connect6.Options{Hash: 1 << 20})
		return &sequenceOracle{s, true}, err
	}
	if atarigo.Plays(g) {
		s, err := atarigo.New(g, atarigo.Options{Hash: 4 << 20})
		return &sequenceOracle{s, false}, err
	}
	if !gomoku.Plays(g) {
		return nil, fmt.Errorf("there are no puzzles of %s", g)
	}
	p, err := gomoku.NewProver(g)
	return &rowOracle{p}, err
}

// rowOracle proves wins by threats in five in a row.
type rowOracle struct{ p *gomoku.Prover }

func (o *rowOracle) Exact() bool { return false }

func (o *rowOracle) Value(ctx context.Context, p game.Position, nodes uint64, want Wanted) Verdict {
	if want != Loss {
		if w, ok := o.p.Win(ctx, p, nodes); ok {
			return Verdict{1, true, w.Plies, w.Line, w.Fours, w.Nodes}
		}
	}
	if want != Win {
		if l, ok := o.p.Loss(ctx, p, nodes); ok {
			return Verdict{-1, true, l.Plies, l.Line, false, l.Nodes}
		}
	}
	return Verdict{Nodes: nodes}
}

func (o *rowOracle) Line(_ context.Context, _ game.Position, v Verdict) []game.Move { return v.Line }

// sequenceOracle proves wins by sequences of threats. In pente and Atari-Go each threat is a threat to win at once, in Connect6 a
// double threat.
type sequenceOracle struct {
	s interface {
		Prove(ctx context.Context, p game.Position, nodes uint64) (search.Info, bool)
	}
	pairs bool // whether a side places two stones in a turn
}

func (o *sequenceOracle) Exact() bool { return false }

func (o *sequenceOracle) Value(ctx context.Context, p game.Position, nodes uint64, want Wanted) Verdict {
	if o.pairs && want == Loss && len(Sixes(p, p.Turn().Other())) == 0 {
		return Verdict{} // nothing threatens the side to move, so no loss can be proved
	}
	info, ok := o.s.Prove(ctx, p, nodes)
	plies, sign := info.Score.Distance()
	if !ok || want == Win && sign < 0 || want == Loss && sign > 0 {
		return Verdict{Nodes: nodes}
	}
	return Verdict{sign, true, plies, info.PV, sign > 0 && !captures(p, info.PV), info.Nodes}
}

func (o *sequenceOracle) Line(_ context.Context, _ game.Position, v Verdict) []game.Move {
	return v.Line
}

// captures reports whether the side to move in p captures stones in line.
func captures(p game.Position, line []game.Move) bool {
	c, ok := p.(game.Capturer)
	if !ok {
		return false
	}
	me := p.Turn()
	before := c.Captured(me)
	for _, m := range line {
		p.Play(m)
	}
	after := c.Captured(me)
	for range line {
		p.Undo()
	}
	return after > before
}

// inPairs reports whether the puzzles of o are for a game with two stones a turn.
func inPairs(o Oracle) bool {
	s, ok := o.(*sequenceOracle)
	return ok && s.pairs
}

// Engine returns an engine of g, which must be a game whose wins are proved by threats.
func Engine(g game.Game) (search.Searcher, error) {
	if pente.Plays(g) {
		return pente.New(g, pente.Options{Hash: 4 << 20})
	}
	if connect6.Plays(g) {
		return connect6.New(g, connect6.Options{Hash: 4 << 20})
	}
	if atarigo.Plays(g) {
		return atarigo.New(g, atarigo.Options{Hash: 4 << 20})
	}
	return gomoku.New(g, gomoku.Options{Hash: 4 << 20, Threats: true})
}

// columnOracle solves Connect Four.
type columnOracle struct{ s *connect4.Solver }

func (o *columnOracle) Exact() bool { return true }

func (o *columnOracle) Value(ctx context.Context, p game.Position, nodes uint64, _ Wanted) Verdict {
	q := o.s.FromGame(p)
	o.s.LimitNodes(nodes)
	r := o.s.Solve(ctx, q)
	if !r.Exact() {
		return Verdict{Nodes: r.Nodes}
	}
	sign, _ := r.Sign()
	return Verdict{Sign: sign, Known: true, Plies: q.Plies(r.Lower), Nodes: r.Nodes}
}

func (o *columnOracle) Line(ctx context.Context, p game.Position, _ Verdict) []game.Move {
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

func (o *ultimateOracle) Exact() bool { return true }

func (o *ultimateOracle) Value(ctx context.Context, p game.Position, nodes uint64, _ Wanted) Verdict {
	b := p.(*ultimate.Position).Board()
	a := o.p.Solve(ctx, b, search.Limits{Nodes: nodes})
	if !a.Solved() {
		return Verdict{Nodes: a.Nodes}
	}
	v := Verdict{Sign: a.Low, Known: true, Nodes: a.Nodes}
	if a.Best >= 0 {
		v.Line = []game.Move{game.Move(a.Best)}
	}
	if a.Low != 0 {
		var line []uint8
		if v.Plies, line, _ = o.p.Distance(ctx, b, a.Low > 0, search.Limits{Nodes: nodes}); v.Plies > 0 {
			v.Line = nil
			for _, m := range line {
				v.Line = append(v.Line, game.Move(m))
			}
		}
	}
	return v
}

func (o *ultimateOracle) Line(ctx context.Context, p game.Position, v Verdict) []game.Move {
	if v.Plies > 0 {
		return v.Line
	}
	var line []game.Move
	for _, m := range o.p.Line(ctx, p.(*ultimate.Position).Board()) {
		line = append(line, game.Move(m))
	}
	return line
}

// ValueAfter plays m in p and returns the proved value of the new position for the side that played m. It negates the oracle's
// verdict if the other side is to move in the new position.
func ValueAfter(ctx context.Context, o Oracle, p game.Position, m game.Move, nodes uint64, want Wanted) Verdict {
	me := p.Turn()
	p.Play(m)
	defer p.Undo()
	switch p.Outcome() {
	case game.Ongoing:
	case game.Draw:
		return Verdict{Known: true, Plies: 1}
	case game.WinFor(me):
		return Verdict{Sign: 1, Known: true, Plies: 1}
	default:
		return Verdict{Sign: -1, Known: true, Plies: 1}
	}
	turns := p.Turn() != me
	switch { // want is from the view of the side me, but Value expects it from the view of the side to move
	case turns && want == Win:
		want = Loss
	case turns && want == Loss:
		want = Win
	}
	v := o.Value(ctx, p, nodes, want)
	if turns {
		v.Sign = -v.Sign
	}
	if v.Plies > 0 {
		v.Plies++
	}
	return v
}
