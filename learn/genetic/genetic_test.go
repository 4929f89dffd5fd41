// SPDX-License-Identifier: Apache-2.0

package genetic_test

import (
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/genetic"
	"github.com/krow-lab/krow/learn/target"
	"github.com/krow-lab/krow/search"
)

var _ learn.Learner = (*genetic.Learner)(nil)

var small = genetic.Options{Players: 7, Games: 10, Generations: 4, Seed: 3}

func newLearner(t *testing.T, o genetic.Options) *genetic.Learner {
	t.Helper()
	l, err := genetic.New(ultimate.New(ultimate.Rules{}), o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// run makes all steps that are left, and returns the state after each.
func run(t *testing.T, l *genetic.Learner) (states []string) {
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

// TestResumeEqualsOneRun cuts a run after each step; what follows must be what it would have been, at any number of jobs.
func TestResumeEqualsOneRun(t *testing.T) {
	whole := run(t, newLearner(t, small))
	for cut := range whole {
		o := small
		o.Jobs = cut + 1
		l := newLearner(t, o)
		if err := l.Restore([]byte(whole[cut])); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(append([]string{}, whole[cut+1:]...), append([]string{}, run(t, l)...)); d != "" {
			t.Errorf("cut after step %d (-whole +resumed):\n%s", cut+1, d)
		}
	}
	o := small
	o.Seed++
	if other := run(t, newLearner(t, o)); other[0] == whole[0] {
		t.Error("another seed, the same colony")
	}
}

func TestRestoreRefuses(t *testing.T) {
	l := newLearner(t, small)
	good := run(t, l)[1]
	tests := []struct{ name, old, new, want string }{
		{"game", `"ultimate"`, `"ultimate:won=open"`, "the state is of the game"},
		{"settings", `"games":10`, `"games":11`, "the state is of the settings"},
		{"step", `"done":2`, `"done":5`, "the state is damaged"},
		{"random", `"random":"`, `"random":"0`, "state of the learner: a random source must be"},
		{"no random", `"random"`, `"rundom"`, "the state is damaged"},
		{"score", `"score":`, `"score":1`, "the state is damaged"},
		{"genes", `"genes":\[`, `"genes":[1,`, "the state is damaged: there is no such player"},
		{"gene", `"genes":\[[^,]*`, `"genes":[1e9`, "the state is damaged: a weight is out of range"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			at := regexp.MustCompile(tc.old).FindStringIndex(good)
			bad := good[:at[0]] + tc.new + good[at[1]:]
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

// TestSave loads the best player where a person would, and sees it beat random moves.
func TestSave(t *testing.T) {
	g := ultimate.New(ultimate.Rules{})
	l := newLearner(t, genetic.Options{Players: 12, Games: 30, Generations: 10, Seed: 1})
	var curve []learn.CurvePoint
	err := learn.Run(t.Context(), l, func(_ []byte, p learn.CurvePoint) error {
		curve = append(curve, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	first, last := curve[0], curve[9]
	if last.Games != 3600 || last.Values["mean"] < first.Values["mean"]+0.2 || last.Values["best"] < 0.8 {
		t.Errorf("from %v to %v: nothing learned", first, last)
	}
	name := filepath.Join(t.TempDir(), "bred.json")
	if err := l.Save(name); err != nil {
		t.Fatal(err)
	}
	w, o, err := indicators.Load(name)
	best := l.Colony()[0].Values // Win stands behind them
	if err != nil || !slices.Equal(w[:len(best)], best) || o.Learner != "genetic" || o.Seed != 1 {
		t.Errorf("%v, saved %v by %v, want %v", err, w, o, l.Colony()[0])
	}
	p, err := krow.Player(g, "greedy:eval=indicators(weights="+name+")", 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Move(t.Context(), g.Start(), search.Limits{}); err != nil {
		t.Error(err)
	}
}

func TestNewRefuses(t *testing.T) {
	ttt, err := mnk.TicTacToe(3, 3)
	if err != nil {
		t.Fatal(err)
	}
	u := ultimate.New(ultimate.Rules{})
	tests := []struct {
		g    game.Game
		o    genetic.Options
		want string
	}{
		{ttt, genetic.Options{}, "the published genetic learner is for ultimate tic-tac-toe, not tictactoe"},
		{u, genetic.Options{Players: 1}, "players must be from 2 to 10000, not 1"},
		{u, genetic.Options{Games: -1}, "games must be from 1 to 1000000, not -1"},
		{u, genetic.Options{Generations: -1}, "generations must be from 1 to 1000000, not -1"},
		{u, genetic.Options{MutRange: -1}, "the mutation range must be above 0 and at most 1e+06, not -1"},
		{u, genetic.Options{RandomRange: 3e6}, "the random range must be above 0 and at most 1e+06, not 3e+06"},
		{u, genetic.Options{Jobs: -1}, "jobs must be from 0 to 1024, not -1"},
		{u, genetic.Options{Indicators: indicators.Options{Weights: indicators.Default()}}, "the learner breeds the weights of the indicators, so they cannot be given"},
	}
	for _, tc := range tests {
		if _, err := genetic.New(tc.g, tc.o); err == nil || err.Error() != tc.want {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

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

// TestBreedsThreatHeuristic breeds the threat heuristic: the same in one go and in pieces, and into a file that can be loaded.
func TestBreedsThreatHeuristic(t *testing.T) {
	tg := newTarget(t, "mnk:6,6,4", "generic:depth=1")
	o := genetic.Options{Players: 5, Games: 6, Generations: 3, Seed: 2, RandomRange: 4, MutRange: 1}
	breeder := func(jobs int) *genetic.Learner {
		o := o
		o.Jobs = jobs
		l, err := genetic.NewTarget(tg, o, 3)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := breeder(1)
	whole := run(t, l)
	for cut := range whole {
		again := breeder(cut + 2)
		if err := again.Restore([]byte(whole[cut])); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(append([]string{}, whole[cut+1:]...), append([]string{}, run(t, again)...)); d != "" {
			t.Errorf("cut after step %d (-whole +resumed):\n%s", cut+1, d)
		}
	}
	best := l.Colony()[0]
	file := filepath.Join(t.TempDir(), "w.json")
	if err := l.Save(file); err != nil {
		t.Fatal(err)
	}
	w, from, err := generic.Load(file, 4)
	if err != nil || from.Learner != "genetic" || from.Settings["target"] != "generic" || w.Own[1] != best.Values[0] || best.Values[0] <= 0 {
		t.Errorf("%v: loaded %+v of %+v, want %+v", err, w, from, best)
	}
}

// TestTargetScores plays the best player's games of the last generation again.
func TestTargetScores(t *testing.T) {
	tg := newTarget(t, "ultimate", "indicators")
	l, err := genetic.NewTarget(tg, genetic.Options{Players: 8, Games: 20, Generations: 12, Seed: 4}, 4)
	if err != nil {
		t.Fatal(err)
	}
	var curve []learn.CurvePoint
	err = learn.Run(t.Context(), l, func(_ []byte, p learn.CurvePoint) error {
		curve = append(curve, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	best, start := l.Colony()[0], make([]float64, len(tg.Params))
	x := make([]float64, len(start))
	for i, p := range tg.Params {
		x[i] = best.Values[i] - p.Start
	}
	var pairs []target.Pair
	for i := range uint64(10) {
		pairs = append(pairs, target.Pair{A: x, B: start, Seed: rng.Mix(4, 11, i)})
	}
	scores, err := tg.Play(t.Context(), pairs, target.Playing{Plies: 4})
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for _, s := range scores {
		want += 2 * s
	}
	if best.Fitness != want/20 {
		t.Errorf("the best player won %g of the points, and %g again", best.Fitness, want/20)
	}
	if first, last := curve[0], curve[11]; last.Values["mean"] < first.Values["mean"]+0.2 || last.Values["capture"] != best.Values[8] {
		t.Errorf("from %v to %v: nothing learned", first, last)
	}
}

func TestNewTargetRefuses(t *testing.T) {
	tg := newTarget(t, "mnk:6,6,4", "generic")
	tests := []struct {
		o     genetic.Options
		plies int
		want  string
	}{
		{genetic.Options{Games: 5}, 0, "games must be even, not 5"},
		{genetic.Options{}, -1, "random plies must be from 0 to 16384, not -1"},
		{genetic.Options{Players: 1}, 0, "players must be from 2 to 10000, not 1"},
		{genetic.Options{Losers: true}, 0, "half draws, literal, start, losers and indicators are options of the published field alone"},
		{genetic.Options{Literal: true}, 0, "half draws, literal, start, losers and indicators are options of the published field alone"},
	}
	for _, tc := range tests {
		if _, err := genetic.NewTarget(tg, tc.o, tc.plies); err == nil || err.Error() != tc.want {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

// TestBuiltIn: the weights that the indicators come with are what `make bred` makes. Where a processor fuses
// multiplications and additions they come out a little different.
func TestBuiltIn(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the weights were bred on amd64")
	}
	if testing.Short() {
		t.Skip("breeds for seconds")
	}
	l := newLearner(t, genetic.Options{Seed: 1})
	for done, total := l.Steps(); done < total; done++ {
		if _, err := l.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "bred.json")
	if err := l.Save(name); err != nil {
		t.Fatal(err)
	}
	got, _, err := indicators.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(indicators.Bred(), got); d != "" {
		t.Errorf("(-built in +bred):\n%s", d)
	}
}
