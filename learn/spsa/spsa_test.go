// SPDX-License-Identifier: Apache-2.0

package spsa_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/spsa"
	"github.com/krow-lab/krow/learn/target"
)

var _ learn.Learner = (*spsa.Learner)(nil)

var small = spsa.Options{Games: 24, Pairs: 2, Measure: 1, Plies: 3, Seed: 5}

func newTarget(t *testing.T, game, text string) *target.Target {
	t.Helper()
	g, err := krow.Game(game)
	if err != nil {
		t.Fatal(err)
	}
	tg, err := krow.Target(g, text)
	if err != nil {
		t.Fatal(err)
	}
	return tg
}

func newLearner(t *testing.T, o spsa.Options) *spsa.Learner {
	t.Helper()
	l, err := spsa.New(newTarget(t, "mnk:6,6,4", "generic:depth=1"), o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// run makes all steps that are left, and returns the state after each, and the curve.
func run(t *testing.T, l learn.Learner) (states []string, curve []learn.CurvePoint) {
	t.Helper()
	err := learn.Run(t.Context(), l, func(s []byte, p learn.CurvePoint) error {
		states, curve = append(states, string(s)), append(curve, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return states, curve
}

// TestResumeEqualsOneRun cuts a run after each step; what follows must be what it would have been, at any number of jobs.
func TestResumeEqualsOneRun(t *testing.T) {
	whole, curve := run(t, newLearner(t, small))
	if len(whole) != 6 || whole[0] == whole[5] {
		t.Fatalf("%d steps, from %s to %s", len(whole), whole[0], whole[len(whole)-1])
	}
	for cut := range whole {
		o := small
		o.Jobs = cut + 1
		l := newLearner(t, o)
		if err := l.Restore([]byte(whole[cut])); err != nil {
			t.Fatal(err)
		}
		states, points := run(t, l)
		if d := cmp.Diff(append([]string{}, whole[cut+1:]...), append([]string{}, states...)); d != "" {
			t.Errorf("cut after step %d (-whole +resumed):\n%s", cut+1, d)
		}
		if d := cmp.Diff(append([]learn.CurvePoint{}, curve[cut+1:]...), append([]learn.CurvePoint{}, points...)); d != "" {
			t.Errorf("curve cut after step %d (-whole +resumed):\n%s", cut+1, d)
		}
	}
	o := small
	o.Seed++
	if other, _ := run(t, newLearner(t, o)); other[5] == whole[5] {
		t.Error("another seed, the same parameters")
	}
}

// TestStep compares the first step with the formulas: all move by the same amount, Rate where one side won all.
func TestStep(t *testing.T) {
	o := small
	o.Games, o.Rate, o.C = 400, 0.25, 2
	l := newLearner(t, o)
	p, err := l.Step(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tg := newTarget(t, "mnk:6,6,4", "generic:depth=1")
	want := math.Abs(2*p.Values["fitness"]-1) * o.Rate
	up := 0
	for _, param := range tg.Params {
		moved := math.Log2(p.Values[param.Name] / param.Start)
		if math.Abs(math.Abs(moved)-want) > 1e-9 {
			t.Errorf("%s moved by %g, want %g either way", param.Name, moved, want)
		}
		if moved > 0 {
			up++
		}
	}
	if want == 0 || up == 0 || up == len(tg.Params) {
		t.Errorf("%d of %d moved up, by %g", up, len(tg.Params), want)
	}
	if _, scored := p.Values["score"]; scored || p.Games != 4 {
		t.Errorf("first of 100 steps: %+v", p)
	}
}

// TestFirstStepMeetsStart lets the neighbours of the first step meet the start again, as the first step did.
func TestFirstStepMeetsStart(t *testing.T) {
	tg := newTarget(t, "ultimate", "indicators")
	o := spsa.Options{Games: 400, Pairs: 20, Start: true, C: 4, Rate: 0.5, Plies: 4, Seed: 3, Measure: -1}
	l, err := spsa.New(tg, o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Step(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	start := make([]float64, len(tg.Params))
	share := func(sign float64) (won float64) {
		x, pairs := make([]float64, len(start)), make([]target.Pair, o.Pairs/2)
		for i, param := range tg.Params {
			// All moved by the same: those that gained stood on the side that did better.
			x[i] = sign * math.Copysign(o.C, (p.Values[param.Name]-param.Start)*(p.Values["fitness"]-0.5))
		}
		for i := range pairs {
			pairs[i] = target.Pair{A: x, B: start, Seed: rng.Mix(o.Seed, 0, 0, uint64(i))}
		}
		scores, err := tg.Play(t.Context(), pairs, target.Playing{Plies: o.Plies})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range scores {
			won += s / float64(len(scores))
		}
		return won
	}
	want := (1 + share(1) - share(-1)) / 2
	if got := p.Values["fitness"]; got == 0.5 || math.Abs(got-want) > 1e-12 || p.Games != 40 {
		t.Errorf("fitness %g after %d games, want %g after 40", got, p.Games, want)
	}
}

// TestLearnsToCapture spoils nothing and finds what is plain to see: a player of the indicators that likes to capture.
func TestLearnsToCapture(t *testing.T) {
	tg := newTarget(t, "ultimate", "indicators")
	l, err := spsa.New(tg, spsa.Options{Games: 2000, Rate: 0.3, Plies: 4, Seed: 1, Measure: 100})
	if err != nil {
		t.Fatal(err)
	}
	_, curve := run(t, l)
	last := curve[len(curve)-1]
	if last.Games != 2000 || last.Values["score"] < 0.6 || last.Values["capture"] < 1.5 {
		t.Errorf("after 2000 games %+v: nothing learned", last)
	}
	file := filepath.Join(t.TempDir(), "w.json")
	if err := l.Save(file); err != nil {
		t.Fatal(err)
	}
	if _, err := krow.Player(tg.Game, "greedy:eval=indicators(weights="+file+")", 1); err != nil {
		t.Error(err)
	}
}

func TestCancelChangesNothing(t *testing.T) {
	l := newLearner(t, small)
	before, err := l.State()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Step(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if after, _ := l.State(); string(after) != string(before) {
		t.Errorf("the learner has changed from %s to %s", before, after)
	}
}

func TestRestoreRefuses(t *testing.T) {
	l := newLearner(t, small)
	states, _ := run(t, l)
	tests := []struct{ name, old, new, want string }{
		{"game", `"mnk:6,6,4"`, `"mnk:7,6,4"`, "the state is of the game"},
		{"target", `"depth":1`, `"depth":2`, "the state is of the settings"},
		{"settings", `"pairs":2`, `"pairs":3`, "the state is of the settings"},
		{"step", `"done":2`, `"done":7`, "the state is damaged"},
		{"coordinates", `"x":\[`, `"x":[1,`, "the state is damaged"},
		{"bounds", `"x":\[[^,]*`, `"x":[1e9`, "the state is damaged"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			at := regexp.MustCompile(tc.old).FindStringIndex(states[1])
			bad := states[1][:at[0]] + tc.new + states[1][at[1]:]
			before, _ := l.State()
			err := l.Restore([]byte(bad))
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %q", err, tc.want)
			}
			if after, _ := l.State(); string(after) != string(before) {
				t.Error("the learner has changed")
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	tg := newTarget(t, "mnk:6,6,4", "generic")
	tests := []struct {
		o    spsa.Options
		want string
	}{
		{spsa.Options{Games: 3}, "games must be from 4 to 100000000, not 3"},
		{spsa.Options{Pairs: 3, Start: true}, "pairs must be even where both neighbours meet the start, not 3"},
		{spsa.Options{Pairs: -1}, "pairs must be from 1 to 50000000, not -1"},
		{spsa.Options{C: -1}, "the perturbation must be above 0 and at most 1000, not -1"},
		{spsa.Options{Rate: math.NaN()}, "the rate must be above 0 and at most 1000, not NaN"},
		{spsa.Options{Plies: -1}, "random plies must be from 0 to 16384, not -1"},
		{spsa.Options{Jobs: -1}, "jobs must be from 0 to 1024, not -1"},
	}
	for _, tc := range tests {
		if _, err := spsa.New(tg, tc.o); err == nil || err.Error() != tc.want {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}
