// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"

	boards "github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/engine/ultimate/prover"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
)

// ultimateSolver is the prover of ultimate tic-tac-toe. It proves values, not distances.
type ultimateSolver struct{ s *prover.Prover }

func newUltimateSolver(g game.Game, o solveOptions) (exactSolver, error) {
	if _, ok := g.(*ultimate.Game); !ok {
		return nil, nil
	}
	if o.threads != 1 {
		return nil, misusef("", "%s is solved by one thread, not %d", g, o.threads)
	}
	return ultimateSolver{prover.New(prover.Options{Hash: o.hash})}, nil
}

func (u ultimateSolver) Clear() { u.s.Clear() }

func (u ultimateSolver) Solve(ctx context.Context, p game.Position, report func(solution)) solution {
	u.s.Report = nil
	if report != nil {
		u.s.Report = func(a prover.Answer) { report(ultimateSolution(a)) }
	}
	return ultimateSolution(u.s.Solve(ctx, boards.FromPosition(p.(*ultimate.Position)), search.Limits{}))
}

func ultimateSolution(a prover.Answer) solution {
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
	return s
}

// Best returns a line to the end on which nobody gives away what the position is worth, or as much of it as is proved
// in time.
func (u ultimateSolver) Best(ctx context.Context, p game.Position, _ solution) []game.Move {
	u.s.Report = nil
	line := u.s.Line(ctx, boards.FromPosition(p.(*ultimate.Position)))
	moves := make([]game.Move, len(line))
	for i, m := range line {
		moves[i] = game.Move(m)
	}
	return moves
}
