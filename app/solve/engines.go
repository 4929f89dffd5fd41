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

// engine is the interface to an exact solver. Its methods stop when ctx is done.
type engine interface {
	about() traits
	// solve proves bounds of the value of p, which must be ongoing. Unless report is nil, solve calls it for each better bound
	// and from time to time.
	solve(ctx context.Context, p game.Position, report func(Solution)) Solution
	// line returns a sequence of best moves for both sides from p, whose value is v. The sequence ends with the game, or
	// earlier where the known moves end. It is empty if no best move is proved in p.
	line(ctx context.Context, p game.Position, v Solution) []game.Move
	certify(ctx context.Context, p game.Position, w io.Writer) error
	clear()
}

// resumer is an engine whose unfinished work can be stored. save writes the work. load reads the work on the position p into
// a new engine of the same game. The parameter hash is the size of the table, in bytes, in the engine that wrote the work.
type resumer interface {
	save(w io.Writer) error
	load(p game.Position, r io.Reader, hash int) error
}

// traits are properties of an engine. Engines embed them.
type traits struct {
	weak    bool // whether the engine proves no distances to the end of the game
	apart   bool // whether a position has too many moves to solve each of them
	rests   bool // whether no thread writes to the table during a call of report
	version int  // version of the format of unfinished work; 0 means unfinishedVersion
}

func (t traits) about() traits { return t }

func engineOf(g game.Game, o Options) (engine, error) {
	newEngine := solvers[family(g)]
	if newEngine == nil {
		return nil, fmt.Errorf("%s has no solver", g)
	}
	if o.Plans && family(g) != "connect4" {
		return nil, fmt.Errorf("plans are for Connect Four, not for %s", g)
	}
	e, err := newEngine(g, o)
	if _, wins := e.(*zoneEngine); err == nil && o.Short && !wins {
		if _, wins = e.(*rows); !wins {
			return nil, fmt.Errorf("%s has no certificates that can be shortened", g)
		}
	}
	return e, err
}

var solvers = map[string]func(game.Game, Options) (engine, error){
	"connect4": newConnect4, "mnk": newMNK, "tictactoe": newMNK, "ultimate": newUltimate,
	"gomoku": newRows, "standard": newRows, "caro": newRows, "renju": newZones,
	"connect6": newTrees, "pente": newTrees, "atarigo": newTrees,
}

// provers are the games in which only some positions can be solved, because the engine can only prove wins.
var provers = map[string]bool{"gomoku": true, "standard": true, "caro": true, "renju": true, "connect6": true, "pente": true, "atarigo": true}

func family(g game.Game) string {
	name, _, _ := strings.Cut(g.String(), ":")
	return name
}

// connect4Engine proves scores of Connect Four.
type connect4Engine struct {
	traits
	s     *connect4.Solver
	plans bool
	root  connect4.Position // position of the last call of solve whose argument report was not nil
	known connect4.Result   // the bounds of root that this call and earlier calls for root have proved
}

func newConnect4(g game.Game, o Options) (engine, error) {
	s, err := connect4.NewSolver(g, connect4.Options{Weak: o.Weak, Threads: o.Threads, Hash: o.Hash})
	if err != nil {
		return nil, fmt.Errorf("solve %s: %w", g, err)
	}
	if o.Plans && !connect4.Plays(g) {
		return nil, fmt.Errorf("plans: %s has a board of more than 64 bits", g)
	}
	return &connect4Engine{s: s, plans: o.Plans}, nil
}

func scored(p connect4.Position, r connect4.Result) Solution {
	return Solution{Scored: true, Lower: r.Lower, Upper: r.Upper, plies: p.Plies(r.Lower), Nodes: r.Nodes}
}

func (e *connect4Engine) clear() { e.s.Clear() }

func (e *connect4Engine) solve(ctx context.Context, p game.Position, report func(Solution)) Solution {
	q := e.s.FromGame(p)
	if report == nil {
		return scored(q, e.s.Solve(ctx, q))
	}
	if e.root != q {
		e.root, e.known = q, connect4.Unknown()
	}
	before := e.known.Nodes
	defer func() { e.s.Report = nil }() // later searches for moves, lines and certificates must not report
	e.s.Report = func(r connect4.Result) {
		r.Nodes += before
		e.known = r
		report(scored(q, r))
	}
	e.known = e.s.SolveWithin(ctx, q, e.known)
	return scored(q, e.known)
}

func (e *connect4Engine) line(ctx context.Context, p game.Position, v Solution) []game.Move {
	q := e.s.FromGame(p)
	if v.Lower == v.Upper {
		return moves(e.s.Line(ctx, q, v.Lower))
	}
	if m := e.s.Best(ctx, q, map[string]int{"win": 1, "loss": -q.Left()}[v.Value]); m >= 0 {
		return []game.Move{game.Move(m)}
	}
	return nil
}

func (e *connect4Engine) certify(ctx context.Context, p game.Position, w io.Writer) error {
	if e.plans {
		return e.s.CertifyByPlans(ctx, p, w)
	}
	return e.s.Certify(ctx, p, w)
}

func (e *connect4Engine) save(w io.Writer) error {
	if err := json.NewEncoder(w).Encode(rootBounds{e.known.Lower, e.known.Upper, e.known.Nodes}); err != nil {
		return err
	}
	return e.s.Save(w)
}

func (e *connect4Engine) load(p game.Position, r io.Reader, _ int) error {
	k, err := readBounds(r, len(p.(game.Board).Cells()))
	if err != nil {
		return err
	}
	e.root, e.known = e.s.FromGame(p), connect4.Result{Lower: k.Lower, Upper: k.Upper, Nodes: k.Nodes}
	return e.s.Load(r)
}

// rootBounds is the JSON line before the table in a file of unfinished work of Connect Four.
type rootBounds struct {
	Lower int    `json:"lower"`
	Upper int    `json:"upper"`
	Nodes uint64 `json:"nodes"`
}

// readBounds reads rootBounds. It reads byte by byte, so that it does not consume bytes of the table that follows.
func readBounds(r io.Reader, cells int) (k rootBounds, err error) {
	var line []byte
	for b := []byte{0}; b[0] != '\n'; line = append(line, b[0]) {
		if _, err := r.Read(b); err != nil || len(line) > 1<<10 {
			return k, errors.New("no first line")
		}
	}
	err = json.Unmarshal(line, &k)
	if err == nil && (k.Lower > k.Upper || k.Lower < -cells || k.Upper > cells) { // equal bounds are valid: the score is then known
		err = errors.New("the bounds are invalid")
	}
	return k, err
}

// mnkEngine proves values of m,n,k games.
type mnkEngine struct {
	traits
	s *mnk.Solver
}

func newMNK(g game.Game, o Options) (engine, error) {
	if p, ok := g.Start().(game.Board); ok && len(p.Cells()) > mnk.MaxCells {
		return newZones(g, o)
	}
	s, err := mnk.New(g, mnk.Options{Hash: o.Hash, Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	return &mnkEngine{traits{weak: true, rests: true}, s}, nil
}

func mnkSolution(a mnk.Answer) Solution {
	v := Solution{Lower: a.Low, Upper: a.High, Nodes: a.Nodes}
	if a.Stuck {
		v.stuck = "one side cannot break every line of the other, and more is not tried on this board"
	}
	if a.Proof > 0 || a.Disproof > 0 {
		v.Progress = fmt.Sprintf("%d of %d moves fail, proof %d, disproof %d", a.Failed, a.Moves, a.Proof, a.Disproof)
	}
	return v
}

func (e *mnkEngine) clear() { e.s.Clear() }

func (e *mnkEngine) solve(ctx context.Context, p game.Position, report func(Solution)) Solution {
	defer func() { e.s.Report = nil }()
	if report != nil {
		e.s.Report = func(a mnk.Answer) { report(mnkSolution(a)) }
	}
	a, _ := e.s.Solve(ctx, p, search.Limits{}) // there is no error, because p is ongoing
	return mnkSolution(a)
}

func (e *mnkEngine) line(ctx context.Context, p game.Position, v Solution) []game.Move {
	if v.Value == "loss" { // the position is lost, so every move keeps the value
		return p.AppendMoves(nil)[:1]
	}
	if a, _ := e.s.Solve(ctx, p, search.Limits{}); a.Best != game.NoMove {
		return []game.Move{a.Best}
	}
	return nil
}

func (e *mnkEngine) certify(ctx context.Context, p game.Position, w io.Writer) error {
	return e.s.Certify(ctx, p, search.Limits{}, w)
}

func (e *mnkEngine) save(w io.Writer) error { return e.s.Save(w) }
func (e *mnkEngine) load(_ game.Position, r io.Reader, hash int) error {
	return e.s.Load(r, hash)
}

// ultimateEngine proves values of late positions in ultimate tic-tac-toe.
type ultimateEngine struct {
	traits
	s *prover.Prover
}

func newUltimate(g game.Game, o Options) (engine, error) {
	if o.Threads > 1 {
		return nil, fmt.Errorf("the solver of %s uses one thread, not %d", g, o.Threads)
	}
	return &ultimateEngine{traits{weak: true}, prover.New(prover.Options{Hash: o.Hash})}, nil
}

func boardOf(p game.Position) ultimate.Board { return p.(*ultimate.Position).Board() }

func (e *ultimateEngine) clear() { e.s.Clear() }

func (e *ultimateEngine) solve(ctx context.Context, p game.Position, report func(Solution)) Solution {
	solution := func(a prover.Answer) Solution { return Solution{Lower: a.Low, Upper: a.High, Nodes: a.Nodes} }
	defer func() { e.s.Report = nil }()
	if report != nil {
		e.s.Report = func(a prover.Answer) { report(solution(a)) }
	}
	return solution(e.s.Solve(ctx, boardOf(p), search.Limits{}))
}

func (e *ultimateEngine) line(ctx context.Context, p game.Position, _ Solution) []game.Move {
	return moves(e.s.Line(ctx, boardOf(p)))
}

func (e *ultimateEngine) certify(ctx context.Context, p game.Position, w io.Writer) error {
	return e.s.Certify(ctx, boardOf(p), w)
}

// zoneSolution converts the answer of a prover of wins to a Solution.
func zoneSolution(a gomoku.Answer) Solution {
	v := Solution{Lower: -1, Upper: 1, Nodes: a.Nodes}
	switch {
	case a.Value != 0:
		v.Lower, v.Upper = a.Value, a.Value
	case a.Full:
		v.stuck = "the memory is used up"
	case a.Over:
		v.stuck = "no win was found, and no move is left to try"
	}
	if v.Progress = fmt.Sprintf("%d positions, %d trees, proof %d, disproof %d", a.Positions, a.Trees, a.Proof, a.Disproof); a.Answers > 0 {
		if v.Progress = fmt.Sprintf("%d of %d answers to the first move", a.Proved, a.Answers); a.Proved > 0 {
			v.part = v.Progress
		}
	}
	return v
}

// zoneEngine proves wins on large boards. Its certificates contain zones: the cells on which a move of the defender can matter.
type zoneEngine struct {
	traits
	s *gomoku.Solver
}

func newZones(g game.Game, o Options) (engine, error) {
	s, err := gomoku.NewSolver(g, o.Hash, o.Threads)
	if err != nil {
		return nil, err
	}
	s.Short = o.Short
	return &zoneEngine{traits{weak: true, rests: true, apart: true, version: zonesVersion}, s}, nil
}

func (e *zoneEngine) clear() { e.s.Clear() }

func (e *zoneEngine) solve(ctx context.Context, p game.Position, report func(Solution)) Solution {
	defer func() { e.s.Report = nil }()
	if report != nil {
		e.s.Report = func(a gomoku.Answer) { report(zoneSolution(a)) }
	}
	return zoneSolution(e.s.Solve(ctx, p, search.Limits{}))
}

func (e *zoneEngine) line(_ context.Context, p game.Position, _ Solution) []game.Move {
	return e.s.Line(p)
}

func (e *zoneEngine) certify(ctx context.Context, p game.Position, w io.Writer) error {
	return e.s.Certify(ctx, p, w)
}

func (e *zoneEngine) save(w io.Writer) error { return e.s.Save(w) }
func (e *zoneEngine) load(p game.Position, r io.Reader, _ int) error {
	return e.s.Load(p, r)
}

func moves[T int | uint8](line []T) []game.Move {
	all := make([]game.Move, len(line))
	for i, m := range line {
		all[i] = game.Move(m)
	}
	return all
}
