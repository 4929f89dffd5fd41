// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/krow-lab/krow/engine/mnk"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// mnkSolver is the solver of m,n,k games. It proves values, not distances.
type mnkSolver struct{ s *mnk.Solver }

func newMNKSolver(g game.Game, o solveOptions) (exactSolver, error) {
	name, _, _ := strings.Cut(g.String(), ":")
	if name != "mnk" && name != "tictactoe" {
		return nil, nil
	}
	if o.threads != 1 {
		return nil, misusef("", "%s is solved by one thread, not %d", g, o.threads)
	}
	s, err := mnk.New(g, mnk.Options{Hash: o.hash})
	if err != nil {
		return nil, &misuse{err: err}
	}
	return mnkSolver{s}, nil
}

func (m mnkSolver) Clear() { m.s.Forget() }

func (m mnkSolver) Solve(ctx context.Context, p game.Position, report func(solution)) solution {
	m.s.Report = nil
	if report != nil {
		m.s.Report = func(a mnk.Answer) { report(mnkSolution(a)) }
	}
	a, err := m.s.Solve(ctx, p, search.Limits{})
	s := mnkSolution(a)
	if err != nil {
		s.Known = err.Error()
	}
	return s
}

func mnkSolution(a mnk.Answer) solution {
	s := solution{Nodes: a.Nodes, Known: "nothing"}
	switch {
	case a.Solved():
		s.Value = [...]string{"loss", "draw", "win"}[a.Low+1]
		s.Known = s.Value
	case a.Low == 0:
		s.Known = "at least a draw"
	case a.High == 0:
		s.Known = "at most a draw"
	}
	if a.Yes > 0 || a.No > 0 {
		s.Progress = fmt.Sprintf("%d of %d moves fail, proof %d, disproof %d", a.Failed, a.Moves, a.Yes, a.No)
	}
	return s
}

// Save and Load implement resumer: all that is known of a position is in the table.
func (m mnkSolver) Save(w io.Writer) error { return m.s.Save(w) }

// Load reads what Save wrote.
func (m mnkSolver) Load(_ game.Position, r io.Reader) error { return m.s.Load(r) }

// Best returns a move only: whoever loses has no better one than the first.
func (m mnkSolver) Best(ctx context.Context, p game.Position, s solution) []game.Move {
	if s.Value == "loss" {
		return p.AppendMoves(nil)[:1]
	}
	a, err := m.s.Solve(ctx, p, search.Limits{})
	if err != nil || a.Best == game.NoMove {
		return nil
	}
	return []game.Move{a.Best}
}

// Certify writes the certificate of p's value.
func (m mnkSolver) Certify(ctx context.Context, p game.Position, w io.Writer) error {
	return m.s.Certify(ctx, p, search.Limits{}, w)
}
