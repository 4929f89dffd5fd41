// SPDX-License-Identifier: Apache-2.0

package minimax_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/minimax"
	"github.com/krow-lab/krow/search/oracle"
	"github.com/krow-lab/krow/search/searchtest"
)

func TestConformance(t *testing.T) {
	searchtest.Run(t, func(game.Game) search.Searcher { return minimax.New(minimax.Options{}) })
}

// random plays a random game of g and stops at least one ply before its end.
func random(g game.Game, plies int, rng *rand.Rand) game.Position {
	p := g.Start()
	for range plies {
		moves := p.AppendMoves(nil)
		p.Play(moves[rng.IntN(len(moves))])
		if p.Outcome() != game.Ongoing {
			p.Undo()
			break
		}
	}
	return p
}

// stones is a heuristic of few values: the cells of s, weighed, less twice those of the other side.
type stones struct{}

func (stones) Evaluate(p game.Position, s game.Side) eval.Score {
	v := eval.Score(0)
	for i, stone := range p.(game.Board).Cells() {
		switch stone {
		case s.Stone():
			v += eval.Score(i * i % 5)
		case s.Other().Stone():
			v -= 2 * eval.Score(i*i%5)
		}
	}
	return v
}

// following is stones, and complains when it is not told of a move.
type following struct {
	stones
	t     *testing.T
	p     game.Position
	moves int
}

func (f *following) Reset(p game.Position) { f.p, f.moves = p, len(p.AppendHistory(nil)) }
func (f *following) Play(game.Move)        { f.check(); f.moves++ }
func (f *following) Undo()                 { f.moves--; f.check() }

func (f *following) Evaluate(p game.Position, s game.Side) eval.Score {
	f.check()
	return f.stones.Evaluate(p, s)
}

func (f *following) check() {
	if got := len(f.p.AppendHistory(nil)); got != f.moves {
		f.t.Fatalf("told of %d moves, %d were played", f.moves, got)
	}
}

// clones returns the value of p to root and the first best move, as directly as it can be said: no undo,
// no stack, and a list of values at each node.
func clones(p game.Position, root game.Side, depth, ply int, o minimax.Options) (eval.Score, game.Move) {
	switch outcome := p.Outcome(); {
	case outcome != game.Ongoing && o.Terminal == minimax.Exact:
		return eval.Outcome(outcome, root, ply), game.NoMove
	case outcome != game.Ongoing || depth == 0:
		return o.Eval.Evaluate(p, root), game.NoMove
	}
	best, sign, move := -eval.Infinity, eval.Score(1), game.NoMove
	if p.Turn() != root {
		sign = -1
	}
	for _, m := range p.AppendMoves(nil) {
		q := p.Clone()
		q.Play(m)
		if v, _ := clones(q, root, depth-1, ply+1, o); sign*v > best {
			best, move = sign*v, m
		}
	}
	return sign * best, move
}

func TestValue(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, g := range []game.Game{
		m(mnk.TicTacToe(3, 3)), m(mnk.MNK(4, 4, 3)), m(mnk.Connect4(5, 4, 3)), m(mnk.Connect6(4)),
		m(mnk.New(mnk.Rules{Name: "captures", Columns: 5, Rows: 3, K: 4, Captures: 2})),
	} {
		for seed := range uint64(12) {
			rng := rand.New(rand.NewPCG(seed, 3))
			o := minimax.Options{Depth: 1 + rng.IntN(3), Eval: stones{}, Terminal: minimax.Terminal(rng.IntN(2))}
			t.Run(fmt.Sprintf("%s/seed=%d", g, seed), func(t *testing.T) {
				p := random(g, rng.IntN(8), rng)
				score, move := clones(p, p.Turn(), o.Depth, 0, o)
				o.Eval = &following{t: t}
				info, err := minimax.New(o).Search(t.Context(), p, search.Limits{}, nil)
				if err != nil || info.Score != score || info.PV[0] != move || info.Depth != o.Depth || info.Bound != search.Exact {
					t.Errorf("Search: %+v, %v; want score %d and move %d", info, err, score, move)
				}
				checkPV(t, p, o, info)
			})
		}
	}
}

// checkPV plays the line to its end, where the score must come from.
func checkPV(t *testing.T, p game.Position, o minimax.Options, info search.Info) {
	t.Helper()
	q := p.Clone()
	for _, m := range info.PV {
		q.Play(m)
	}
	if len(info.PV) < info.Depth && q.Outcome() == game.Ongoing {
		t.Errorf("the line %v ends before depth %d", info.PV, info.Depth)
	}
	o.Eval = stones{}
	if got, _ := clones(q, p.Turn(), 0, len(info.PV), o); got != info.Score {
		t.Errorf("the line %v ends in %d, the score is %d", info.PV, got, info.Score)
	}
}

// TestSolvedValuesAreTrue searches to the end of small games, where all must be solved and right.
func TestSolvedValuesAreTrue(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, g := range []game.Game{m(mnk.TicTacToe(3, 3)), m(mnk.Connect4(4, 3, 3)), m(mnk.MNK(2, 4, 3))} {
		for seed := range uint64(8) {
			t.Run(fmt.Sprintf("%s/seed=%d", g, seed), func(t *testing.T) {
				p := random(g, 3+int(seed)%3, rand.New(rand.NewPCG(seed, 5)))
				truth, err := oracle.Solve(p, 100_000)
				if err != nil {
					t.Fatal(err)
				}
				lines := map[int]search.Info{}
				s := minimax.New(minimax.Options{Depth: 12, Eval: stones{}})
				info, err := s.Search(t.Context(), p, search.Limits{Lines: 100}, func(i search.Info) { lines[i.Line] = i })
				if err != nil || !info.Solved || info.Score != truth.Best.Score || info.PV[0] != truth.Best.Move {
					t.Errorf("Search: %+v, %v; the oracle says %+v", info, err, truth.Best)
				}
				if len(lines) != len(truth.Moves) {
					t.Fatalf("%d lines, want %d", len(lines), len(truth.Moves))
				}
				for n, line := range lines {
					if of, _ := truth.Of(line.PV[0]); of != line.Score || !line.Solved {
						t.Errorf("line %d: %+v, the oracle says %d", n, line, of)
					}
				}
			})
		}
	}
}

// TestOpenLeafIsNoDraw: a leaf that is valued at nothing is no draw, and with Terminal Eval nothing is proved.
func TestOpenLeafIsNoDraw(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.TicTacToe(3, 3))
	for _, o := range []minimax.Options{{Depth: 8}, {Depth: 9, Terminal: minimax.Eval}} {
		info, err := minimax.New(o).Search(t.Context(), g.Start(), search.Limits{}, nil)
		if err != nil || info.Solved || info.Score != 0 {
			t.Errorf("%+v: %+v, %v; want an unsolved 0", o, info, err)
		}
	}
}

// gloomy values all positions a little less than a draw.
type gloomy struct{}

func (gloomy) Evaluate(game.Position, game.Side) eval.Score { return -1 }

// ends says whether all games from p end within depth.
func ends(p game.Position, depth int) bool {
	if p.Outcome() != game.Ongoing || depth == 0 {
		return p.Outcome() != game.Ongoing
	}
	for _, m := range p.AppendMoves(nil) {
		q := p.Clone()
		q.Play(m)
		if !ends(q, depth-1) {
			return false
		}
	}
	return true
}

// TestPartlySolved: a draw is no proof where another move captures and so leads to a longer game.
func TestPartlySolved(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.New(mnk.Rules{Name: "captures", Columns: 7, Rows: 2, K: 6, Captures: 8}))
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 37))
		p := random(g, 40, rng)
		for range rng.IntN(3) {
			p.Undo()
		}
		depth := 1 + rng.IntN(3)
		info, err := minimax.New(minimax.Options{Depth: depth, Eval: gloomy{}}).Search(t.Context(), p, search.Limits{}, nil)
		_, sign := info.Score.Distance()
		if want := sign != 0 || ends(p, depth); err != nil || info.Solved != want {
			t.Errorf("seed %d, depth %d: %+v, %v; want solved %v", seed, depth, info, err, want)
		}
	}
}

// TestStoppedSearchAnswersBest asks for the best of the moves that were finished.
func TestStoppedSearchAnswersBest(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(5, 5, 4))
	info, err := minimax.New(minimax.Options{Depth: 2, Eval: stones{}}).Search(t.Context(), g.Start(), search.Limits{Nodes: 80}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// 25 nodes a root move: three are finished, of which c1 has the heaviest cell.
	if got := g.Format(info.PV[0]); got != "c1" || info.Bound != search.Lower || info.Depth != 2 || info.Nodes != 80 {
		t.Errorf("best %s, %+v; want c1, a lower bound, at depth 2 after 80 nodes", got, info)
	}
	// The first of equals.
	info, err = minimax.New(minimax.Options{Depth: 2}).Search(t.Context(), g.Start(), search.Limits{Nodes: 80}, nil)
	if err != nil || g.Format(info.PV[0]) != "a1" || info.Solved {
		t.Errorf("%+v, %v; want a1, not solved", info, err)
	}
}
