// SPDX-License-Identifier: Apache-2.0

package widening_test

import (
	"context"
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
	"github.com/krow-lab/krow/search/widening"
)

func TestConformance(t *testing.T) {
	searchtest.Run(t, func(g game.Game) search.Searcher {
		s, err := widening.New(g, 4)
		if err != nil {
			return nil
		}
		return s
	})
}

func board(t *testing.T, columns, rows, k int) *mnk.Game {
	t.Helper()
	return gametest.Must[*mnk.Game](t)(mnk.New(mnk.Rules{Name: fmt.Sprintf("mnk:%d,%d,%d", columns, rows, k), Columns: columns, Rows: rows, K: k}))
}

// random returns a position of g after n random moves, or one that is finished.
func random(g game.Game, n int, rng *rand.Rand) game.Position {
	p := g.Start()
	for range n {
		if p.Outcome() == game.Ongoing {
			moves := p.AppendMoves(nil)
			p.Play(moves[rng.IntN(len(moves))])
		}
	}
	return p
}

func find(t *testing.T, p game.Position, order int) search.Info {
	t.Helper()
	s, err := widening.New(p.Game(), order)
	if err != nil {
		t.Fatal(err)
	}
	info, err := s.Search(context.Background(), p, search.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// TestEqualsOracle compares the values of small boards, at an order that reaches the end of the game, with those of a search of the
// whole game.
func TestEqualsOracle(t *testing.T) {
	for _, b := range []struct{ columns, rows, k, least int }{{3, 3, 3, 0}, {4, 3, 3, 2}, {5, 2, 2, 0}, {4, 4, 3, 5}, {4, 4, 4, 5}, {5, 4, 4, 9}} {
		g := board(t, b.columns, b.rows, b.k)
		t.Run(g.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 1))
			values := map[string]int{}
			for i := range 35 {
				p := random(g, b.least+i%7, rng)
				if p.Outcome() != game.Ongoing {
					continue
				}
				want, err := oracle.Solve(p, 1<<22)
				if err != nil {
					t.Fatal(err)
				}
				got := find(t, p, b.columns*b.rows)
				if !got.Solved || got.Score != want.Best.Score {
					t.Errorf("%v solved %t, want %v, in\n%v", got.Score, got.Solved, want.Best.Score, p)
				}
				if of, ok := want.Of(got.PV[0]); !ok || of != want.Best.Score && got.Value() != "loss" {
					t.Errorf("the move %v is worth %v, want %v, in\n%v", got.PV[0], of, want.Best.Score, p)
				}
				values[got.Value()]++
			}
			if values["win"] == 0 {
				t.Errorf("no win among the positions: %v", values)
			}
		})
	}
}

// TestEqualsMinimax compares wins on larger boards with those of minimax that looks as deep.
func TestEqualsMinimax(t *testing.T) {
	wins := map[int]int{}
	for _, b := range []struct{ columns, rows, k, plies, order int }{{5, 5, 4, 8, 3}, {6, 5, 4, 6, 2}, {7, 7, 5, 22, 2}} {
		g := board(t, b.columns, b.rows, b.k)
		t.Run(g.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(2, 1))
			for range 30 {
				p := random(g, b.plies, rng)
				if p.Outcome() != game.Ongoing {
					continue
				}
				full, err := minimax.New(minimax.Options{Depth: 2*b.order - 1, Eval: eval.None{}}).Search(context.Background(), p, search.Limits{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				got := find(t, p, b.order)
				plies, sign := full.Score.Distance()
				if won := got.Value() == "win" && got.Solved; won != (sign > 0) || won && got.Score != full.Score {
					t.Errorf("%v, minimax %v, in\n%v", got.Score, full.Score, p)
				}
				if sign > 0 {
					wins[plies]++
				}
			}
		})
	}
	if wins[3] == 0 || wins[5] == 0 {
		t.Errorf("wins by plies: %v, want some in 3 and in 5", wins)
	}
}

// TestWinsAfterBlock searches a position in which First must first stop a row, with a stone that attacks nothing, and then has two
// pairs of which Second can stop only one. The threats need a small part of the nodes of alpha-beta, about 25,000.
func TestWinsAfterBlock(t *testing.T) {
	g := board(t, 9, 9, 4)
	p := g.Start()
	for _, name := range []string{"d8", "g1", "e8", "h1", "d4", "i1", "e4", "i9"} {
		m, err := g.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
	info := find(t, p, 3)
	if got := g.Format(info.PV[0]); got != "f1" || info.Score != eval.Win(5) || info.Nodes > 200 {
		t.Errorf("%s, %v, %d nodes, want f1, a win in 5 plies, 200 nodes or fewer", got, info.Score, info.Nodes)
	}
}

func TestOnlyPlainGames(t *testing.T) {
	for _, r := range []mnk.Rules{{Gravity: true}, {Blocked: true}, {Captures: 5}, {Turn: 2}, {Exact: [2]bool{true, false}}} {
		r.Name, r.Columns, r.Rows, r.K = "odd", 7, 7, 4
		if _, err := widening.New(gametest.Must[*mnk.Game](t)(mnk.New(r)), 4); err == nil {
			t.Errorf("%+v is played", r)
		}
	}
}
