// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

// truth returns the score of p from a search of all positions below it, by the rules of package mnk alone. memo keeps the scores
// of positions.
func truth(p game.Position, memo map[uint64]int8) int {
	if v, ok := memo[p.Key()]; ok {
		return int(v)
	}
	v := -noBound
	if p.Outcome() != game.Ongoing {
		v = 0
		if p.Outcome() != game.Draw { // the last stone won: half the cells + 1 - the winner's stones
			v = (len(p.(game.Board).Cells())+2-p.Ply())/2 - 2*((len(p.(game.Board).Cells())+2-p.Ply())/2)
		}
	}
	for _, m := range p.AppendMoves(nil) {
		p.Play(m)
		v = max(v, -truth(p, memo))
		p.Undo()
	}
	memo[p.Key()] = int8(v)
	return v
}

// solvers returns a solver with each option, for boards of one word and of two; solvers with threads come last.
func solvers(t *testing.T, columns, rows, k int) (g *mnk.Game, made []*Solver) {
	t.Helper()
	for _, o := range []Options{{}, {NoParity: true}, {Weak: true}, {Threads: 3}} {
		var s *Solver
		o.Hash = 1 << 16
		g, s = solver(t, columns, rows, k, o)
		made = append(made, widened(s, o), s)
	}
	return g, made
}

// widened returns a solver with boards of two words for a game for which one word suffices.
func widened(s *Solver, o Options) *Solver {
	wide := &Solver{g: s.g}
	wide.use(o, true)
	return wide
}

func solver(t testing.TB, columns, rows, k int, o Options) (*mnk.Game, *Solver) {
	t.Helper()
	g, err := mnk.Connect4(columns, rows, k)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSolver(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return g, s
}

// check compares the results of s for p with its true score.
func check(t *testing.T, s *Solver, p game.Position, want int) {
	t.Helper()
	r := s.Solve(t.Context(), s.FromGame(p))
	name := fmt.Sprintf("%T, weak=%t, noParity=%t, %d threads", s.table, s.weak, s.workers[0].self().noParity, len(s.workers))
	if s.weak {
		sign, known := r.Sign()
		if !known || sign != max(min(want, 1), -1) || r.Lower > want || r.Upper < want {
			t.Fatalf("%s: score %d to %d, want %d\n%s", name, r.Lower, r.Upper, want, gametest.Picture(p))
		}
		return
	}
	if r.Lower != want || r.Upper != want {
		t.Fatalf("%s: score %d to %d, want %d\n%s", name, r.Lower, r.Upper, want, gametest.Picture(p))
	}
}

// TestEveryPosition solves every position of small boards, over or not, and compares with the truth.
func TestEveryPosition(t *testing.T) {
	boards := [][3]int{{4, 3, 3}, {3, 4, 3}, {2, 6, 3}, {1, 9, 4}, {9, 1, 3}, {4, 3, 2}, {3, 3, 5}}
	if !testing.Short() {
		boards = append(boards, [3]int{5, 3, 4}, [3]int{7, 2, 3})
	}
	if os.Getenv("KROW_LONG") != "" {
		boards = append(boards, [3]int{4, 4, 4}, [3]int{9, 2, 3}, [3]int{2, 8, 3}, [3]int{5, 4, 4}, [3]int{4, 5, 4}, [3]int{4, 4, 3}, [3]int{5, 4, 5}, [3]int{3, 6, 4})
	}
	for _, b := range boards {
		t.Run(fmt.Sprintf("%dx%d,k=%d", b[0], b[1], b[2]), func(t *testing.T) {
			g, solvers := solvers(t, b[0], b[1], b[2])
			solvers = solvers[:len(solvers)-2] // threads take long to start
			if b[0]*b[1] > 14 {
				solvers = solvers[:2]
			}
			memo, seen := map[uint64]int8{}, map[uint64]bool{}
			truth(g.Start(), memo)
			every(g.Start(), seen, func(p game.Position) {
				for _, s := range solvers {
					check(t, s, p, int(memo[p.Key()]))
				}
			})
			if len(seen) != len(memo) || len(seen) < b[0]*b[1] {
				t.Errorf("compared %d positions of %d", len(seen), len(memo))
			}
		})
	}
}

// every calls do for each different position from p on.
func every(p game.Position, seen map[uint64]bool, do func(game.Position)) {
	if seen[p.Key()] {
		return
	}
	seen[p.Key()] = true
	do(p)
	for _, m := range p.AppendMoves(nil) {
		p.Play(m)
		every(p, seen, do)
		p.Undo()
	}
}

// late returns a random position of g with the given number of empty cells, or nil if the game ended before.
func late(g game.Game, rng *rand.Rand, left int) game.Position {
	p := g.Start()
	for cells := len(p.(game.Board).Cells()); cells-p.Ply() > left; {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			return nil
		}
		p.Play(moves[rng.IntN(len(moves))])
		if p.Outcome() != game.Ongoing { // once more
			p.Undo()
			p.Play(moves[rng.IntN(len(moves))])
		}
	}
	return p
}

// TestEndsOfGamesAreTrue compares the ends of random games on boards of all shapes.
func TestEndsOfGamesAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, b := range [][3]int{{7, 6, 4}, {8, 7, 4}, {7, 7, 4}, {9, 5, 4}, {6, 8, 4}, {5, 5, 4}, {10, 5, 5}, {12, 3, 4}, {8, 6, 5}, {9, 7, 5}, {16, 7, 7}, {1, 127, 4}, {64, 1, 5}} {
		t.Run(fmt.Sprintf("%dx%d,k=%d", b[0], b[1], b[2]), func(t *testing.T) {
			g, solvers := solvers(t, b[0], b[1], b[2])
			rng := rand.New(rand.NewPCG(uint64(b[0]), uint64(b[1])))
			for n := 0; n < 15; {
				p := late(g, rng, 4+rng.IntN(5))
				if p == nil {
					continue
				}
				want := truth(p, map[uint64]int8{})
				for _, s := range solvers {
					check(t, s, p, want)
				}
				n++
			}
		})
	}
}

// FuzzSolve plays columns on 7 x 6 until few cells are left and compares what follows.
func FuzzSolve(f *testing.F) {
	f.Add([]byte("3222233333011110004444466665555"))
	f.Add([]byte("2252576253462244111563365343671351441"))
	f.Add([]byte("012345601234560123456012345601234"))
	g, err := mnk.Connect4(7, 6, 4)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, columns []byte) {
		_, s := solver(t, 7, 6, 4, Options{Hash: 1 << 16})
		p := g.Start()
		for _, c := range columns {
			if moves := p.AppendMoves(nil); len(moves) > 0 {
				p.Play(moves[int(c)%len(moves)])
			}
		}
		if left := 42 - p.Ply(); left <= 11 || p.Outcome() != game.Ongoing {
			check(t, s, p, truth(p, map[uint64]int8{}))
		}
	})
}
