// SPDX-License-Identifier: Apache-2.0

package target_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn/target"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/mics"
)

func newGame(t *testing.T, text string) game.Game {
	t.Helper()
	g, err := krow.Game(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newTarget(t *testing.T, game, text string) *target.Target {
	t.Helper()
	tg, err := krow.Target(newGame(t, game), text)
	if err != nil {
		t.Fatal(err)
	}
	return tg
}

var all = []struct {
	game, target string
	params       int
	spec         string // of the player at the start
	learned      string // of the player with weights from FILE
}{
	{"mnk:7,7,5", "generic", 16, "alphabeta:depth=2,eval=brute,terminal=exact", "alphabeta:depth=2,terminal=exact,eval=generic(weights=FILE)"},
	{"connect4", "generic:depth=3", 12, "alphabeta:depth=3,eval=brute,terminal=exact", "alphabeta:depth=3,terminal=exact,eval=generic(weights=FILE)"},
	{"ultimate", "indicators", 9, "greedy:eval=indicators(weights=hand)", "greedy:eval=indicators(weights=FILE)"},
	{"ultimate", "indicators:block=on,either=on", 11, "greedy:eval=indicators(block=on,either=on)", "greedy:eval=indicators(weights=FILE,block=on,either=on)"},
	{"mnk:6,6,4", "mics:nodes=200", 2, "mics:nodes=200,deepening=off", "mics:nodes=200,weights=FILE"},
	{"mnk:6,6,4", "multipliers:nodes=200", 3, "mics:nodes=200", "mics:nodes=200,multipliers=FILE"},
}

// TestPlayersOfTargetEqualSpecs compares the players of a target with those that a person gets by their specs: the start with the
// default parameters, and other parameters with the file they are saved to.
func TestPlayersOfTargetEqualSpecs(t *testing.T) {
	for _, tc := range all {
		t.Run(tc.game+"/"+tc.target, func(t *testing.T) {
			tg := newTarget(t, tc.game, tc.target)
			if len(tg.Params) != tc.params {
				t.Fatalf("%d parameters, want %d: %v", len(tg.Params), tc.params, tg.Params)
			}
			x := make([]float64, len(tg.Params))
			same(t, tg, x, tc.spec)
			for i := range x {
				x[i] = 1.4 - 2.7*float64(i%2)
			}
			t.Chdir(t.TempDir()) // a spec's file cannot have a comma in its name
			if err := tg.Save("FILE", x, tg.Origin("spsa", 7, map[string]any{"games": 3})); err != nil {
				t.Fatal(err)
			}
			same(t, tg, x, tc.learned)
		})
	}
}

// same plays a game of the target's player at x against itself, and asks the player of a spec at each move.
func same(t *testing.T, tg *target.Target, x []float64, text string) {
	t.Helper()
	a, err := tg.Player(x)
	if err != nil {
		t.Fatal(err)
	}
	b, err := krow.Player(tg.Game, text, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := tg.Game.Start()
	for p.Outcome() == game.Ongoing {
		m, err := a.Move(t.Context(), p, search.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := b.Move(t.Context(), p, search.Limits{}); err != nil || m != n {
			t.Fatalf("ply %d: %s, but %s plays %s, %v", p.Ply(), tg.Game.Format(m), text, tg.Game.Format(n), err)
		}
		p.Play(m)
	}
}

func TestValues(t *testing.T) {
	tests := []struct {
		p       target.Param
		x, want float64
	}{
		{target.Param{Start: 3, Unit: 2, Low: -5, High: 5}, 0, 3},
		{target.Param{Start: 3, Unit: 2, Low: -5, High: 5}, -2, -1},
		{target.Param{Start: 3, Unit: 2, Low: -5, High: 5}, 7, 13},
		{target.Param{Start: 3, Unit: 2, Log: true, Low: -5, High: 5}, 3, 24},
		{target.Param{Start: 3, Unit: 2, Log: true, Low: -5, High: 5}, -1, 1.5},
		{target.Param{Start: 3, Unit: 2, Log: true, Low: -5, High: 5}, math.Inf(-1), 3.0 / 32},
		{target.Param{Start: 3, Unit: 1, Whole: true, Low: -2, High: 5}, 0.6, 4},
		{target.Param{Start: 3, Unit: 1, Whole: true, Low: -2, High: 5}, -9, 1},
	}
	for _, tc := range tests {
		if got := tc.p.Value(tc.x); got != tc.want {
			t.Errorf("%+v at %g is %g, want %g", tc.p, tc.x, got, tc.want)
		}
	}
}

// TestValuesFarOutAreAccepted asks for players far out: each value must be one that the heuristic accepts.
func TestValuesFarOutAreAccepted(t *testing.T) {
	for _, tc := range all {
		tg := newTarget(t, tc.game, tc.target)
		for _, far := range []float64{-1e300, 1e300} {
			x := make([]float64, len(tg.Params))
			for i := range x {
				x[i] = far
			}
			if tg.Fits(x) {
				t.Errorf("%s: %g fits", tc.target, far)
			}
			tg.Clamp(x)
			if _, err := tg.Player(x); err != nil || !tg.Fits(x) {
				t.Errorf("%s at %v: %v", tc.target, x, err)
			}
		}
		if tg.Fits(make([]float64, 1)) || tg.Fits(slices.Repeat([]float64{math.NaN()}, len(tg.Params))) {
			t.Errorf("%s: too few coordinates fit, or numbers that are none", tc.target)
		}
	}
}

// TestPlay sees what a pair is: both games from one opening, the same whenever and beside whatever they are played.
func TestPlay(t *testing.T) {
	tg := newTarget(t, "mnk:6,6,4", "generic:depth=1")
	start, weak := make([]float64, len(tg.Params)), make([]float64, len(tg.Params))
	for i := range weak {
		weak[i] = -10 + 20*float64(i%2) // all half-open threats almost nothing, all open ones the world
	}
	var pairs, turned []target.Pair
	for seed := range uint64(24) {
		pairs = append(pairs, target.Pair{A: start, B: weak, Seed: seed})
		turned = append(turned, target.Pair{A: weak, B: start, Seed: seed})
	}
	scores, err := tg.Play(t.Context(), pairs, target.Playing{Plies: 4, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Min(scores) == slices.Max(scores) {
		t.Fatalf("all scores are the same: %v", scores)
	}
	again, err := tg.Play(t.Context(), pairs, target.Playing{Plies: 4, Jobs: 5})
	if err != nil || !slices.Equal(scores, again) {
		t.Errorf("with more jobs %v, %v, want %v", again, err, scores)
	}
	back, err := tg.Play(t.Context(), turned, target.Playing{Plies: 4})
	if err != nil {
		t.Fatal(err)
	}
	for i := range back {
		if back[i] != 1-scores[i] {
			t.Errorf("pair %d: %g one way, %g the other", i, scores[i], back[i])
		}
	}
	even, err := tg.Play(t.Context(), []target.Pair{{A: start, B: start, Seed: 3}}, target.Playing{Plies: 36})
	if err != nil || even[0] != 0.5 {
		t.Errorf("a player against itself: %v, %v", even, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tg.Play(ctx, pairs, target.Playing{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestBadTargetsAreRefused(t *testing.T) {
	ultimate, line := newGame(t, "ultimate"), newGame(t, "mnk:3,3,1")
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"no rows", second(target.Generic(ultimate, 2, threat.Reading{})), "ultimate is not a k-in-a-row game, so it has no threats to weigh"},
		{"one", second(target.Generic(line, 2, threat.Reading{})), "the only threat in mnk:3,3,1 is a row of 1, so there is nothing to learn"},
		{"depth", second(target.Generic(line, 0, threat.Reading{})), "the depth must be from 1 to 512, not 0"},
		{"game", second(target.Indicators(line, indicators.Options{})), "the indicators are for ultimate tic-tac-toe, not mnk:3,3,1"},
		{"weights", second(target.Indicators(ultimate, indicators.Options{Weights: indicators.Default()})), "the learner learns the weights of the indicators, so they cannot be given"},
		{"nodes", second(target.MICS(line, 0)), "mics is learned with a number of nodes for each move"},
		{"mics", second(target.MICS(ultimate, 9)), "mics needs a game of k in a row, not ultimate"},
	}
	for _, tc := range tests {
		if tc.err == nil || tc.err.Error() != tc.want {
			t.Errorf("%s: error %v, want %q", tc.name, tc.err, tc.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestFilesAreReadBack reads files back as those who load them do.
func TestFilesAreReadBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "w.json")
	tg := newTarget(t, "mnk:7,7,4", "generic")
	x := make([]float64, len(tg.Params))
	x[0] = 1
	origin := tg.Origin("cmaes", 5, map[string]any{"games": 9})
	if err := tg.Save(file, x, origin); err != nil {
		t.Fatal(err)
	}
	w, o, err := generic.Load(file, 4)
	fixed := generic.Fixed(4)
	if err != nil || o.Learner != "cmaes" || o.Settings["target"] != "generic" || o.Settings["games"] != 9.0 || o.Settings["depth"] != 2.0 {
		t.Errorf("%v, %+v", err, o)
	}
	if w.Own[1] != 2*fixed.Own[1] || !slices.Equal(w.Own[2:], fixed.Own[2:]) || !slices.Equal(w.Enemy, fixed.Enemy) {
		t.Errorf("loaded %v, want the fixed ones with the first doubled", w)
	}
	tg = newTarget(t, "mnk:6,6,4", "mics:nodes=300")
	if err := tg.Save(file, []float64{-2, 1}, weights.Origin{Game: "mnk:6,6,4"}); err != nil {
		t.Fatal(err)
	}
	plan, err := mics.Plan(tg.Game, 300)
	if err != nil {
		t.Fatal(err)
	}
	if m, _, err := mics.Load(file, tg.Game); err != nil || m != (mics.Weights{Branching: plan.Branching - 2, Depth: plan.Depth + 1}) {
		t.Errorf("%v, %v after %v", m, err, plan)
	}
}
