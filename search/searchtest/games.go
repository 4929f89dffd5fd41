// SPDX-License-Identifier: Apache-2.0

package searchtest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/oracle"
)

// games are those on which the contract is checked: the usual ones and the odd.
func games(t *testing.T) []game.Game {
	t.Helper()
	m := must[*mnk.Game](t)
	return []game.Game{
		m(mnk.TicTacToe(3, 3)),
		// Thin boards, and a row that fits on none.
		m(mnk.MNK(1, 1, 1)), m(mnk.MNK(1, 9, 2)), m(mnk.MNK(9, 1, 3)), m(mnk.MNK(2, 3, 7)),
		// A move is a column and not a cell.
		m(mnk.Connect4(7, 6, 4)), m(mnk.Connect4(12, 3, 5)),
		// One side moves twice; stones vanish; some moves lose by rule.
		m(mnk.Connect6(7)), m(mnk.Pente(7)), m(renju.New(9)),
		// No board of cells, and no row that wins.
		ultimate.New(ultimate.Rules{}), ultimate.New(ultimate.Rules{Open: true}), must[*atarigo.Game](t)(atarigo.New(5)),
		m(mnk.Gomoku(15)), m(mnk.Caro(9)), m(mnk.MNK(128, 128, 10)),
	}
}

// solvable are games small enough for the oracle.
func solvable(t *testing.T) []game.Game {
	t.Helper()
	m := must[*mnk.Game](t)
	return []game.Game{
		m(mnk.TicTacToe(3, 3)), m(mnk.MNK(3, 3, 2)), m(mnk.MNK(1, 5, 2)), m(mnk.MNK(2, 2, 3)), m(mnk.MNK(4, 3, 3)),
		m(mnk.Connect4(4, 4, 4)), m(mnk.Connect4(5, 4, 3)), must[*atarigo.Game](t)(atarigo.New(3)),
		m(mnk.New(mnk.Rules{Name: "two stones a turn", Columns: 4, Rows: 3, K: 4, Turn: 2})),
		m(mnk.New(mnk.Rules{Name: "one capture wins", Columns: 4, Rows: 3, K: 4, Captures: 1})),
	}
}

// foul returns a position of renju in which the first of the legal moves is forbidden: a1 makes two fours.
//
//	a5  .
//	a4  X
//	a3  X
//	a2  X
//	a1  .  X  X  X  .
func foul(t *testing.T) game.Position {
	t.Helper()
	g := must[*mnk.Game](t)(renju.New(9))
	p := g.Start()
	for _, s := range strings.Fields("b1 i9 c1 g9 d1 i7 a2 g7 a3 i5 a4 g5") {
		m, err := g.Parse(s)
		if err == nil {
			err = game.Play(p, m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if f, ok := p.(game.Forbidder); !ok || f.Forbidden(p.AppendMoves(nil)[0]) == "" {
		t.Fatal("a1 is not forbidden")
	}
	return p
}

// must unwraps a constructor's result.
func must[G game.Game](t *testing.T) func(g G, err error) G {
	return func(g G, err error) G {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
}

// checkSolved compares what a search calls solved with what the oracle finds.
func checkSolved(t *testing.T, g game.Game, newSearcher func(game.Game) search.Searcher) {
	solved, all := 0, 0
	for i, p := range positions(t, g, 5) {
		truth := solve(t, p)
		var reports []search.Info
		lim := search.Limits{Depth: g.Moves() * 2, Nodes: 20_000, Lines: i % 3}
		info, err := newSearcher(g).Search(t.Context(), p, lim, func(info search.Info) {
			info.PV = slices.Clone(info.PV)
			reports = append(reports, info)
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range append(reports, info) {
			if info.Solved {
				checkValue(t, p, info, truth)
			}
		}
		if all++; info.Solved {
			solved++
		}
	}
	t.Logf("%d of %d solved", solved, all)
}

// truths are the oracle's results by position, since a test may run the kit several times.
var truths sync.Map

func solve(t *testing.T, p game.Position) oracle.Result {
	t.Helper()
	key := fmt.Sprint(p.Game(), p.Key())
	if r, ok := truths.Load(key); ok {
		return r.(oracle.Result)
	}
	r, err := oracle.Solve(p, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	truths.Store(key, r)
	return r
}

// checkValue looks at one solved answer: the score is right for its move and, in the first line, the move
// is as good as any.
func checkValue(t *testing.T, p game.Position, info search.Info, truth oracle.Result) {
	t.Helper()
	of, ok := truth.Of(info.PV[0])
	if !ok {
		t.Fatalf("illegal move %d", info.PV[0])
	}
	plies, sign := info.Score.Distance()
	fewest, want := of.Distance()
	if sign != want || sign == 0 && info.Score != 0 {
		t.Errorf("%s\nthe oracle says %d: %s", gametest.Picture(p), of, answer(info))
	}
	if sign > 0 && plies != eval.Unknown && plies < fewest {
		t.Errorf("%s\nwon in %d, the oracle needs %d: %s", gametest.Picture(p), plies, fewest, answer(info))
	}
	if _, best := truth.Best.Score.Distance(); info.Line <= 1 && best != want {
		t.Errorf("%s\nthe oracle plays %d for %d: %s", gametest.Picture(p), truth.Best.Move, truth.Best.Score, answer(info))
	}
}
