// SPDX-License-Identifier: Apache-2.0

package cmaes_test

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/cmaes"
	"github.com/krow-lab/krow/learn/target"
	"github.com/krow-lab/krow/search/mics"
)

var _ learn.Learner = (*cmaes.Learner)(nil)

var small = cmaes.Options{Games: 80, Population: 4, Pairs: 1, Plies: 3, Seed: 5}

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

func newLearner(t *testing.T, o cmaes.Options) *cmaes.Learner {
	t.Helper()
	l, err := cmaes.New(newTarget(t, "mnk:6,6,4", "generic:depth=1"), o)
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
	if len(whole) != 5 || curve[4].Games != 80 || curve[4].Values["own-open-2"] == curve[0].Values["own-open-2"] {
		t.Fatalf("%d steps, %+v", len(whole), curve)
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
	if other, _ := run(t, newLearner(t, o)); other[4] == whole[4] {
		t.Error("another seed, the same fitness")
	}
}

// TestLearnsToCapture finds what is plain to see: the fixed indicators of ultimate hardly value a capture.
func TestLearnsToCapture(t *testing.T) {
	tg := newTarget(t, "ultimate", "indicators")
	l, err := cmaes.New(tg, cmaes.Options{Games: 2000, Plies: 4, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, curve := run(t, l)
	last, x := curve[len(curve)-1], make([]float64, len(tg.Params))
	for i, p := range tg.Params {
		x[i] = last.Values[p.Name] - p.Start
	}
	won := 0.0
	for i := range uint64(50) {
		scores, err := tg.Play(t.Context(), []target.Pair{{A: x, B: make([]float64, len(x)), Seed: 1000 + i}}, target.Playing{Plies: 4})
		if err != nil {
			t.Fatal(err)
		}
		won += scores[0] / 50
	}
	if last.Games > 2000 || won < 0.7 || last.Values["capture"] < 1.5 {
		t.Errorf("after 2000 games %+v, which wins %g of the points against the start: nothing learned", last, won)
	}
	file := filepath.Join(t.TempDir(), "w.json")
	if err := l.Save(file); err != nil {
		t.Fatal(err)
	}
	if _, err := krow.Player(tg.Game, "greedy:eval=indicators(weights="+file+")", 1); err != nil {
		t.Error(err)
	}
}

// TestMICS learns whole numbers, which must stay ones that the player can use.
func TestMICS(t *testing.T) {
	tg := newTarget(t, "mnk:5,5,4", "mics:nodes=60")
	l, err := cmaes.New(tg, cmaes.Options{Games: 200, Plies: 3, Sigma: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	run(t, l)
	file := filepath.Join(t.TempDir(), "w.json")
	if err := l.Save(file); err != nil {
		t.Fatal(err)
	}
	if w, _, err := mics.Load(file, tg.Game); err != nil || w.Branching < 1 || w.Depth < 1 {
		t.Errorf("%v, %v", w, err)
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
	whole, _ := run(t, newLearner(t, small))
	if states, _ := run(t, l); states[4] != whole[4] {
		t.Error("after a cancelled step learning goes on otherwise")
	}
}

func TestRestoreRefuses(t *testing.T) {
	l := newLearner(t, small)
	states, _ := run(t, l)
	tests := []struct{ name, old, new, want string }{
		{"game", `"mnk:6,6,4"`, `"mnk:7,6,4"`, "the state is of the game"},
		{"settings", `"pairs":1`, `"pairs":2`, "the state is of the settings"},
		{"too few", `\[\[[^,]*,`, `[[`, "the state is damaged"},
		{"too many", `\[\[`, `[[0.5,0.5,0.5,0.5],[0.5,0.5,0.5,0.5],[0.5,0.5,0.5,0.5],[0.5,0.5,0.5,0.5],[`, "the state is damaged"},
		{"range", `\[\[[^,]*,`, `[[1.5,`, "the state is damaged"},
		{"negative", `\[\[[^,]*,`, `[[-0.5,`, "the state is damaged"},
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
		o    cmaes.Options
		want string
	}{
		{cmaes.Options{Games: 40}, "games must be from 44 to 100000000, not 40"},
		{cmaes.Options{Population: 3}, "the population must be from 4 to 10000, not 3"},
		{cmaes.Options{Pairs: -1}, "pairs must be from 1 to 10000, not -1"},
		{cmaes.Options{Sigma: -1}, "the step size must be above 0 and at most 1000, not -1"},
		{cmaes.Options{Plies: -1}, "random plies must be from 0 to 16384, not -1"},
		{cmaes.Options{Jobs: -1}, "jobs must be from 0 to 1024, not -1"},
	}
	for _, tc := range tests {
		if _, err := cmaes.New(tg, tc.o); err == nil || err.Error() != tc.want {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}
