// SPDX-License-Identifier: Apache-2.0

package regression_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/regression"
	"github.com/krow-lab/krow/search"
)

func newLearner(t *testing.T, name string, o regression.Options) *regression.Learner {
	t.Helper()
	g, err := krow.Game(name)
	if err != nil {
		t.Fatal(err)
	}
	l, err := regression.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// small is enough to learn something from.
var small = regression.Options{Games: 30, Iterations: 4, Depth: 1, RandomPlies: 4, Epsilon: 0.2, Seed: 5, Jobs: 2}

// run makes all steps that are left, and returns the state after each.
func run(t *testing.T, l learn.Learner) (states []string) {
	t.Helper()
	err := learn.Run(t.Context(), l, func(s []byte, _ learn.CurvePoint) error {
		states = append(states, string(s))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return states
}

// TestResumeEqualsOneRun cuts a run after each step; what follows must be what it would have been.
func TestResumeEqualsOneRun(t *testing.T) {
	for _, name := range []string{"mnk:5,5,4", "ultimate"} {
		t.Run(name, func(t *testing.T) {
			o := small
			whole := run(t, newLearner(t, name, o))
			for cut := range whole {
				o.Jobs = 1 + cut
				l := newLearner(t, name, o)
				if err := l.Restore([]byte(whole[cut])); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(append([]string{}, whole[cut+1:]...), append([]string{}, run(t, l)...)); d != "" {
					t.Errorf("cut after step %d (-whole +resumed):\n%s", cut+1, d)
				}
			}
			if o.Seed++; run(t, newLearner(t, name, o))[0] == whole[0] {
				t.Error("another seed, the same weights")
			}
		})
	}
}

func TestRestoreRefuses(t *testing.T) {
	l := newLearner(t, "tictactoe", small)
	good := run(t, l)[1]
	tests := []struct{ name, old, new, want string }{
		{"learner", `"regression"`, `"sarsa"`, `the state is of the learner "sarsa", not regression`},
		{"settings", `"depth":1`, `"depth":2`, "the state is of the settings"},
		{"step", `"done":2`, `"done":5`, "the state is damaged"},
		{"before the first", `"done":2`, `"done":-1`, "the state is damaged"},
		{"no weights", `"weights":[`, `"weighs":[`, "the state is damaged"},
		{"too many", `"weights":[`, `"weights":[0,`, "the state is damaged"},
		{"negative", `"weights":[`, `"weights":[-`, "the state is damaged"},
		{"too great", `"weights":[`, `"weights":[1000000000`, "the state is damaged"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			before, _ := l.State()
			err := l.Restore([]byte(strings.Replace(good, tc.old, tc.new, 1)))
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %q", err, tc.want)
			}
			if after, _ := l.State(); string(after) != string(before) {
				t.Error("the learner has changed")
			}
		})
	}
}

// TestSave loads the weights where a person would.
func TestSave(t *testing.T) {
	for game, player := range map[string]string{
		"connect4": "alphabeta:depth=2,eval=generic", "ultimate": "greedy:eval=indicators",
	} {
		t.Run(game, func(t *testing.T) {
			l := newLearner(t, game, small)
			run(t, l)
			name := filepath.Join(t.TempDir(), "fitted.json")
			if err := l.Save(name); err != nil {
				t.Fatal(err)
			}
			names, w := l.Weights()
			for i, x := range loaded(t, game, name, names) {
				if x != w[i] {
					t.Errorf("%s is %g in the file, learned %g", names[i], x, w[i])
				}
			}
			g, err := krow.Game(game)
			if err != nil {
				t.Fatal(err)
			}
			p, err := krow.Player(g, player+"(weights="+name+")", 1)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Move(t.Context(), g.Start(), search.Limits{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// loaded returns the weights in a file in the order of names.
func loaded(t *testing.T, game, file string, names []string) (w []float64) {
	t.Helper()
	table := map[string]float64{}
	if game == "ultimate" {
		v, _, err := indicators.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range v {
			table[indicators.Indicator(i).String()] = x
		}
	} else {
		v, _, err := generic.Load(file, 4)
		if err != nil {
			t.Fatal(err)
		}
		table = map[string]float64{
			"own-half-open-1": v.Own[1], "own-open-1": v.Own[2], "own-half-open-2": v.Own[4], "own-open-2": v.Own[5],
			"own-half-open-3": v.Own[7], "own-open-3": v.Own[8],
			"enemy-half-open-1": v.Enemy[1], "enemy-open-1": v.Enemy[2], "enemy-half-open-2": v.Enemy[4],
			"enemy-open-2": v.Enemy[5], "enemy-half-open-3": v.Enemy[7], "enemy-open-3": v.Enemy[8],
		}
		if v.Own[9] != 1e6 || v.Enemy[9] != 1e6 {
			t.Errorf("rows of four weigh %g and %g", v.Own[9], v.Enemy[9])
		}
	}
	for _, name := range names {
		x, ok := table[name]
		if !ok {
			t.Errorf("the weight of %s is missing", name)
		}
		w = append(w, x)
	}
	return w
}

// TestEveryBoardLearns learns a little on every kind of board. The weights stay within what the heuristics take.
func TestEveryBoardLearns(t *testing.T) {
	for _, name := range []string{
		"mnk:1,6,2", "mnk:3,3,5", "standard:6", "caro:6", "renju:6", "pente:6", "connect6:6",
		"connect4:5x4,k=3", "ultimate",
	} {
		t.Run(name, func(t *testing.T) {
			o := small
			o.Games, o.Iterations = 6, 2
			l := newLearner(t, name, o)
			run(t, l)
			if state, err := l.State(); err != nil || l.Restore(state) != nil {
				t.Errorf("%v, or the state is none", err)
			}
		})
	}
}

// TestCurveOfLearning checks the curve: games add up to the budget, a fit never explains its games worse than before, and
// what is learned differs from the start.
func TestCurveOfLearning(t *testing.T) {
	o := small
	o.Games = 31
	l := newLearner(t, "mnk:6,6,4", o)
	want := []uint64{7, 15, 23, 31}
	for i := range want {
		p, err := l.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if p.Step != i+1 || p.Games != want[i] {
			t.Errorf("step %d with %d games, want %d with %d", p.Step, p.Games, i+1, want[i])
		}
		if loss := p.Values["loss"]; !(loss > 0 && loss <= p.Values["loss-before"] && loss < 1) {
			t.Errorf("loss %g after %g", loss, p.Values["loss-before"])
		}
		if share := p.Values["decided"]; share < 0 || share > 1 || math.IsNaN(p.Values["scale"]) {
			t.Errorf("values %v", p.Values)
		}
	}
	_, start := newLearner(t, "mnk:6,6,4", o).Weights()
	if _, w := l.Weights(); cmp.Equal(start, w) {
		t.Error("nothing learned")
	}
}

func TestCancelChangesNothing(t *testing.T) {
	l := newLearner(t, "tictactoe", small)
	before, _ := l.State()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Step(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if after, _ := l.State(); string(after) != string(before) {
		t.Errorf("state is %s, was %s", after, before)
	}
}

func TestNewRefuses(t *testing.T) {
	tests := []struct {
		game string
		o    regression.Options
		want string
	}{
		{"atarigo:5", regression.Options{}, "atarigo:5 is not a k-in-a-row game, so it has no threats to weigh"},
		{"mnk:4,4,1", regression.Options{}, "the only threat in mnk:4,4,1 is a row of 1, so there is nothing to learn"},
		{"tictactoe", regression.Options{Games: -1}, "games must be from 1 to 10000000, not -1"},
		{"tictactoe", regression.Options{Games: 3, Iterations: 4}, "iterations must be from 1 to 3, not 4"},
		{"tictactoe", regression.Options{Depth: -1}, "the depth must be from 1 to 512, not -1"},
		{"tictactoe", regression.Options{RandomPlies: -1}, "random plies must be from 0 to 16384, not -1"},
		{"tictactoe", regression.Options{Epsilon: math.NaN()}, "epsilon must be from 0 to 1, not NaN"},
		{"tictactoe", regression.Options{L2: -1}, "l2 must be above 0 and at most 1e+09, not -1"},
		{"tictactoe", regression.Options{Jobs: -1}, "jobs must be from 0 to 1024, not -1"},
	}
	for _, tc := range tests {
		g, err := krow.Game(tc.game)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := regression.New(g, tc.o); err == nil || err.Error() != tc.want {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}
