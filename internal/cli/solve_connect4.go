// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/game"
)

// connect4Solver is the solver of Connect Four.
type connect4Solver struct {
	s     *connect4.Solver
	root  connect4.Position // where report was wanted last
	known connect4.Result   // of root
}

func newConnect4Solver(g game.Game, o solveOptions) (exactSolver, error) {
	if !strings.HasPrefix(g.String(), "connect4") {
		return nil, nil
	}
	s, err := connect4.NewSolver(g, connect4.Options{Weak: o.weak, Threads: o.threads, Hash: o.hash})
	if err != nil {
		return nil, misusef("", "solve %s: %w", g, err)
	}
	return &connect4Solver{s: s}, nil
}

func (c *connect4Solver) Clear() { c.s.Clear() }

func (c *connect4Solver) connect4() *connect4.Solver { return c.s }

func (c *connect4Solver) Solve(ctx context.Context, p game.Position, report func(solution)) solution {
	q := c.s.FromGame(p)
	c.s.Report = nil
	if report == nil {
		return c.solution(q, c.s.Solve(ctx, q))
	}
	before := uint64(0)
	if c.root == q {
		before = c.known.Nodes
	} else {
		c.root, c.known = q, connect4.Nothing()
	}
	defer func() { c.s.Report = nil }() // it is not to hear of the searches for lines and certificates
	c.s.Report = func(r connect4.Result) {
		r.Nodes += before
		c.known = r
		report(c.solution(q, r))
	}
	c.known = c.s.Narrow(ctx, q, c.known)
	return c.solution(q, c.known)
}

// knownOfRoot is what Save writes before the table.
type knownOfRoot struct {
	Lower int    `json:"lower"`
	Upper int    `json:"upper"`
	Nodes uint64 `json:"nodes"`
}

// Save implements resumer.
func (c *connect4Solver) Save(w io.Writer) error {
	if err := printJSON(w, knownOfRoot{c.known.Lower, c.known.Upper, c.known.Nodes}); err != nil {
		return err
	}
	return c.s.Save(w)
}

// Load implements resumer. What it reads is of the position that is solved next.
func (c *connect4Solver) Load(p game.Position, r io.Reader) error {
	var line []byte
	for b := []byte{0}; b[0] != '\n'; line = append(line, b[0]) {
		if _, err := r.Read(b); err != nil || len(line) > 1<<10 {
			return errors.New("no first line")
		}
	}
	var k knownOfRoot
	if err := json.Unmarshal(line, &k); err != nil {
		return err
	}
	cells := len(p.(game.Board).Cells())
	if k.Lower > k.Upper || k.Lower < -cells || k.Upper > cells { // they meet where a certificate was not finished
		return errors.New("these bounds are none")
	}
	c.root, c.known = c.s.FromGame(p), connect4.Result{Lower: k.Lower, Upper: k.Upper, Nodes: k.Nodes}
	return c.s.Load(r)
}

func (c *connect4Solver) solution(p connect4.Position, r connect4.Result) solution {
	s := solution{Nodes: r.Nodes, Exact: r.Exact(), Known: fmt.Sprintf("score %+d to %+d", r.Lower, r.Upper)}
	if sign, known := r.Sign(); known {
		s.Value = [...]string{"loss", "draw", "win"}[sign+1]
	}
	if s.Exact {
		s.Score, s.Plies = r.Lower, p.Plies(r.Lower)
	}
	return s
}

func (c *connect4Solver) Best(ctx context.Context, p game.Position, s solution) []game.Move {
	q := c.s.FromGame(p)
	var line []int
	if s.Exact {
		line = c.s.Line(ctx, q, s.Score)
	} else if m := c.s.Best(ctx, q, map[string]int{"win": 1, "loss": -q.Left()}[s.Value]); m >= 0 {
		line = []int{m}
	}
	moves := make([]game.Move, len(line))
	for i, m := range line {
		moves[i] = game.Move(m)
	}
	return moves
}

// Certify writes the certificate of p's value.
func (c *connect4Solver) Certify(ctx context.Context, p game.Position, w io.Writer) error {
	return c.s.Certify(ctx, p, w)
}
