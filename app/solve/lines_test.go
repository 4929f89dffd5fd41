// SPDX-License-Identifier: Apache-2.0

package solve_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/engine/gomoku"
	exact "github.com/krow-lab/krow/engine/mnk"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
)

// TestSolvedLines: each of several lines that the gomoku engine calls solved has that value by the exact solver.
func TestSolvedLines(t *testing.T) {
	seeds := uint64(40)
	if os.Getenv("KROW_LONG") == "1" {
		seeds = 6000
	}
	must := gametest.Must[*mnk.Game](t)
	for _, g := range []game.Game{must(mnk.MNK(7, 6, 4)), must(mnk.MNK(6, 6, 4)), must(mnk.MNK(5, 5, 4)), must(mnk.MNK(7, 5, 4)), must(mnk.MNK(8, 5, 5))} {
		engine, err := gomoku.New(g, gomoku.Options{Hash: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		solver, err := exact.New(g, exact.Options{})
		if err != nil {
			t.Fatal(err)
		}
		solved := 0
		for seed := range seeds {
			r := rand.New(rand.NewPCG(seed, 6))
			p := g.Start()
			for n := 5 + r.IntN(12); n > 0 && p.Outcome() == game.Ongoing; n-- {
				moves := p.AppendMoves(nil)
				p.Play(moves[r.IntN(len(moves))])
			}
			if p.Outcome() != game.Ongoing {
				continue
			}
			lines := map[int]search.Info{}
			limits := search.Limits{Nodes: []uint64{1, 300, 3000}[r.IntN(3)], Lines: 4}
			if _, err := engine.Search(t.Context(), p, limits, func(i search.Info) { lines[i.Line] = i }); err != nil {
				t.Fatal(err)
			}
			for _, line := range lines {
				if !line.Solved {
					continue
				}
				solved++
				_, claim := line.Score.Distance()
				if value := valueAfter(t, solver, p, line.PV[0]); value != claim {
					t.Errorf("%s after %v: line %d, %v, says %d and is worth %d", g, p.AppendHistory(nil), line.Line, line.PV, claim, value)
				}
			}
		}
		if solved < 5 {
			t.Errorf("%s: %d solved lines: too few", g, solved)
		}
	}
}

// valueAfter returns what a move is worth to the side that makes it.
func valueAfter(t *testing.T, s *exact.Solver, p game.Position, m game.Move) int {
	t.Helper()
	q := p.Clone()
	q.Play(m)
	if winner, won := q.Outcome().Winner(); won {
		if winner == p.Turn() {
			return 1
		}
		return -1
	}
	if q.Outcome() != game.Ongoing {
		return 0
	}
	a, err := s.Solve(t.Context(), q, search.Limits{Nodes: 10_000_000})
	if err != nil || !a.Solved() {
		t.Fatalf("the exact solver does not solve %v: %v", q.AppendHistory(nil), err)
	}
	return -a.Low
}
