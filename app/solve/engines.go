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
	"github.com/krow-lab/krow/engine/mnk"
	boards "github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/engine/ultimate/prover"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
)

// engines are asked in turn. One that does not know the game returns nil and no error; weak says that it proves no
// distances.
var engines = []func(game.Game, Options) (e engine, weak bool, err error){newConnect4, newMNK, newUltimate}

// values are the words for a value, from the worst one.
var values = [...]string{"loss", "draw", "win"}

// bounded returns the value of a position that is worth low to high, each -1, 0 or 1.
func bounded(low, high int, nodes uint64) Solution {
	v := Solution{Nodes: nodes, Bounds: "nothing"}
	switch {
	case low == high:
		v.Value = values[low+1]
		v.Bounds = v.Value
	case low == 0:
		v.Bounds = "at least a draw"
	case high == 0:
		v.Bounds = "at most a draw"
	}
	return v
}

// oneThread returns an error for options of more threads.
func oneThread(g game.Game, o Options) error {
	if o.Threads != 1 {
		return fmt.Errorf("%s is solved by one thread, not %d", g, o.Threads)
	}
	return nil
}

// connect4Engine solves Connect Four.
type connect4Engine struct {
	s     *connect4.Solver
	root  connect4.Position // where report was wanted last
	known connect4.Result   // of root
}

func newConnect4(g game.Game, o Options) (engine, bool, error) {
	if !strings.HasPrefix(g.String(), "connect4") {
		return nil, false, nil
	}
	s, err := connect4.NewSolver(g, connect4.Options{Weak: o.Weak, Threads: o.Threads, Hash: o.Hash})
	if err != nil {
		return nil, false, fmt.Errorf("solve %s: %w", g, err)
	}
	return &connect4Engine{s: s}, false, nil
}

func (c *connect4Engine) clear() { c.s.Clear() }

func (c *connect4Engine) solve(ctx context.Context, p game.Position, report func(Solution)) Solution {
	q := c.s.FromGame(p)
	c.s.Report = nil
	if report == nil {
		return c.value(q, c.s.Solve(ctx, q))
	}
	before := uint64(0)
	if c.root == q {
		before = c.known.Nodes
	} else {
		c.root, c.known = q, connect4.Nothing()
	}
	defer func() { c.s.Report = nil }() // the searches for lines and certificates are not reported
	c.s.Report = func(r connect4.Result) {
		r.Nodes += before
		c.known = r
		report(c.value(q, r))
	}
	c.known = c.s.Narrow(ctx, q, c.known)
	return c.value(q, c.known)
}

func (c *connect4Engine) value(p connect4.Position, r connect4.Result) Solution {
	v := Solution{Nodes: r.Nodes, exact: r.Exact(), Bounds: fmt.Sprintf("score %+d to %+d", r.Lower, r.Upper)}
	if sign, known := r.Sign(); known {
		v.Value = values[sign+1]
	}
	if v.exact {
		v.score, v.plies = r.Lower, p.Plies(r.Lower)
	}
	return v
}

func (c *connect4Engine) line(ctx context.Context, p game.Position, v Solution) []game.Move {
	q := c.s.FromGame(p)
	if v.exact {
		return moves(c.s.Line(ctx, q, v.score))
	}
	if m := c.s.Best(ctx, q, map[string]int{"win": 1, "loss": -q.Left()}[v.Value]); m >= 0 {
		return []game.Move{game.Move(m)}
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

func (c *connect4Engine) certify(ctx context.Context, p game.Position, w io.Writer) error {
	return c.s.Certify(ctx, p, w)
}

// rootBounds is a line of JSON that stands before the table.
type rootBounds struct {
	Lower int    `json:"lower"`
	Upper int    `json:"upper"`
	Nodes uint64 `json:"nodes"`
}

func (c *connect4Engine) save(w io.Writer) error {
	if err := json.NewEncoder(w).Encode(rootBounds{c.known.Lower, c.known.Upper, c.known.Nodes}); err != nil {
		return err
	}
	return c.s.Save(w)
}

func (c *connect4Engine) load(p game.Position, r io.Reader) error {
	var line []byte
	for b := []byte{0}; b[0] != '\n'; line = append(line, b[0]) {
		if _, err := r.Read(b); err != nil || len(line) > 1<<10 {
			return errors.New("no first line")
		}
	}
	var k rootBounds
	if err := json.Unmarshal(line, &k); err != nil {
		return err
	}
	cells := len(p.(game.Board).Cells())
	if k.Lower > k.Upper || k.Lower < -cells || k.Upper > cells { // they meet where a certificate was not finished
		return errors.New("these are no bounds")
	}
	c.root, c.known = c.s.FromGame(p), connect4.Result{Lower: k.Lower, Upper: k.Upper, Nodes: k.Nodes}
	return c.s.Load(r)
}

// mnkEngine proves values of m,n,k games.
type mnkEngine struct{ s *mnk.Solver }

func newMNK(g game.Game, o Options) (engine, bool, error) {
	name, _, _ := strings.Cut(g.String(), ":")
	if name != "mnk" && name != "tictactoe" {
		return nil, false, nil
	}
	if err := oneThread(g, o); err != nil {
		return nil, true, err
	}
	s, err := mnk.New(g, mnk.Options{Hash: o.Hash})
	return mnkEngine{s}, true, err
}

func (m mnkEngine) clear() { m.s.Forget() }

func (m mnkEngine) solve(ctx context.Context, p game.Position, report func(Solution)) Solution {
	m.s.Report = nil
	if report != nil {
		m.s.Report = func(a mnk.Answer) { report(mnkValue(a)) }
	}
	a, err := m.s.Solve(ctx, p, search.Limits{})
	v := mnkValue(a)
	if err != nil {
		v.Bounds = err.Error()
	}
	return v
}

func mnkValue(a mnk.Answer) Solution {
	v := bounded(a.Low, a.High, a.Nodes)
	if a.Yes > 0 || a.No > 0 {
		v.Progress = fmt.Sprintf("%d of %d moves fail, proof %d, disproof %d", a.Failed, a.Moves, a.Yes, a.No)
	}
	return v
}

// line returns one move. In a lost position any move keeps the value.
func (m mnkEngine) line(ctx context.Context, p game.Position, v Solution) []game.Move {
	if v.Value == "loss" {
		return p.AppendMoves(nil)[:1]
	}
	a, err := m.s.Solve(ctx, p, search.Limits{})
	if err != nil || a.Best == game.NoMove {
		return nil
	}
	return []game.Move{a.Best}
}

func (m mnkEngine) certify(ctx context.Context, p game.Position, w io.Writer) error {
	return m.s.Certify(ctx, p, search.Limits{}, w)
}

func (m mnkEngine) save(w io.Writer) error                  { return m.s.Save(w) }
func (m mnkEngine) load(_ game.Position, r io.Reader) error { return m.s.Load(r) }

// ultimateEngine proves values of late positions of ultimate tic-tac-toe.
type ultimateEngine struct{ p *prover.Prover }

func newUltimate(g game.Game, o Options) (engine, bool, error) {
	if _, ok := g.(*ultimate.Game); !ok {
		return nil, false, nil
	}
	if err := oneThread(g, o); err != nil {
		return nil, true, err
	}
	return ultimateEngine{prover.New(prover.Options{Hash: o.Hash})}, true, nil
}

func (u ultimateEngine) clear() { u.p.Clear() }

func (u ultimateEngine) solve(ctx context.Context, p game.Position, report func(Solution)) Solution {
	u.p.Report = nil
	if report != nil {
		u.p.Report = func(a prover.Answer) { report(bounded(a.Low, a.High, a.Nodes)) }
	}
	a := u.p.Solve(ctx, boards.FromPosition(p.(*ultimate.Position)), search.Limits{})
	return bounded(a.Low, a.High, a.Nodes)
}

// line goes on to the end, or as far as it is proved in time.
func (u ultimateEngine) line(ctx context.Context, p game.Position, _ Solution) []game.Move {
	u.p.Report = nil
	return moves(u.p.Line(ctx, boards.FromPosition(p.(*ultimate.Position))))
}
