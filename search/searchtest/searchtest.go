// SPDX-License-Identifier: Apache-2.0

// Package searchtest is the conformance kit of package search: every search must pass it.
//
// # Basics
//
//	func TestConformance(t *testing.T) {
//		searchtest.Run(t, func(g game.Game) search.Searcher { return New(g) })
//	}
//
// Each Searcher is asked to look at positions played and set up, small and huge, under limits of every
// kind. What must hold:
//
//   - no error, and an answer with at least one move, whatever the limits; all moves of a PV are legal;
//   - a move that a rule forbids is not chosen while another is left;
//   - the position is left as found, its history too;
//   - an answer is no deeper than Limits.Depth, and nodes are overstepped by little;
//   - a search ends when its time is up or its context is done: one that does not hangs;
//   - two new Searchers give the same answer under the same limits, unless time is one of them;
//   - something is reported, and what was reported last for line 1 is the final answer;
//   - lines are numbered from 1, begin with different moves and never get better;
//   - on games that the oracle can solve, what is called Solved has the value that the oracle found, and
//     a win is not claimed in fewer plies than it takes;
//   - no goroutine is left behind.
//
// # Caveats
//
// Each search of the kit has a limit in nodes or in time, so that a search of whatever default effort
// passes in seconds; only what a search does without limits is not looked at. A search that plays some of
// the games only returns nil for the others, or names its own with [RunOn]. How many lines are reported,
// and how much gets solved, is each search's own matter, and its own test's.
package searchtest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"go.uber.org/goleak"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// hugeMoves is how many moves make a game one on which each node is so dear that only the hard cases of
// few nodes or little time are tried.
const hugeMoves = 1000

// Run holds what newSearcher makes to the contract on the games of the kit. newSearcher returns a new
// Searcher for a game, or nil when it does not play it.
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

// RunOn does what Run does on games of the caller's choice, and leaves the oracle out.
func RunOn(t *testing.T, newSearcher func(g game.Game) search.Searcher, games ...game.Game) {
	t.Helper()
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, g := range games {
		if newSearcher(g) == nil {
			continue
		}
		all := positions(t, g, 3)
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
		t.Run(fmt.Sprintf("%s/%s/position=%s", c.name, p.Game(), name), func(t *testing.T) { c.check(t, p, newSearcher) })
	}
}

// positions returns the start of g, n positions some random moves away from it, and one that was set up.
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

// random plays a random part of a random game and stops before its end.
func random(g game.Game, rng *rand.Rand) game.Position {
	const longest = 60
	p := g.Start()
	plies := rng.IntN(min(g.Moves(), longest) + 1)
	if game.PlayRandom(p, plies, rng.IntN); p.Outcome() != game.Ongoing {
		p.Undo()
	}
	return p
}
