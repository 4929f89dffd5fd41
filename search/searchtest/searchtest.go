// SPDX-License-Identifier: Apache-2.0

// Package searchtest is the conformance kit of package search: every search must pass it.
//
// # Basics
//
//	func TestConformance(t *testing.T) {
//		searchtest.Run(t, func(g game.Game) search.Searcher { return New(g) })
//	}
//
// Each Searcher searches positions of small and huge games under limits of every kind. Some positions are reached by moves,
// others are set up. Every Searcher must meet these requirements:
//
//   - it returns no error, and an answer with at least one move, under any limits; all moves of a PV are legal;
//   - it does not choose a forbidden move if there is another move;
//   - it leaves the position unchanged, including its history;
//   - an answer is not deeper than Limits.Depth, and the limit of nodes is exceeded only a little;
//   - it ends when its time is over or its context is done (otherwise the test hangs);
//   - two new Searchers give the same answer under the same limits, unless there is a time limit;
//   - it reports at least one answer, and the last report for line 1 is the final answer;
//   - lines are numbered from 1 and begin with different moves, and no line is better than the line before it;
//   - in games that the oracle can solve, a Solved answer has the oracle's value, and a win is not claimed in fewer plies than the
//     oracle's;
//   - no goroutine is left behind.
//
// # Caveats
//
// Each search of the kit has a limit of nodes or time, so that the kit takes only seconds, whatever the search's default limit
// is. A search without limits is not tested. If a search plays only some games, newSearcher returns nil for the other
// games, or the test names the games with [RunOn]. The kit does not check the number of reported lines or of solved answers;
// the tests of each search check these numbers.
package searchtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

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

// hugeMoves is the minimum number of moves of a huge game. A node of such a game takes so long that only cases with few nodes
// or a short time limit are tried.
const hugeMoves = 1000

// Run checks the Searchers that newSearcher returns against the contract, in the games of the kit. newSearcher returns a new
// Searcher for g, or nil if the search does not play g.
func Run(t *testing.T, newSearcher func(g game.Game) search.Searcher) {
	t.Helper()
	RunOn(t, newSearcher, games(t)...)
	if p := foul(t); newSearcher(p.Game()) != nil {
		checkCases(t, p, "foul", newSearcher)
	}
	for _, g := range solvable(t) {
		if newSearcher(g) != nil {
			t.Run(fmt.Sprintf("solved/%s", g), func(t *testing.T) { checkSolved(t, g, newSearcher) })
		}
	}
}

// RunOn is like Run, but uses the given games and makes no comparison with the oracle.
func RunOn(t *testing.T, newSearcher func(g game.Game) search.Searcher, games ...game.Game) {
	t.Helper()
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, g := range games {
		if newSearcher(g) == nil {
			continue
		}
		n := 3
		if testing.Short() {
			n = 1
		}
		all := positions(t, g, n)
		if g.Moves() > hugeMoves {
			all = all[len(all)-2:]
		}
		for i, p := range all {
			checkCases(t, p, fmt.Sprint(i), newSearcher)
		}
	}
}

// checkCases searches p under limits of every kind.
func checkCases(t *testing.T, p game.Position, name string, newSearcher func(g game.Game) search.Searcher) {
	t.Helper()
	for _, c := range cases {
		if c.thorough && p.Game().Moves() > hugeMoves {
			continue
		}
		t.Run(fmt.Sprintf("%s/%s/position=%s", c.name, p.Game(), name), func(t *testing.T) { c.checkTwice(t, p, newSearcher) })
	}
}

// positions returns the start of g, n positions after random moves, and a position that was set up without moves.
func positions(t *testing.T, g game.Game, n int) []game.Position {
	t.Helper()
	all := []game.Position{g.Start()}
	for seed := range uint64(n) {
		all = append(all, random(g, rand.New(rand.NewPCG(seed, 7))))
	}
	last := all[len(all)-1]
	if settable, ok := last.(game.Settable); ok {
		p, err := g.(game.Setter).SetUp(settable.Setup())
		if err != nil {
			t.Fatalf("SetUp(Setup()): %v", err)
		}
		all = append(all, p)
	}
	return all
}

// random plays a random number of random moves, and stops before the game ends.
func random(g game.Game, rng *rand.Rand) game.Position {
	const longest = 60
	p := g.Start()
	plies := rng.IntN(min(g.Moves(), longest) + 1)
	if game.PlayRandom(p, plies, rng.IntN); p.Outcome() != game.Ongoing {
		p.Undo()
	}
	return p
}

// games returns the games in which the contract is checked, common and uncommon ones.
func games(t *testing.T) []game.Game {
	t.Helper()
	m := must[*mnk.Game](t)
	return []game.Game{
		m(mnk.TicTacToe(3, 3)),
		// These boards are narrow, and the last one is smaller than the row of 7 that wins.
		m(mnk.MNK(1, 1, 1)), m(mnk.MNK(1, 9, 2)), m(mnk.MNK(9, 1, 3)), m(mnk.MNK(2, 3, 7)),
		// In these games a move is a column and not a cell.
		m(mnk.Connect4(7, 6, 4)), m(mnk.Connect4(12, 3, 5)),
		// In these games one side moves twice, stones are captured, or some moves are forbidden.
		m(mnk.Connect6(7)), m(mnk.Pente(7)), m(renju.New(9)),
		// These games are not won by a row of cells.
		ultimate.New(ultimate.Rules{}), ultimate.New(ultimate.Rules{Open: true}), must[*atarigo.Game](t)(atarigo.New(5)),
		m(mnk.Gomoku(15)), m(mnk.Caro(9)), m(mnk.MNK(128, 128, 10)),
	}
}

// solvable returns games that are small enough for the oracle to solve.
func solvable(t *testing.T) []game.Game {
	t.Helper()
	m := must[*mnk.Game](t)
	all := []game.Game{
		m(mnk.TicTacToe(3, 3)), m(mnk.MNK(3, 3, 2)), m(mnk.MNK(1, 5, 2)), m(mnk.MNK(2, 2, 3)), m(mnk.MNK(4, 3, 3)), must[*atarigo.Game](t)(atarigo.New(3)),
		m(mnk.New(mnk.Rules{Name: "two stones a turn", Columns: 4, Rows: 3, K: 4, Turn: 2})),
		m(mnk.New(mnk.Rules{Name: "one capture wins", Columns: 4, Rows: 3, K: 4, Captures: 1})),
	}
	if testing.Short() {
		return all
	}
	return append(all, m(mnk.Connect4(4, 4, 4)), m(mnk.Connect4(5, 4, 3)))
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

// must returns the first result of a constructor, and fails the test if the error is not nil.
func must[G game.Game](t *testing.T) func(g G, err error) G {
	return func(g G, err error) G {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
}

// checkSolved compares the values of solved answers with the values of the oracle.
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

// truths stores the oracle's results by position, since a test may run the kit several times.
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

// checkValue checks a solved answer: its score must be the oracle's score of its move, and in line 1 no other move may be better.
func checkValue(t *testing.T, p game.Position, info search.Info, truth oracle.Result) {
	t.Helper()
	of, ok := truth.Of(info.PV[0])
	if !ok {
		t.Fatalf("illegal move %d", info.PV[0])
	}
	plies, sign := info.Score.Distance()
	fewest, want := of.Distance()
	if sign != want || sign == 0 && info.Score != 0 {
		t.Errorf("%s\nthe oracle says %d: %s", gametest.Picture(p), of, answerText(info))
	}
	if sign > 0 && plies != eval.Unknown && plies < fewest {
		t.Errorf("%s\nwon in %d, the oracle needs %d: %s", gametest.Picture(p), plies, fewest, answerText(info))
	}
	if _, best := truth.Best.Score.Distance(); info.Line <= 1 && best != want {
		t.Errorf("%s\nthe oracle plays %d for %d: %s", gametest.Picture(p), truth.Best.Move, truth.Best.Score, answerText(info))
	}
}
